# ORDER BY: types, directions, NULLs, names, positions, columns that are not selected.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, i INT, u INT UNSIGNED, s VARCHAR(20), b VARCHAR(20) COLLATE utf8mb4_bin, c CHAR(5), d DECIMAL(20,6), f DOUBLE, r FLOAT, dt DATETIME, ts TIME, y YEAR, e ENUM('low','mid','high'), t TINYINT, x VARBINARY(8), day DATE, us DATETIME(6));
-- tables t_mod
INSERT INTO t_mod VALUES (1, 3, 3, 'b', 'b', 'b', 1.5, 1.5, 1.5, '2024-01-01 10:00:00', '10:00:00', 2024, 'mid', 1, 'b', '2024-01-01', '2024-01-01 00:00:00.000001'), (2, -3, 0, 'A', 'A', 'A', -1.5, -1.5, -1.5, '2023-01-01 10:00:00', '-10:00:00', 1999, 'low', -1, 'A', '2023-01-01', '2024-01-01 00:00:00.000002'), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (4, 10, 4294967295, 'a', 'a', 'a', 10.25, 1e10, 1e5, '2024-01-01 09:59:59', '100:00:00', 2000, 'high', 127, 'a', '1000-01-01', '2023-12-31 23:59:59.999999'), (5, 9, 9, 'é', 'é', 'é', 9.75, 9.5, 9.5, '1999-12-31 23:59:59', '00:00:00', 1901, 'high', -128, 0xFF, '1999-12-31', '1999-12-31 23:59:59.5'), (6, 10, 10, 'e', 'e', 'e', 10.250001, 1e-10, 1e-5, '2024-02-29 00:00:00', '09:00:00', 2155, 'low', 0, 0x00, '2024-02-29', '2024-02-29 00:00:00'), (7, 0, 2147483648, '', '', '', 0, 0, 0, '2024-01-01 10:00:01', '01:00:00', 2001, 'mid', 2, '', '2024-01-02', '2024-01-01 00:00:00'), (8, -2147483648, 7, 'Z', 'Z', 'Z', -99999.999999, -1e300, -1e30, '1970-01-01 00:00:01', '-00:00:01', 1970, 'low', 3, 'Z', '1970-01-01', '1970-01-01 00:00:01.1');

-- group one key of each type
SELECT id, i FROM t_mod ORDER BY i, id;
SELECT id, i FROM t_mod ORDER BY i DESC, id;
SELECT id, u FROM t_mod ORDER BY u, id;
SELECT id, u FROM t_mod ORDER BY u DESC, id DESC;
SELECT id, s FROM t_mod ORDER BY s, id;
SELECT id, s FROM t_mod ORDER BY s DESC, id;
SELECT id, b FROM t_mod ORDER BY b;
SELECT id, b FROM t_mod ORDER BY b DESC;
SELECT id, c FROM t_mod ORDER BY c, id;
SELECT id, d FROM t_mod ORDER BY d;
SELECT id, d FROM t_mod ORDER BY d DESC;
SELECT id, f FROM t_mod ORDER BY f;
SELECT id, f FROM t_mod ORDER BY f DESC;
SELECT id, r FROM t_mod ORDER BY r;
SELECT id, dt FROM t_mod ORDER BY dt;
SELECT id, dt FROM t_mod ORDER BY dt DESC;
SELECT id, us FROM t_mod ORDER BY us;
SELECT id, day FROM t_mod ORDER BY day DESC;
SELECT id, ts FROM t_mod ORDER BY ts;
SELECT id, ts FROM t_mod ORDER BY ts DESC;
SELECT id, y FROM t_mod ORDER BY y;
SELECT id, e FROM t_mod ORDER BY e, id;
SELECT id, t FROM t_mod ORDER BY t;
SELECT id, x FROM t_mod ORDER BY x;
SELECT id, x FROM t_mod ORDER BY x DESC;

-- group names and positions
SELECT id, i AS k FROM t_mod ORDER BY k, id;
SELECT id, -i AS k FROM t_mod ORDER BY k, id;
SELECT id, i FROM t_mod ORDER BY 2, 1;
SELECT id, i FROM t_mod ORDER BY 2 DESC, 1 DESC;
SELECT id AS i, i AS id FROM t_mod ORDER BY i;
SELECT * FROM t_mod ORDER BY id;
SELECT *, id + 1 AS next FROM t_mod ORDER BY next DESC;
SELECT t_mod.* FROM t_mod ORDER BY t_mod.id DESC;
SELECT x.id, x.s FROM t_mod x ORDER BY x.id;
SELECT id `a b` FROM t_mod ORDER BY `a b`;
SELECT ID FROM t_mod ORDER BY Id DESC;

-- group expressions on aliases
SELECT id, i AS k FROM t_mod ORDER BY k IS NULL, k, id;
SELECT id, i + 1 AS k FROM t_mod ORDER BY k * -1, id;
SELECT id, LOWER(s) AS k FROM t_mod WHERE s <> '' ORDER BY CONCAT(k, id) DESC;
SELECT id AS num, i AS k FROM t_mod ORDER BY IFNULL(k, num), num DESC;
SELECT id, s AS label FROM t_mod ORDER BY FIELD(label, 'Z', 'b'), id;

-- group hidden keys
SELECT s FROM t_mod ORDER BY id;
SELECT s, i FROM t_mod ORDER BY d DESC, id;
SELECT 1 FROM t_mod ORDER BY id;
SELECT s AS label FROM t_mod ORDER BY i, id DESC;
SELECT s FROM t_mod ORDER BY i * -1, id;
SELECT s FROM t_mod ORDER BY i IS NULL, i, id;
SELECT s FROM t_mod ORDER BY LENGTH(s), id;
SELECT id FROM t_mod ORDER BY i % 3, id;
SELECT id FROM t_mod ORDER BY CASE WHEN id > 4 THEN 0 ELSE 1 END, id;
SELECT id, s FROM t_mod ORDER BY FIELD(s, 'Z', 'b'), id;
SELECT id FROM t_mod ORDER BY ISNULL(s), s COLLATE utf8mb4_bin;

-- group with conditions
SELECT id FROM t_mod WHERE i > 0 ORDER BY i DESC, id;
SELECT id FROM t_mod WHERE id IN (1, 2, 5) ORDER BY id DESC;
SELECT id FROM t_mod WHERE id = 5 ORDER BY s;
-- unordered
SELECT i FROM t_mod ORDER BY i IS NULL;
-- unordered
SELECT id, i FROM t_mod ORDER BY NULL;
-- error 1054
SELECT id FROM t_mod ORDER BY nothing;
-- error 1054
SELECT id FROM t_mod ORDER BY 2;
