# GROUP BY over several data nodes.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, kind VARCHAR(10) COLLATE utf8mb4_bin, size INT, price DECIMAL(8,2), weight DOUBLE, made DATE);
-- tables t_mod
INSERT INTO t_mod VALUES (1, 'red', 1, 1.00, 0.5, '2024-01-01'), (2, 'red', 2, 2.50, 0.25, '2024-01-02'), (3, 'blue', 1, 3.33, NULL, '2024-01-01'), (4, 'blue', NULL, NULL, 2.5, NULL), (5, NULL, 1, 5.00, 1.5, '2024-02-01'), (6, NULL, 2, 6.00, 1.25, '2024-02-01'), (7, 'green', 3, 0.01, 0, '2023-12-31'), (8, 'red', 1, 1.50, 4, '2024-01-01'), (9, 'blue', 2, 9.99, 8, '2024-01-02');

-- group keys
SELECT kind, COUNT(*) FROM t_mod GROUP BY kind;
SELECT kind, COUNT(*) FROM t_mod GROUP BY kind ORDER BY kind;
SELECT kind, COUNT(*) FROM t_mod GROUP BY kind ORDER BY kind DESC;
SELECT kind, size, COUNT(*) FROM t_mod GROUP BY kind, size ORDER BY kind, size;
SELECT kind, size, COUNT(*) FROM t_mod GROUP BY kind, size ORDER BY size DESC, kind;
SELECT COUNT(*), kind FROM t_mod GROUP BY kind ORDER BY kind;
SELECT COUNT(*) FROM t_mod GROUP BY kind;
SELECT COUNT(*) AS n FROM t_mod GROUP BY kind ORDER BY kind;
SELECT kind FROM t_mod GROUP BY kind;
SELECT kind k, SUM(size) n FROM t_mod GROUP BY k ORDER BY k;
SELECT kind, SUM(size) FROM t_mod GROUP BY 1 ORDER BY 1;
SELECT size % 2 AS odd, COUNT(*) FROM t_mod GROUP BY odd ORDER BY odd;
SELECT YEAR(made) AS y, COUNT(*) FROM t_mod GROUP BY YEAR(made) ORDER BY y;
SELECT made, MAX(price) FROM t_mod GROUP BY made ORDER BY made;
SELECT price, COUNT(*) FROM t_mod GROUP BY price ORDER BY price;
SELECT id, COUNT(*) FROM t_mod GROUP BY id ORDER BY id;
SELECT id % 4 AS node, COUNT(*) FROM t_mod GROUP BY id % 4 ORDER BY node;

-- group aggregates
SELECT kind, SUM(size), SUM(price), SUM(weight) FROM t_mod GROUP BY kind ORDER BY kind;
SELECT kind, AVG(size), AVG(price), AVG(weight) FROM t_mod GROUP BY kind ORDER BY kind;
-- mariadb
SELECT kind, MIN(size), MAX(price), MIN(made) FROM t_mod GROUP BY kind ORDER BY kind;
SELECT kind, COUNT(size), COUNT(*), COUNT(price) FROM t_mod GROUP BY kind ORDER BY kind;
SELECT kind, SUM(price) AS total FROM t_mod GROUP BY kind ORDER BY total DESC, kind;
SELECT kind, COUNT(*) FROM t_mod GROUP BY kind ORDER BY COUNT(*) DESC, kind;
SELECT kind, AVG(price) AS mean FROM t_mod GROUP BY kind ORDER BY mean, kind;
SELECT kind FROM t_mod GROUP BY kind ORDER BY SUM(price), kind;
SELECT kind, COUNT(*) FROM t_mod WHERE id > 3 GROUP BY kind ORDER BY kind;
SELECT kind, COUNT(*) FROM t_mod WHERE id > 300 GROUP BY kind ORDER BY kind;
SELECT kind, COUNT(*) FROM t_mod WHERE id = 3 GROUP BY kind;
SELECT kind, SUM(size) FROM t_mod WHERE id IN (1, 5, 9) GROUP BY kind ORDER BY kind;

-- group limits
SELECT kind, COUNT(*) FROM t_mod GROUP BY kind ORDER BY kind LIMIT 2;
SELECT kind, COUNT(*) FROM t_mod GROUP BY kind ORDER BY kind LIMIT 1, 2;
SELECT kind, SUM(price) AS total FROM t_mod GROUP BY kind ORDER BY total DESC LIMIT 1;
SELECT kind, COUNT(*) AS n FROM t_mod GROUP BY kind ORDER BY n DESC, kind LIMIT 2 OFFSET 1;
-- params 1, 2
SELECT kind, COUNT(*) FROM t_mod WHERE id > ? GROUP BY kind ORDER BY kind LIMIT ?;
