# COUNT, SUM, MIN, MAX, AVG without GROUP BY.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, i INT, u BIGINT UNSIGNED, d DECIMAL(12,3), f DOUBLE, r FLOAT, s VARCHAR(20) COLLATE utf8mb4_bin, dt DATETIME, day DATE, n INT, t TIME);
-- tables t_mod
INSERT INTO t_mod VALUES (1, 10, 1, 1.125, 0.5, 0.5, 'b', '2024-01-01 00:00:00', '2024-01-01', NULL, '01:00:00'), (2, -5, 18446744073709551615, 2.250, 1.25, 1.25, 'a', '2023-01-01 00:00:00', '2023-06-01', NULL, '-01:00:00'), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (4, 2147483647, 3, -999999999.999, 1e10, 1e5, 'B', '2025-01-01 00:00:00', '2025-01-01', NULL, '30:00:00'), (5, 2147483647, 4, 999999999.999, -1e10, -1e5, 'c', '2024-06-01 00:00:00', '2024-06-01', NULL, '00:00:01'), (6, 0, 0, 0.000, 0, 0, '', '2024-06-02 00:00:00', '2024-06-02', NULL, '00:00:00'), (7, 7, 10, 0.001, 0.125, 0.125, 'zz', '1999-01-01 00:00:00', '1999-01-01', NULL, '23:59:59');

-- group counts
SELECT COUNT(*) FROM t_mod;
SELECT COUNT(1) FROM t_mod;
SELECT COUNT(i) FROM t_mod;
SELECT COUNT(n) FROM t_mod;
SELECT COUNT(*) AS total FROM t_mod WHERE id > 2;
SELECT COUNT(*) FROM t_mod WHERE id = 2;
SELECT COUNT(*) FROM t_mod WHERE id > 100;
SELECT count( * ) FROM t_mod;
SELECT COUNT(*), COUNT(i), COUNT(s) FROM t_mod;
SELECT COUNT(DISTINCT i) FROM t_mod WHERE id = 4;

-- group sums
SELECT SUM(i) FROM t_mod;
SELECT SUM(u) FROM t_mod;
SELECT SUM(d) FROM t_mod;
SELECT SUM(f) FROM t_mod;
SELECT SUM(r) FROM t_mod;
SELECT SUM(n) FROM t_mod;
SELECT SUM(i) FROM t_mod WHERE id > 100;
SELECT SUM(i + 1), SUM(d * 2) FROM t_mod;
SELECT SUM(i) AS x, COUNT(*) AS y FROM t_mod WHERE i > 0;
SELECT SUM(1) FROM t_mod;
SELECT SUM(i > 5) FROM t_mod;
SELECT SUM(s) FROM t_mod WHERE id = 6;

-- group extremes
SELECT MIN(i), MAX(i) FROM t_mod;
SELECT MIN(u), MAX(u) FROM t_mod;
SELECT MIN(d), MAX(d) FROM t_mod;
SELECT MIN(f), MAX(f) FROM t_mod;
SELECT MIN(s), MAX(s) FROM t_mod;
SELECT MIN(dt), MAX(dt) FROM t_mod;
SELECT MIN(day), MAX(day) FROM t_mod;
SELECT MIN(t), MAX(t) FROM t_mod;
SELECT MIN(n), MAX(n) FROM t_mod;
SELECT MIN(i), MAX(s) FROM t_mod WHERE id > 100;
SELECT MIN(id), MAX(id) FROM t_mod WHERE i IS NULL;

-- group averages
SELECT AVG(i) FROM t_mod;
SELECT AVG(u) FROM t_mod;
SELECT AVG(d) FROM t_mod;
SELECT AVG(f) FROM t_mod;
SELECT AVG(n) FROM t_mod;
SELECT AVG(i) FROM t_mod WHERE id > 100;
SELECT AVG(i) AS mean, SUM(i), COUNT(i) FROM t_mod;
SELECT AVG(i), AVG(d) FROM t_mod WHERE id IN (1, 2, 3);
SELECT AVG(id) FROM t_mod WHERE id = 7;
SELECT SUM(i), AVG(i), COUNT(*), MIN(i), MAX(i) FROM t_mod;
-- params 2
SELECT COUNT(*), SUM(d), AVG(d) FROM t_mod WHERE id > ?;
