# INSERT and REPLACE: rows go to their data nodes, counts and errors come back as from one server.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT DEFAULT 7, s VARCHAR(10), made DATETIME, d DECIMAL(6,2), UNIQUE KEY id_a (id, a));
-- tables t_mod

-- group one row
INSERT INTO t_mod VALUES (1, 1, 'a', '2024-01-01 00:00:00', 1.5);
INSERT INTO t_mod (id) VALUES (2);
INSERT INTO t_mod (s, id) VALUES ('x', 3);
INSERT t_mod (id, a) VALUES (4, NULL);
INSERT INTO t_mod SET id = 5, s = 'set';
INSERT INTO t_mod (id, a) VALUE (6, 66);
INSERT INTO t_mod (id, a) VALUES (-6, -66);
INSERT INTO t_mod (id, a) VALUES ('7', '77');
INSERT INTO t_mod (id, a, d) VALUES (8, 1 + 2 * 3, 1.005);
INSERT INTO t_mod (id, a) VALUES (9, DEFAULT);
INSERT INTO t_mod (`id`, `a`) VALUES (10, 10);
INSERT INTO t_mod (id, s) VALUES (11, 'it''s');
INSERT INTO t_mod (id, s) VALUES (12, "a;b");
INSERT INTO t_mod (id, s) VALUES (13, 'éß日');
INSERT INTO t_mod (id, s) VALUES (14, CONCAT('a', 'b'));
insert into t_mod(id,a)values(15,15);

-- group many rows
INSERT INTO t_mod (id, a) VALUES (20, 1), (21, 2), (22, 3), (23, 4);
INSERT INTO t_mod (id, a) VALUES (24, 1), (28, 2), (32, 3);
INSERT INTO t_mod (a, id) VALUES (1, 25), (2, -25), (3, 26), (4, 27), (5, 29);
INSERT INTO t_mod VALUES (40, 1, 'x', NULL, NULL), (41, NULL, NULL, NULL, 0.01), (42, 2, '', '2024-02-29 12:00:00', -1);
-- params 50, 1, 51, 2, 52, NULL
INSERT INTO t_mod (id, a) VALUES (?, ?), (?, ?), (?, ?);
-- params -50, 'text'
INSERT INTO t_mod (id, a, s) VALUES (?, 1, ?);

-- group errors
-- error 1062
INSERT INTO t_mod (id) VALUES (1);
-- error 1136
INSERT INTO t_mod (id, a) VALUES (100);
-- error 1136
INSERT INTO t_mod VALUES (100, 1);
-- error 1054
INSERT INTO t_mod (id, nothing) VALUES (100, 1);
-- error 1048
INSERT INTO t_mod (id) VALUES (NULL);
-- error 1110
INSERT INTO t_mod (id, id) VALUES (100, 100);
-- error 1406
INSERT INTO t_mod (id, s) VALUES (100, 'much too long a text');
-- error 1366
INSERT INTO t_mod (id, a) VALUES (100, 'no number');
-- error 1064
INSERT INTO t_mod (id, a) VALUES (100, );
-- error 1264
INSERT INTO t_mod (id) VALUES (9223372036854775808);

-- group ignore, replace, on duplicate key
INSERT IGNORE INTO t_mod (id, a) VALUES (1, 100);
INSERT IGNORE INTO t_mod (id, a) VALUES (60, 1), (1, 2), (61, 3);
REPLACE INTO t_mod (id, a) VALUES (1, 101);
REPLACE INTO t_mod (id, a) VALUES (62, 1), (63, 2);
REPLACE INTO t_mod (id, a) VALUES (62, 9), (64, 2), (65, 2);
REPLACE t_mod SET id = 65, a = 3;
INSERT INTO t_mod (id, a) VALUES (1, 5) ON DUPLICATE KEY UPDATE a = a + 1;
INSERT INTO t_mod (id, a) VALUES (70, 5) ON DUPLICATE KEY UPDATE a = a + 1;
INSERT INTO t_mod (id, a) VALUES (70, 5), (71, 6), (72, 7) ON DUPLICATE KEY UPDATE a = VALUES(a) * 10;
INSERT INTO t_mod (id, a) VALUES (70, 50) ON DUPLICATE KEY UPDATE a = a;
-- params 70, 8, 'p'
INSERT INTO t_mod (id, a) VALUES (?, ?) ON DUPLICATE KEY UPDATE s = ?;
