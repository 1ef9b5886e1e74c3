# Parameters in every place and of every type (binary protocol).
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, i INT, u BIGINT UNSIGNED, s VARCHAR(30), d DECIMAL(10,3), f DOUBLE, dt DATETIME(3), b VARBINARY(10), day DATE, t TIME, tiny TINYINT, y YEAR, bits BIT(5), big TEXT);
-- tables t_mod
-- params 1, -1, 18446744073709551615, 'text', '1.500', 0.1, '2024-02-29 10:11:12.123', 'bytes', '2024-02-29', '-10:00:00', -128, 2024, 5, 'long'
INSERT INTO t_mod VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- params 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
INSERT INTO t_mod VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- params 3, 30, 4, 'c', 5, 6
INSERT INTO t_mod (id, i, u, s, d, f) VALUES (?, ?, ?, ?, ?, ?), (-3, 0, 0, '', 0, 0), (4, NULL, 1, 'd', 2, 3);

-- group values come back in both protocols
SELECT * FROM t_mod ORDER BY id;
SELECT * FROM t_mod WHERE id = 1;
SELECT i, u, s FROM t_mod WHERE id = 2;
SELECT dt, day, t, y FROM t_mod ORDER BY id DESC;

-- group parameters on the sharding column
-- params 1
SELECT id, s FROM t_mod WHERE id = ?;
-- params -3
SELECT id, s FROM t_mod WHERE id = ?;
-- params '1'
SELECT id, s FROM t_mod WHERE id = ?;
-- params 1.0
SELECT id, s FROM t_mod WHERE id = ?;
-- params 1.5
SELECT id, s FROM t_mod WHERE id = ?;
-- params NULL
SELECT id, s FROM t_mod WHERE id = ?;
-- params NULL
SELECT id, s FROM t_mod WHERE id <=> ?;
-- params 18446744073709551615
SELECT id, s FROM t_mod WHERE id = ?;
-- params 1, 3, 99
SELECT id, s FROM t_mod WHERE id IN (?, ?, ?);
-- params 1, 3
SELECT id, s FROM t_mod WHERE id BETWEEN ? AND ?;
-- params 1, 'c'
SELECT id, s FROM t_mod WHERE id = ? OR s = ?;
-- params 1, -1
SELECT id, s FROM t_mod WHERE id = ? AND i = ?;
-- params 1, 2
SELECT id, s FROM t_mod WHERE id = ? + ?;
-- params 5, 1
SELECT ? AS p, id FROM t_mod WHERE id = ?;
-- params 'x', 3
SELECT CONCAT(s, ?) FROM t_mod WHERE id >= ? ORDER BY id;

-- group parameters elsewhere
-- params 2
SELECT id FROM t_mod WHERE id > ? ORDER BY id DESC;
-- params 10
SELECT SUM(i + ?) FROM t_mod;
-- params 0
SELECT COUNT(*) FROM t_mod WHERE i >= ?;
-- params '%e%'
SELECT id FROM t_mod WHERE s LIKE ? ORDER BY id;
-- params 99, 3
UPDATE t_mod SET i = ? WHERE id = ?;
-- params 'bulk'
UPDATE t_mod SET s = ?;
-- params 4
DELETE FROM t_mod WHERE id = ?;
-- params 1, 2
SELECT ?, ?;
-- error 1064
-- params 1
SELECT id FROM t_mod WHERE id = ? ?;
