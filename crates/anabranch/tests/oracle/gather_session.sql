# Gathered statements and the session: its transaction, its variables, its character set.
-- group set-up
DROP TABLE IF EXISTS t_mod;
DROP TABLE IF EXISTS t_user;
DROP TABLE IF EXISTS t_hash;
DROP TABLE IF EXISTS s_city;
DROP TABLE IF EXISTS s_rate;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, user_id BIGINT UNSIGNED, amount DECIMAL(10,2), note VARCHAR(30), day DATE);
CREATE TABLE t_user (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(20) COLLATE utf8mb4_general_ci, city INT, score DOUBLE);
CREATE TABLE t_hash (code VARCHAR(10) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY, parent VARCHAR(10) COLLATE utf8mb4_bin, n INT);
CREATE TABLE s_city (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, title VARCHAR(20) NOT NULL);
-- subject
SET DEFAULT SINGLE TABLE STORAGE UNIT = ds_2;
CREATE TABLE s_rate (city INT NOT NULL, rate DECIMAL(4,2) NOT NULL, UNIQUE KEY (city));
-- subject
SET DEFAULT SINGLE TABLE STORAGE UNIT = ds_0;
-- tables t_mod
INSERT INTO t_mod VALUES (1, 1, 10.00, 'first', '2024-01-01'), (2, 1, 20.50, 'second', '2024-01-02'), (3, 2, 5.25, NULL, '2024-02-01'), (4, NULL, 7.00, 'nobody', NULL), (5, 9, 100.00, 'gone', '2024-02-03'), (6, 3, 0.01, 'it''s', '2024-03-01'), (7, 3, 0.02, 'back\\slash', '2024-03-02');
-- tables t_user
INSERT INTO t_user VALUES (1, 'Ann', 1, 1.5), (2, 'bob', 2, -2.25), (3, 'Cid', 1, 0.1), (4, 'dan', NULL, NULL), (15, 'ann', 3, 1e100);
-- tables t_hash
INSERT INTO t_hash VALUES ('root', NULL, 1), ('a', 'root', 2), ('b', 'root', 3), ('aa', 'a', 4), ('ab', 'a', 5), ('aaa', 'aa', 6);
-- tables s_city
INSERT INTO s_city VALUES (1, 'Ulm'), (2, 'Bonn'), (3, 'Köln');
-- tables s_rate
INSERT INTO s_rate VALUES (1, 1.10), (2, 0.90);

-- group common tables
-- mariadb
WITH s AS (SELECT user_id, SUM(amount) AS total FROM t_mod GROUP BY user_id) SELECT a.user_id FROM s a JOIN s b ON a.total < b.total GROUP BY a.user_id ORDER BY a.user_id;

-- group found rows
SELECT SQL_CALC_FOUND_ROWS m.id FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id LIMIT 1;
SELECT FOUND_ROWS() + 0e0 AS found;

-- group transactions
BEGIN;
UPDATE t_user SET city = 7 WHERE id = 2;
SELECT m.id, u.city FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id;
INSERT INTO t_mod VALUES (50, 15, 1, 'new', NULL);
SELECT m.id, u.name FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE m.id = 50;
SELECT m.id, u.name FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id FOR UPDATE;
SELECT m.id, u.name FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id LOCK IN SHARE MODE;
ROLLBACK;
SELECT m.id, u.city FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id;
SET @floor = 5;
SELECT m.id FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE m.amount > @floor ORDER BY m.id;
SELECT CONCAT(DATABASE(), '') LIKE 'cases', COUNT(*) FROM t_mod m JOIN t_user u ON u.id = m.user_id;
SET sql_select_limit = 1;
SELECT m.id FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id DESC;
SET sql_select_limit = DEFAULT;
SET autocommit = 0;
SELECT CAST(m.id AS CHAR) AS id FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id;
COMMIT;
SET autocommit = 1;

-- group letters
SET NAMES latin1;
SELECT u.name, c.title FROM t_user u JOIN s_city c ON c.id = u.city JOIN s_rate r ON r.city <> c.id ORDER BY u.id, r.rate;
SET NAMES utf8mb4;

-- group end
DROP TABLE s_city;
DROP TABLE s_rate;
DROP TABLE t_user;
DROP TABLE t_hash;
