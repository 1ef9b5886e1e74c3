# Transactions that touch one data node and several.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT) ENGINE=InnoDB;
-- tables t_mod
INSERT INTO t_mod VALUES (1, 1), (2, 2), (3, 3), (4, 4);

-- group commit and rollback
BEGIN;
UPDATE t_mod SET a = 10 WHERE id = 1;
UPDATE t_mod SET a = 20 WHERE id = 2;
COMMIT;
START TRANSACTION;
UPDATE t_mod SET a = 100;
SELECT SUM(a) FROM t_mod;
ROLLBACK;
SELECT SUM(a) FROM t_mod;
BEGIN WORK;
INSERT INTO t_mod VALUES (5, 5), (6, 6), (7, 7);
DELETE FROM t_mod WHERE id = 1;
SELECT id, a FROM t_mod ORDER BY id;
ROLLBACK WORK;
SELECT id, a FROM t_mod ORDER BY id;
COMMIT;
ROLLBACK;
START TRANSACTION READ ONLY;
SELECT COUNT(*) FROM t_mod;
-- error 1792
UPDATE t_mod SET a = 1 WHERE id = 1;
COMMIT;
-- unsupported
START TRANSACTION WITH CONSISTENT SNAPSHOT;

-- group autocommit
SET autocommit = 0;
UPDATE t_mod SET a = 11 WHERE id = 1;
UPDATE t_mod SET a = 12 WHERE id = 2;
ROLLBACK;
SELECT a FROM t_mod ORDER BY id;
UPDATE t_mod SET a = 13 WHERE id = 3;
COMMIT;
UPDATE t_mod SET a = 14 WHERE id = 4;
SET autocommit = 1;
SELECT @@autocommit;
SELECT a FROM t_mod ORDER BY id;

-- group savepoints
BEGIN;
UPDATE t_mod SET a = 21 WHERE id = 1;
SAVEPOINT one;
UPDATE t_mod SET a = 22 WHERE id = 2;
ROLLBACK TO SAVEPOINT one;
SELECT a FROM t_mod ORDER BY id;
RELEASE SAVEPOINT one;
-- error 1305
ROLLBACK TO SAVEPOINT one;
COMMIT;

-- group an implicit commit
BEGIN;
UPDATE t_mod SET a = 31 WHERE id = 1;
CREATE INDEX by_a ON t_mod (a);
ROLLBACK;
SELECT a FROM t_mod ORDER BY id;
BEGIN;
UPDATE t_mod SET a = 32 WHERE id = 1;
BEGIN;
ROLLBACK;
SELECT a FROM t_mod ORDER BY id;

-- group an error does not end a transaction
BEGIN;
UPDATE t_mod SET a = 41 WHERE id = 1;
-- error 1062
INSERT INTO t_mod VALUES (2, 2);
UPDATE t_mod SET a = 43 WHERE id = 3;
COMMIT;
SELECT a FROM t_mod ORDER BY id;

-- group two connections
-- tables -
BEGIN;
UPDATE t_mod SET a = 51 WHERE id = 1;
UPDATE t_mod SET a = 52 WHERE id = 2;
-- connection 2
SELECT a FROM t_mod ORDER BY id;
-- connection 2
UPDATE t_mod SET a = 54 WHERE id = 4;
-- connection 2
SET innodb_lock_wait_timeout = 1;
-- connection 2
-- error 1205
UPDATE t_mod SET a = 0 WHERE id = 2;
COMMIT;
-- connection 2
SELECT a FROM t_mod ORDER BY id;
