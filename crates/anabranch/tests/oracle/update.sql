# UPDATE and DELETE on one data node and on many.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT, s VARCHAR(10), d DECIMAL(8,2));
-- tables t_mod
INSERT INTO t_mod VALUES (1, 1, 'a', 1.00), (2, 2, 'b', 2.00), (3, 3, 'c', 3.00), (4, 4, 'd', 4.00), (5, 5, 'e', 5.00), (6, 6, 'f', 6.00), (7, 7, 'g', NULL), (8, NULL, NULL, 8.00), (9, 9, 'i', 9.00), (10, 10, 'j', 10.00), (11, 11, 'k', 11.00), (12, 12, 'l', 12.00);

-- group update
UPDATE t_mod SET a = 100 WHERE id = 1;
UPDATE t_mod SET a = 100 WHERE id = 1;
UPDATE t_mod SET a = a + 1 WHERE id = 1;
UPDATE t_mod SET a = a + 1, s = 'two' WHERE id = 2;
UPDATE t_mod SET a = NULL WHERE id = 3;
UPDATE t_mod SET a = a + 1 WHERE id IN (4, 5, 6);
UPDATE t_mod SET a = a * 2 WHERE id BETWEEN 4 AND 9;
UPDATE t_mod SET s = CONCAT(s, '!') WHERE a > 9;
UPDATE t_mod SET d = d / 3;
UPDATE t_mod SET a = 0 WHERE id = 99;
UPDATE t_mod SET a = 1 WHERE id = 1 OR id = 2;
UPDATE t_mod x SET x.a = 2 WHERE x.id = 2;
UPDATE t_mod SET t_mod.a = 3 WHERE t_mod.id = 3;
UPDATE t_mod SET s = DEFAULT WHERE id = 4;
UPDATE t_mod SET a = CASE WHEN id > 6 THEN 1 ELSE 2 END WHERE id > 4;
UPDATE t_mod SET s = 'where' WHERE s IS NULL;
UPDATE t_mod SET id = id WHERE id = 5 AND a = -1;
-- params 42, 5
UPDATE t_mod SET a = ? WHERE id = ?;
-- params 'p', 3, 8
UPDATE t_mod SET s = ? WHERE id BETWEEN ? AND ?;
-- error 1054
UPDATE t_mod SET nothing = 1 WHERE id = 1;
-- error 1406
UPDATE t_mod SET s = 'much too long a text' WHERE id = 1;
-- error 1064
UPDATE t_mod SET WHERE id = 1;

-- group delete
DELETE FROM t_mod WHERE id = 1;
DELETE FROM t_mod WHERE id = 1;
DELETE FROM t_mod WHERE id IN (2, 3);
DELETE FROM t_mod WHERE id BETWEEN 4 AND 5 AND a > 1000;
DELETE FROM t_mod WHERE d IS NULL;
DELETE FROM t_mod WHERE a = 1 AND id > 8;
-- params 6
DELETE FROM t_mod WHERE id = ?;
-- error 1054
DELETE FROM t_mod WHERE nothing = 1;
DELETE FROM t_mod;
DELETE FROM t_mod;
INSERT INTO t_mod VALUES (1, 1, 'a', 1.00), (2, 2, 'b', 2.00);
TRUNCATE TABLE t_mod;
SELECT COUNT(*) FROM t_mod;
