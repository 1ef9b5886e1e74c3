# HAVING, and expressions on aggregates, over several data nodes.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, code VARCHAR(10), bin VARCHAR(10) COLLATE utf8mb4_bin, a INT, u INT UNSIGNED, d DECIMAL(10,2), f DOUBLE, made DATETIME, day DATE);
-- tables t_mod
INSERT INTO t_mod VALUES (1, 'A', 'A', 1, 1, 1.10, 0.5, '2024-01-01 10:00:00', '2024-01-01'), (2, 'a', 'a', 2, 5, 2.20, 1.5, '2024-01-02 10:00:00', '2024-01-02'), (3, 'B', 'B', 3, 7, 3.30, 2.5, '2024-02-01 00:00:00', '2024-02-01'), (4, 'b', 'B', 4, 8, NULL, NULL, NULL, NULL), (5, 'C', 'C', NULL, NULL, 5.50, 3.5, '2023-12-31 23:59:59', '2023-12-31'), (6, NULL, NULL, 6, 4294967295, 6.66, -1, '2024-03-01 00:00:00', '2024-03-01'), (7, 'A', 'A', 7, 0, 0.01, 10, '2024-03-02 00:00:00', '2024-03-02'), (8, 'D', 'D', 0, 0, 0, 0, '2024-01-01 00:00:00', '2024-01-01'), (9, 'D', 'D', -5, 3, -1.25, 0.125, '2024-01-03 00:00:00', '2024-01-03');

-- group having
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING COUNT(*) > 1 ORDER BY bin;
SELECT bin, COUNT(1) AS cnt FROM t_mod GROUP BY bin HAVING cnt < 3 ORDER BY bin;
SELECT bin, COUNT(1) AS cnt FROM t_mod GROUP BY bin HAVING cnt < 2 ORDER BY bin DESC;
SELECT bin FROM t_mod GROUP BY bin HAVING SUM(a) >= 8 ORDER BY bin;
SELECT bin, SUM(d) AS s FROM t_mod GROUP BY bin HAVING s BETWEEN 1 AND 6 ORDER BY s;
SELECT bin, SUM(d) FROM t_mod GROUP BY bin HAVING SUM(d) IN (1.11, 3.3, 5.50) ORDER BY bin;
SELECT bin, MAX(made) FROM t_mod GROUP BY bin HAVING MAX(made) > '2024-01-15' ORDER BY bin;
-- mariadb
SELECT bin, MIN(day) AS first FROM t_mod GROUP BY bin HAVING first < '2024-01-02' ORDER BY bin;
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING bin = 'A';
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING bin = 'A' OR COUNT(*) = 1 ORDER BY bin;
SELECT bin AS k, COUNT(*) FROM t_mod GROUP BY k HAVING k > 'A' AND COUNT(*) > 1 ORDER BY k;
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING bin IS NULL;
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING NOT COUNT(*) > 1 ORDER BY bin;
SELECT bin, AVG(a) FROM t_mod GROUP BY bin HAVING AVG(a) > 1.5 ORDER BY bin;
SELECT bin, SUM(a) FROM t_mod GROUP BY bin HAVING SUM(a) IS NULL;
SELECT bin, SUM(a) FROM t_mod GROUP BY bin HAVING SUM(a) > AVG(a) ORDER BY bin;
SELECT bin, COUNT(DISTINCT a) AS n FROM t_mod GROUP BY bin HAVING n > 1 ORDER BY bin;
SELECT UPPER(code), COUNT(*) FROM t_mod GROUP BY code HAVING code = 'a';
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC, bin LIMIT 1, 2;
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING MIN(code) = 'a' ORDER BY bin;
SELECT COUNT(*) FROM t_mod HAVING COUNT(*) > 5;
SELECT COUNT(*) FROM t_mod HAVING COUNT(*) > 50;
SELECT COUNT(*) FROM t_mod WHERE id > 100 HAVING COUNT(*) = 0;
SELECT SUM(a) AS s FROM t_mod HAVING s > 0;
SELECT COUNT(*) FROM t_mod HAVING 1 = 0;
SELECT id AS x, a FROM t_mod HAVING x > 4 ORDER BY x;
SELECT a + 1 AS b FROM t_mod HAVING b > 3 ORDER BY b;
-- mariadb
SELECT DISTINCT COUNT(*) AS n FROM t_mod GROUP BY bin HAVING n > 1;
-- error 1054
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING nothing > 1;
-- params 1
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING COUNT(*) > ? ORDER BY bin;
-- params 2, 1, 3
SELECT bin, SUM(a) FROM t_mod WHERE id > ? GROUP BY bin HAVING SUM(a) > ? ORDER BY bin LIMIT ?;
-- params 'A', 2
SELECT bin, COUNT(*) AS n FROM t_mod GROUP BY bin HAVING bin > ? AND n >= ? ORDER BY bin;

-- group expressions on aggregates
SELECT COUNT(*) + 1 FROM t_mod;
SELECT SUM(a) / COUNT(*) FROM t_mod;
SELECT MAX(a) - MIN(a) AS spread FROM t_mod;
SELECT IFNULL(SUM(a), 0) FROM t_mod WHERE id > 100;
SELECT COALESCE(MAX(a), -1), COALESCE(SUM(d), 0) FROM t_mod WHERE id > 100;
SELECT ROUND(AVG(d), 2), ROUND(SUM(f), 1) FROM t_mod;
SELECT bin, CONCAT(bin, ':', COUNT(*)) FROM t_mod GROUP BY bin ORDER BY bin;
SELECT bin, SUM(a) / COUNT(a) AS mean FROM t_mod GROUP BY bin ORDER BY bin;
SELECT bin, SUM(d) * 2, SUM(d) - 1, -SUM(a) FROM t_mod GROUP BY bin ORDER BY bin;
SELECT bin, MAX(a) > 3 AS is_large FROM t_mod GROUP BY bin ORDER BY bin;
SELECT bin, IF(COUNT(*) > 1, COUNT(*), 0) FROM t_mod GROUP BY bin ORDER BY bin;
SELECT bin, CASE WHEN SUM(a) > 5 THEN 2 WHEN SUM(a) > 0 THEN 1 ELSE 0 END AS level FROM t_mod GROUP BY bin ORDER BY bin;
SELECT bin, COUNT(*) * 100 / SUM(u) FROM t_mod WHERE u > 0 GROUP BY bin ORDER BY bin;
-- mariadb
SELECT YEAR(made) + COUNT(*) FROM t_mod GROUP BY YEAR(made) ORDER BY YEAR(made);
SELECT SUM(CASE WHEN a > 2 THEN 1 ELSE 0 END) AS n, SUM(IF(a > 2, d, 0)) FROM t_mod;
SELECT bin FROM t_mod GROUP BY bin ORDER BY SUM(a) / COUNT(*), bin;
SELECT bin, SUM(a) / COUNT(*) AS mean FROM t_mod GROUP BY bin ORDER BY mean DESC, bin LIMIT 2;
SELECT bin, MAX(a) - MIN(a) AS spread FROM t_mod GROUP BY bin HAVING spread > 0 ORDER BY spread;
SELECT COUNT(DISTINCT a) * 2, COUNT(*) - COUNT(DISTINCT bin) FROM t_mod WHERE id = 1;
SELECT COUNT(DISTINCT a) * 2 FROM t_mod;
SELECT SUM(u) + 0, MAX(u) - 1 FROM t_mod;
SELECT AVG(f) * 2, SUM(f) / 3 FROM t_mod;
SELECT 1 + 1, COUNT(*) FROM t_mod;
SELECT IFNULL(MAX(made), '2000-01-01') FROM t_mod WHERE id = 4;
SELECT MAX(day), IFNULL(MAX(day), MIN(day)) FROM t_mod;
# A text read as a number gives warnings.
SELECT bin, MIN(code) AS n FROM t_mod GROUP BY bin HAVING n <> 3 ORDER BY bin;
SELECT bin, CASE WHEN COUNT(*) > 1 THEN 'many' ELSE 'few' END AS n FROM t_mod GROUP BY bin HAVING n <> 3 ORDER BY bin;
SELECT bin, CASE WHEN COUNT(*) > 1 THEN 'many' ELSE 'few' END AS n FROM t_mod GROUP BY bin HAVING n = 'many' ORDER BY bin;
-- unsupported
SELECT bin, COUNT(*) FROM t_mod GROUP BY bin HAVING COUNT(*) > 'x' ORDER BY bin;
