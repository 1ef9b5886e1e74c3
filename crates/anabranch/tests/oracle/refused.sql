# What a sharded table does not do yet is refused, never answered wrongly.
-- group set-up
DROP TABLE IF EXISTS t_mod;
DROP TABLE IF EXISTS t_user;
DROP TABLE IF EXISTS s_one;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT);
CREATE TABLE t_user (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(20));
CREATE TABLE s_one (id INT PRIMARY KEY);
-- tables t_mod
INSERT INTO t_mod VALUES (1, 1), (2, 2), (3, 3), (4, 4);

-- group refused
-- unsupported
UPDATE t_mod SET id = id + 1;
-- unsupported
UPDATE t_mod SET id = 6 WHERE id = 1;
-- unsupported
INSERT INTO t_mod (a) VALUES (5);
-- unsupported
INSERT INTO t_mod (id, a) VALUES (RAND() * 100, 5);
-- unsupported
CREATE VIEW v AS SELECT * FROM t_mod;

-- group nothing of it happened
SELECT * FROM t_mod ORDER BY id;
DROP TABLE t_user;
DROP TABLE s_one;
