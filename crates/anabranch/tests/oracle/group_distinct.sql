# DISTINCT over groups, groups of long or computed texts, all rows counted.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, g INT, code VARCHAR(20), note TEXT, mail VARCHAR(320) COLLATE utf8mb4_bin, raw BLOB, made DATETIME, size INT, latin VARCHAR(10) CHARACTER SET latin1);
-- tables t_mod
INSERT INTO t_mod VALUES (1, 1, 'U', 'one', 'a@x', 'x', '2024-01-31 10:00:00', 3, 'e'), (2, 1, 'u', 'One', 'A@x', 'X', '2024-01-01 00:00:00', 3, 'é'), (3, 1, 'B', 'two', 'a@x', 'x', '2024-02-01 00:00:00', 4, 'E'), (4, 2, 'É', 'two', 'b@x', '', '2023-12-31 23:59:59', NULL, 'b'), (5, 2, 'e', 'three', NULL, NULL, '2024-02-29 00:00:00', 5, 'B '), (6, 2, 'b', NULL, '', 'x', NULL, 5, NULL), (7, NULL, 'u ', 'three ', 'a@x', 'y', '2024-01-15 00:00:00', 6, 'é'), (8, NULL, NULL, '', 'a@x ', 'x', '2023-12-01 00:00:00', 7, 'e');

-- group distinct groups
SELECT DISTINCT g AS u, COUNT(*) FROM t_mod GROUP BY g ORDER BY g;
SELECT DISTINCT COUNT(*) FROM t_mod GROUP BY g;
SELECT DISTINCT COUNT(*) AS n FROM t_mod GROUP BY code ORDER BY n DESC;
SELECT DISTINCT SUM(size) FROM t_mod GROUP BY id ORDER BY 1;
SELECT DISTINCT MAX(size), COUNT(*) FROM t_mod GROUP BY g, code ORDER BY 1, 2;
SELECT DISTINCT COUNT(*) FROM t_mod GROUP BY code ORDER BY COUNT(*) LIMIT 1;
SELECT DISTINCT COUNT(*) FROM t_mod GROUP BY code ORDER BY COUNT(*) LIMIT 1, 2;
SELECT DISTINCT MIN(code) FROM t_mod WHERE id IN (1, 3, 4, 8) GROUP BY code ORDER BY 1;
SELECT DISTINCT COUNT(*) FROM t_mod;
SELECT DISTINCT COUNT(DISTINCT size) FROM t_mod GROUP BY g;

-- group case and accents
SELECT COUNT(*), MIN(id) FROM t_mod GROUP BY code ORDER BY code;
SELECT MAX(LENGTH(code)), COUNT(*) FROM t_mod GROUP BY code ORDER BY 2 DESC, 1;
SELECT UPPER(code), COUNT(*) FROM t_mod WHERE id IN (1, 2, 3, 6) GROUP BY code ORDER BY code DESC;
SELECT latin, id FROM t_mod ORDER BY latin, id;
SELECT COUNT(*) FROM t_mod GROUP BY latin ORDER BY latin;

-- group long texts
SELECT COUNT(*) FROM t_mod GROUP BY note ORDER BY note;
SELECT MAX(LENGTH(mail)), COUNT(*) FROM t_mod GROUP BY mail ORDER BY mail;
SELECT mail, COUNT(*) FROM t_mod WHERE id < 8 GROUP BY mail ORDER BY mail DESC LIMIT 2;
SELECT mail, SUM(size) AS total FROM t_mod WHERE id < 8 GROUP BY mail ORDER BY total DESC, mail LIMIT 2;
SELECT DISTINCT mail FROM t_mod WHERE id < 8 ORDER BY mail;
SELECT DISTINCT mail FROM t_mod WHERE id < 8;
SELECT DISTINCT raw FROM t_mod ORDER BY raw;
SELECT raw, COUNT(*) FROM t_mod GROUP BY raw ORDER BY raw DESC;
SELECT COUNT(DISTINCT note) FROM t_mod;

-- group computed texts
SELECT DATE_FORMAT(made, '%Y-%m') AS month, COUNT(*) FROM t_mod GROUP BY month ORDER BY month;
SELECT DATE_FORMAT(made, '%Y-%m') AS month, SUM(size) FROM t_mod GROUP BY DATE_FORMAT(made, '%Y-%m') ORDER BY month DESC LIMIT 2;
SELECT DISTINCT DATE_FORMAT(made, '%Y-%m') FROM t_mod ORDER BY 1;
SELECT id FROM t_mod ORDER BY CONCAT(mail, '/', id), id;
SELECT id FROM t_mod ORDER BY IFNULL(mail, 'zz') DESC, id;
SELECT IFNULL(mail, '-') AS m, COUNT(*) FROM t_mod WHERE id < 8 GROUP BY m ORDER BY m;
SELECT id FROM t_mod ORDER BY DATE_ADD(made, INTERVAL size DAY), id;
SELECT id FROM t_mod ORDER BY COALESCE(made, '2000-01-01') DESC, id;
SELECT MIN(CONCAT(mail, id)), MAX(CONCAT('x', size)) FROM t_mod;
SELECT IF(size > 4, 'big', 'small') AS class, COUNT(*), MIN(id) FROM t_mod GROUP BY class ORDER BY class;
SELECT CASE WHEN size > 4 THEN 'big' WHEN size > 3 THEN 'mid' END AS class, COUNT(*) FROM t_mod GROUP BY class ORDER BY class DESC;
SELECT CAST(size AS CHAR) AS c, COUNT(*) FROM t_mod GROUP BY c ORDER BY c;

-- group all rows counted
-- mariadb
SELECT SQL_CALC_FOUND_ROWS id FROM t_mod ORDER BY id LIMIT 2;
-- mariadb
SELECT FOUND_ROWS() = 8;
-- mariadb
SELECT SQL_CALC_FOUND_ROWS id FROM t_mod WHERE id > 2 ORDER BY size, id LIMIT 1, 3;
-- mariadb
SELECT FOUND_ROWS() = 6;
-- mariadb
SELECT SQL_CALC_FOUND_ROWS g, COUNT(*) FROM t_mod GROUP BY g ORDER BY COUNT(*), g LIMIT 1;
-- mariadb
SELECT FOUND_ROWS() = 3;
-- mariadb
SELECT SQL_CALC_FOUND_ROWS DISTINCT g FROM t_mod ORDER BY g LIMIT 0;
-- mariadb
SELECT FOUND_ROWS() = 3;
-- mariadb
SELECT SQL_CALC_FOUND_ROWS id FROM t_mod;
-- mariadb
SELECT FOUND_ROWS() = 8;
SELECT id FROM t_mod ORDER BY id LIMIT 3;
-- mariadb
SELECT FOUND_ROWS() = 3;
SELECT id FROM t_mod ORDER BY id LIMIT 2, 3;
-- mariadb
SELECT FOUND_ROWS() = 5, FOUND_ROWS() = 3;
SELECT id FROM t_mod ORDER BY id LIMIT 20, 3;
-- mariadb
SELECT FOUND_ROWS() = 8, FOUND_ROWS() = 0;
SELECT id FROM t_mod LIMIT 0;
-- mariadb
SELECT FOUND_ROWS() = 0;
