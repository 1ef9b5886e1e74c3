# UPDATE and DELETE that choose rows over several nodes, or by rows of other nodes: the keys are read
# first, and the rows changed by key.
-- group set-up
DROP TABLE IF EXISTS t_mod;
DROP TABLE IF EXISTS t_user;
DROP TABLE IF EXISTS t_entry;
DROP TABLE IF EXISTS s_one;
DROP TABLE IF EXISTS j_order;
DROP TABLE IF EXISTS j_dict;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT, s VARCHAR(20), u INT, UNIQUE KEY id_u (id, u));
CREATE TABLE t_user (id BIGINT UNSIGNED NOT NULL, name VARCHAR(20));
CREATE TABLE t_entry (owner BIGINT NOT NULL, no BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, code VARCHAR(10) NOT NULL, a INT, PRIMARY KEY (owner, code), KEY (no));
CREATE TABLE s_one (id INT NOT NULL PRIMARY KEY, a INT);
CREATE TABLE j_order (id BIGINT NOT NULL PRIMARY KEY, customer INT);
CREATE TABLE j_dict (sku INT NOT NULL PRIMARY KEY, name VARCHAR(20));
-- tables t_mod
INSERT INTO t_mod VALUES (1, 10, 'one', 1), (2, 20, 'two', 2), (3, 30, NULL, 3), (4, NULL, 'four', 4), (5, 50, 'five', 5), (6, 60, '', 6), (7, 10, 'one', 7), (8, 20, 'it''s', 8);
-- tables t_user
INSERT INTO t_user VALUES (1, 'a'), (2, 'b');
-- tables t_entry
INSERT INTO t_entry (owner, code, a) VALUES (1, 'x', 1), (1, 'it''s', 2), (2, 'x', 3), (3, 'Y\\', 4), (4, 'z', 5);
-- tables s_one
INSERT INTO s_one VALUES (3, 1), (4, 2), (70, 3);
-- tables j_order
INSERT INTO j_order VALUES (1, 2), (2, 5), (3, 9);
-- tables j_dict
INSERT INTO j_dict VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, NULL);

-- group order and limit
-- tables t_mod, t_entry
UPDATE t_mod SET a = 1 ORDER BY id LIMIT 3;
UPDATE t_mod SET a = a + 1, s = CONCAT(s, '!') WHERE id > 2 ORDER BY a DESC, id LIMIT 4;
UPDATE t_mod m SET m.s = 'm' WHERE m.a IS NULL OR m.a < 3 ORDER BY m.s DESC, m.id LIMIT 2;
UPDATE t_mod SET a = 1 WHERE id < 0 ORDER BY id LIMIT 3;
UPDATE t_mod SET a = 5 WHERE id > 4 LIMIT 100;
UPDATE t_entry SET a = a * 10 ORDER BY a DESC LIMIT 3;
DELETE FROM t_entry WHERE a < 100 ORDER BY code DESC, owner LIMIT 2;
DELETE FROM t_mod ORDER BY id DESC LIMIT 1;
DELETE FROM t_mod WHERE s IS NOT NULL ORDER BY a, id DESC LIMIT 2;
DELETE FROM t_mod WHERE id = 1 ORDER BY id LIMIT 1;

-- group parameters
-- params 9, 1, 2
UPDATE t_mod SET a = ? WHERE id > ? ORDER BY id LIMIT ?;
-- params 3, 1
DELETE FROM t_mod WHERE id > ? ORDER BY id LIMIT ?;

-- group rows of other nodes
-- tables t_mod, t_entry
INSERT INTO t_mod VALUES (11, 1, 'a', 1), (12, 2, 'b', 2), (13, 3, 'c', 3), (14, 9, 'd', 4);
UPDATE t_mod SET s = 'ordered' WHERE a IN (SELECT customer FROM j_order);
UPDATE t_mod SET s = 'max' WHERE a = (SELECT MAX(customer) FROM j_order);
UPDATE t_mod SET a = 77 WHERE EXISTS (SELECT 1 FROM s_one WHERE s_one.id = t_mod.a);
DELETE FROM t_mod WHERE a NOT IN (SELECT customer FROM j_order) AND id > 10;
DELETE FROM t_entry WHERE owner IN (SELECT customer FROM j_order WHERE id < 3);

-- group tables in every unit
-- tables j_dict
UPDATE j_dict SET name = 'z' ORDER BY sku DESC LIMIT 2;
DELETE FROM j_dict ORDER BY sku LIMIT 1;
DELETE FROM j_dict WHERE sku IN (SELECT customer FROM j_order);
SELECT COUNT(*) FROM j_dict;

-- group transactions
-- tables t_mod
BEGIN;
UPDATE t_mod SET a = 1000 + id ORDER BY id LIMIT 2;
DELETE FROM t_mod ORDER BY id DESC LIMIT 1;
SELECT * FROM t_mod ORDER BY id;
ROLLBACK;
SELECT * FROM t_mod ORDER BY id;

-- group refused
-- unsupported 20036
UPDATE t_mod SET u = u + 1 ORDER BY id LIMIT 2;
-- unsupported 20036
DELETE FROM t_user ORDER BY id LIMIT 1;
-- unsupported
UPDATE t_mod SET a = (SELECT MAX(customer) FROM j_order);
-- unsupported 20036
DELETE FROM t_mod ORDER BY 1 LIMIT 1;
-- unsupported
UPDATE t_mod m JOIN j_order o ON o.customer = m.a SET m.s = 'x';

-- group tidy
DROP TABLE t_mod;
DROP TABLE t_user;
DROP TABLE t_entry;
DROP TABLE s_one;
DROP TABLE j_order;
DROP TABLE j_dict;
