# Definitions reach every data node.
-- group tables
DROP TABLE IF EXISTS t_mod;
-- error 1051
DROP TABLE t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL, a INT, PRIMARY KEY (id));
-- error 1050
CREATE TABLE t_mod (id BIGINT NOT NULL, a INT, PRIMARY KEY (id));
CREATE TABLE IF NOT EXISTS t_mod (id BIGINT NOT NULL, a INT, PRIMARY KEY (id));
INSERT INTO t_mod VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5);
ALTER TABLE t_mod ADD COLUMN s VARCHAR(10) NOT NULL DEFAULT 'new';
SELECT * FROM t_mod ORDER BY id;
-- tables t_mod
INSERT INTO t_mod VALUES (6, 6, 'six');
ALTER TABLE t_mod MODIFY COLUMN a BIGINT;
SELECT a FROM t_mod ORDER BY id;
ALTER TABLE t_mod CHANGE COLUMN a b INT UNSIGNED;
SELECT b FROM t_mod ORDER BY id;
-- error 1054
SELECT a FROM t_mod;
ALTER TABLE t_mod DROP COLUMN s, ADD COLUMN t DATETIME;
SELECT * FROM t_mod ORDER BY id;
-- error 1091
ALTER TABLE t_mod DROP COLUMN nothing;
-- error 1060
ALTER TABLE t_mod ADD COLUMN b INT;

-- group indexes
CREATE INDEX by_b ON t_mod (b);
-- error 1061
CREATE INDEX by_b ON t_mod (b);
SELECT id FROM t_mod FORCE INDEX (by_b) WHERE b = 3;
DROP INDEX by_b ON t_mod;
-- error 1091
DROP INDEX by_b ON t_mod;
ALTER TABLE t_mod ADD INDEX by_t (t);
ALTER TABLE t_mod DROP INDEX by_t;
CREATE UNIQUE INDEX by_id_b ON t_mod (id, b);
-- error 1072
CREATE INDEX wrong ON t_mod (nothing);

-- group emptying
TRUNCATE t_mod;
SELECT COUNT(*), MAX(id) FROM t_mod;
DROP TABLE t_mod;
-- error 1146
SELECT * FROM t_mod;
-- error 1064
CREATE TABLE t_mod (id);
