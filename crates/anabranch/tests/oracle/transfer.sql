# INSERT .. SELECT whose rows move between nodes: they are read first, and inserted by values.
-- group set-up
DROP TABLE IF EXISTS t_mod;
DROP TABLE IF EXISTS t_user;
DROP TABLE IF EXISTS t_count;
DROP TABLE IF EXISTS t_entry;
DROP TABLE IF EXISTS s_one;
DROP TABLE IF EXISTS j_order;
DROP TABLE IF EXISTS j_note;
DROP TABLE IF EXISTS j_dict;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT, s VARCHAR(20), UNIQUE KEY id_a (id, a));
CREATE TABLE t_user (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(20), d DECIMAL(10,3), f DOUBLE, at DATETIME(3), day DATE, t TIME, b VARBINARY(10), bits BIT(5), y YEAR);
CREATE TABLE t_count (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(20));
CREATE TABLE t_entry (owner BIGINT NOT NULL, no BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, a INT, PRIMARY KEY (owner, no), KEY (no));
CREATE TABLE s_one (id INT NOT NULL PRIMARY KEY, a INT, s VARCHAR(20));
CREATE TABLE j_order (id BIGINT NOT NULL PRIMARY KEY, customer INT);
CREATE TABLE j_note (id BIGINT NOT NULL PRIMARY KEY, customer INT);
CREATE TABLE j_dict (sku INT NOT NULL PRIMARY KEY, name VARCHAR(20));
-- tables t_mod
INSERT INTO t_mod VALUES (1, 10, 'one'), (2, 20, 'it''s'), (3, 30, NULL), (4, NULL, 'back\\slash'), (5, 50, 'ß€'), (6, 60, '');
-- tables t_user
INSERT INTO t_user VALUES (1, 'a', 1.5, 0.1, '2024-02-29 10:11:12.123', '2024-02-29', '-10:00:00', 'by\0te', 5, 2024), (13, NULL, -2.125, -1e300, NULL, NULL, '838:59:59', NULL, NULL, 1999);
-- tables j_order
INSERT INTO j_order VALUES (1, 5), (2, 4), (3, 9);

-- group other nodes
-- tables t_mod, t_user, s_one
INSERT INTO t_mod SELECT id + 100, a, s FROM t_mod;
INSERT INTO t_mod (s, id) SELECT name, id + 300 FROM t_user;
INSERT INTO t_user SELECT id + 20, name, d, f, at, day, t, b, bits, y FROM t_user;
INSERT INTO s_one SELECT id, a, s FROM t_mod WHERE id < 100;
INSERT INTO t_mod SELECT id + 500, a, s FROM s_one;
INSERT INTO t_mod (id, a) SELECT a + 1000, COUNT(*) FROM t_mod WHERE a IS NOT NULL GROUP BY a;
INSERT INTO t_mod (id, a) SELECT 2000, MAX(a) FROM t_mod;
INSERT INTO t_mod (id, a) SELECT 2001 + 1, 7 FROM t_mod WHERE id = 1;
INSERT INTO t_mod (id) SELECT id + 3000 FROM t_mod ORDER BY id LIMIT 3;
INSERT INTO t_mod (id, a) SELECT id + 4000, a FROM t_mod WHERE id < 0;
INSERT INTO t_mod SELECT id + 5000, a, s FROM t_mod WHERE id = 2;
DELETE FROM t_mod WHERE id > 200;

-- group joins, sub-queries and unions
INSERT INTO t_mod SELECT m.id + 200, o.customer, m.s FROM t_mod m JOIN j_order o ON o.customer = m.id;
INSERT INTO t_mod (id, a) SELECT id + 300, a FROM t_mod WHERE a > (SELECT AVG(a) FROM t_mod);
INSERT INTO t_mod (id, a) SELECT id + 6000, a FROM s_one UNION SELECT id + 7000, a FROM t_mod WHERE id < 5;
INSERT INTO t_mod (id, a) WITH c AS (SELECT MAX(id) AS top FROM t_mod) SELECT top + 1, 1 FROM c;
INSERT INTO j_note SELECT customer, id FROM j_order;
DELETE FROM t_mod WHERE id > 200;

-- group keys that are there
-- error 1062
INSERT INTO t_mod SELECT id + 100, a, s FROM t_mod;
-- error 1062
INSERT INTO t_mod SELECT IF(id = 5, 1, id + 800), a, s FROM t_mod;
INSERT IGNORE INTO t_mod SELECT id + 99, 1, 'i' FROM t_mod WHERE id < 100;
REPLACE INTO t_mod SELECT id + 98, 2, 'r' FROM t_mod WHERE id < 100;
INSERT INTO t_mod (id, a) SELECT id + 1, 3 FROM t_mod WHERE id < 100 ON DUPLICATE KEY UPDATE a = VALUES(a), s = 'd';
-- unsupported
INSERT INTO t_mod SELECT id + 1, 4, s FROM t_mod WHERE id < 3 ON DUPLICATE KEY UPDATE t_mod.a = t_mod.a + 1;

-- group generated numbers
-- tables t_count, t_entry
INSERT INTO t_count (a, s) SELECT a, s FROM t_mod WHERE id < 100 ORDER BY id;
SELECT LAST_INSERT_ID();
# A server leaves numbers out behind such an INSERT: it reserves them in blocks that double.
TRUNCATE TABLE t_count;
REPLACE INTO t_count (a) SELECT a FROM t_mod WHERE id < 4 ORDER BY id DESC;
SELECT LAST_INSERT_ID();
INSERT INTO t_count SELECT id + 100, a, s FROM t_count;
SELECT LAST_INSERT_ID();
INSERT INTO t_count (a) VALUES (1);
SELECT LAST_INSERT_ID();
INSERT INTO t_entry (owner, a) SELECT id, a FROM t_mod WHERE id < 100 ORDER BY id;
SELECT LAST_INSERT_ID();

-- group tables in every unit
-- tables j_dict
INSERT INTO j_dict SELECT id, s FROM t_mod WHERE id < 5;
INSERT INTO j_dict SELECT id + 10, s FROM s_one;
INSERT INTO j_dict SELECT sku, 'again' FROM j_dict ON DUPLICATE KEY UPDATE name = VALUES(name);
SELECT COUNT(*) FROM j_dict;

-- group parameters
-- tables t_mod
-- params 600, 3
INSERT INTO t_mod (id, a) SELECT id + ?, 1 FROM t_mod WHERE id < ?;
-- params 700, 'it''s'
INSERT INTO t_mod (id, s) SELECT id + ?, ? FROM s_one;

-- group transactions
BEGIN;
INSERT INTO t_mod (id, a) VALUES (9001, 1), (9002, 2);
INSERT INTO t_mod (id, a) SELECT id + 1000, a FROM t_mod WHERE id > 9000;
-- error 1062
INSERT INTO t_mod (id, a) SELECT IF(id = 9002, 1, id + 2000), a FROM t_mod WHERE id > 9000 AND id < 9003;
SELECT * FROM t_mod WHERE id > 9000 ORDER BY id;
COMMIT;
BEGIN;
INSERT INTO t_mod (id, a) SELECT id + 3000, a FROM t_mod WHERE id > 9000 AND id < 9003;
ROLLBACK;
SELECT COUNT(*) FROM t_mod;

-- group refused
-- error 1136
INSERT INTO t_mod (id, a) SELECT id + 20000 FROM t_mod;
-- error 1136
INSERT INTO t_mod (id, a) SELECT id + 20000 FROM t_mod WHERE id < 0;
-- unsupported 20020
INSERT INTO t_mod (a) SELECT a FROM t_mod;
-- unsupported
INSERT INTO t_mod (id, a) SELECT id + 20000, @x := a FROM t_mod;
-- unsupported
INSERT INTO t_mod (id, a) SELECT u.id, 1 FROM t_user u ON DUPLICATE KEY UPDATE s = u.name;
-- unsupported
INSERT INTO t_mod (id, a) SELECT id + 20000, CAST('7x' AS SIGNED) FROM t_mod;
SELECT COUNT(*) FROM t_mod WHERE id > 20000;

-- group tidy
DROP TABLE t_mod;
DROP TABLE t_user;
DROP TABLE t_count;
DROP TABLE t_entry;
DROP TABLE s_one;
DROP TABLE j_order;
DROP TABLE j_note;
DROP TABLE j_dict;
