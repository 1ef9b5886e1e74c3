# Statements whose tables are on several nodes run over copies of the rows they need.
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

-- group inner joins
SELECT m.id, u.name FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id;
SELECT * FROM t_mod m JOIN t_user u ON u.id = m.user_id;
SELECT * FROM t_mod, t_user WHERE t_user.id = t_mod.user_id AND t_mod.amount > 1;
SELECT m.*, u.name FROM t_mod m INNER JOIN t_user u ON u.id = m.user_id AND u.city = 1 WHERE m.amount < 50 ORDER BY m.id DESC;
SELECT m.id FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE u.name = 'ANN';
SELECT u.name, c.title, r.rate FROM t_user u JOIN s_city c ON c.id = u.city JOIN s_rate r ON r.city = c.id ORDER BY u.id;
SELECT c.id, c.title, r.rate FROM s_city c JOIN s_rate r ON r.city = c.id ORDER BY c.id;
SELECT c.title, r.rate FROM s_city c, s_rate r WHERE c.id = r.city AND r.rate > 1;
SELECT a.id, b.id FROM t_mod a JOIN t_mod b ON a.user_id = b.user_id AND a.id < b.id;
SELECT a.code, b.code FROM t_hash a, t_hash b WHERE b.parent = a.code ORDER BY a.code, b.code;
SELECT cases.t_mod.id, cases.t_user.name FROM cases.t_mod JOIN cases.t_user ON cases.t_user.id = cases.t_mod.user_id ORDER BY cases.t_mod.id;
SELECT * FROM t_mod CROSS JOIN s_city WHERE t_mod.id = 1;
SELECT t_mod.id FROM t_mod FORCE INDEX (PRIMARY) JOIN t_user USE INDEX (PRIMARY) ON t_user.id = t_mod.user_id WHERE t_mod.id IN (1, 2, 3) ORDER BY 1;
SELECT * FROM t_user JOIN s_rate USING (city);
SELECT name, rate FROM t_user NATURAL JOIN s_rate ORDER BY name;
SELECT COUNT(*) FROM t_mod m JOIN t_user u ON u.id = m.user_id;
SELECT COUNT(*) FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE m.id > 1000;
SELECT m.id FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE m.id > 1000;
SELECT STRAIGHT_JOIN m.id FROM t_user u JOIN t_mod m ON u.id = m.user_id ORDER BY m.id LIMIT 1, 2;

-- group outer joins
SELECT m.id, u.name FROM t_mod m LEFT JOIN t_user u ON u.id = m.user_id ORDER BY m.id;
SELECT m.id, u.name FROM t_mod m LEFT JOIN t_user u ON u.id = m.user_id AND u.city = 1 ORDER BY m.id;
SELECT m.id, u.name FROM t_mod m LEFT JOIN t_user u ON u.id = m.user_id AND m.amount > 10 ORDER BY m.id;
SELECT m.id, u.name FROM t_mod m LEFT JOIN t_user u ON u.id = m.user_id WHERE u.city = 1 ORDER BY m.id;
SELECT m.id, u.name FROM t_mod m LEFT JOIN t_user u ON u.id = m.user_id WHERE u.id IS NULL ORDER BY m.id;
SELECT m.id, u.name FROM t_mod m LEFT JOIN t_user u ON u.id = m.user_id WHERE m.amount > 5 ORDER BY m.id;
SELECT m.id, u.name FROM t_mod m RIGHT JOIN t_user u ON u.id = m.user_id ORDER BY u.id, m.id;
SELECT m.id, u.name FROM t_mod m RIGHT JOIN t_user u ON u.id = m.user_id AND m.amount > 10 WHERE u.id < 10 ORDER BY u.id, m.id;
SELECT u.id, m.id, c.title FROM t_user u LEFT JOIN (t_mod m JOIN s_city c ON c.id = m.id AND m.amount > 7) ON m.user_id = u.id ORDER BY u.id, m.id;
SELECT u.id, c.title, r.rate FROM t_user u LEFT JOIN s_city c ON c.id = u.city LEFT JOIN s_rate r ON r.city = c.id AND r.rate > 1 ORDER BY u.id;
SELECT CAST(u.id AS CHAR) AS id, COALESCE(SUM(m.amount), 0) AS total FROM t_user u LEFT JOIN t_mod m ON m.user_id = u.id GROUP BY u.id ORDER BY u.id;

-- group sub-queries
SELECT * FROM t_mod WHERE user_id IN (SELECT id FROM t_user WHERE city = 1) ORDER BY id;
SELECT * FROM t_mod WHERE user_id NOT IN (SELECT id FROM t_user) ORDER BY id;
SELECT id FROM t_user u WHERE EXISTS (SELECT 1 FROM t_mod m WHERE m.user_id = u.id) ORDER BY id;
SELECT id FROM t_user u WHERE NOT EXISTS (SELECT * FROM t_mod WHERE user_id = u.id AND amount > 1) ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM t_mod m WHERE m.user_id = u.id) AS orders FROM t_user u ORDER BY id;
SELECT id, (SELECT MAX(amount) FROM t_mod WHERE user_id = t_user.id AND amount < 15) FROM t_user ORDER BY id;
SELECT id, (SELECT MAX(amount) FROM t_mod WHERE user_id = t_user.id AND amount < 25) FROM t_user ORDER BY id;
SELECT * FROM t_mod WHERE amount = (SELECT MAX(amount) FROM t_mod);
SELECT id FROM t_mod WHERE amount > ALL (SELECT amount FROM t_mod WHERE user_id = 3) ORDER BY id;
SELECT id FROM t_mod WHERE (user_id, amount) IN (SELECT user_id, MAX(amount) FROM t_mod GROUP BY user_id) ORDER BY id;
SELECT id FROM t_user WHERE city = (SELECT city FROM s_rate WHERE rate > 1) ORDER BY id;
SELECT id FROM t_user WHERE id = 1 AND city IN (SELECT city FROM s_rate);

-- group derived tables
SELECT COUNT(*) FROM (SELECT id, name FROM t_user WHERE city = 1) tmp_count;
SELECT COUNT(0) FROM (SELECT m.id FROM t_mod m LEFT JOIN t_user u ON u.id = m.user_id WHERE m.amount > 1 GROUP BY m.id) t;
SELECT x.city, x.n FROM (SELECT city, COUNT(*) AS n FROM t_user GROUP BY city) x WHERE x.n > 1;
SELECT u.name, x.total FROM t_user u JOIN (SELECT user_id, SUM(amount) AS total FROM t_mod GROUP BY user_id) x ON x.user_id = u.id ORDER BY u.id;
SELECT * FROM (SELECT id FROM t_mod ORDER BY id LIMIT 2) a JOIN (SELECT id FROM t_user ORDER BY id LIMIT 2) b ON a.id = b.id ORDER BY a.id;
SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM t_mod GROUP BY user_id) q;

-- group unions
SELECT id FROM t_mod UNION SELECT id FROM t_user ORDER BY id;
SELECT id FROM t_mod UNION ALL SELECT id FROM t_user ORDER BY id LIMIT 3, 4;
(SELECT id FROM t_mod ORDER BY id DESC LIMIT 2) UNION ALL (SELECT id FROM t_user ORDER BY id LIMIT 2);
SELECT id, 'm' AS kind FROM t_mod WHERE id < 3 UNION SELECT id, 'u' FROM t_user WHERE id < 3 ORDER BY id, kind;
SELECT id FROM t_mod WHERE id = 1 UNION SELECT 77;
SELECT id FROM t_user INTERSECT SELECT id FROM t_mod ORDER BY id;
SELECT id FROM t_user EXCEPT SELECT id FROM t_mod ORDER BY id;

-- group common tables
WITH big AS (SELECT * FROM t_mod WHERE amount > 5) SELECT b.id, u.name FROM big b LEFT JOIN t_user u ON u.id = b.user_id ORDER BY b.id;
WITH RECURSIVE tree AS (SELECT code, 0 AS depth FROM t_hash WHERE parent IS NULL UNION ALL SELECT h.code, t.depth + 1 FROM t_hash h JOIN tree t ON h.parent = t.code) SELECT code, depth FROM tree ORDER BY depth, code;

-- group windows
SELECT id, ROW_NUMBER() OVER (ORDER BY amount DESC, id) AS place FROM t_mod ORDER BY place;
SELECT id, SUM(amount) OVER (PARTITION BY user_id ORDER BY id) AS running FROM t_mod ORDER BY id;
SELECT id, LAG(amount) OVER w AS before_it, RANK() OVER w AS ranked FROM t_mod WINDOW w AS (ORDER BY amount) ORDER BY id;

-- group grouping
SELECT user_id, SUM(amount) FROM t_mod GROUP BY user_id WITH ROLLUP;
SELECT city, COUNT(*) FROM t_user GROUP BY city HAVING COUNT(*) > 1 AND MAX(score) > 0;
SELECT user_id, GROUP_CONCAT(note ORDER BY id DESC SEPARATOR '|') AS notes FROM t_mod GROUP BY user_id ORDER BY user_id;
SELECT STDDEV(amount), VARIANCE(amount), STDDEV_SAMP(amount), VAR_SAMP(amount) FROM t_mod;
SELECT COUNT(DISTINCT user_id, day), SUM(DISTINCT amount), COUNT(DISTINCT note) FROM t_mod;
SELECT JSON_ARRAYAGG(id) FROM t_user WHERE id = 15 HAVING COUNT(*) > 0;
SELECT JSON_LENGTH(JSON_ARRAYAGG(m.id)) FROM t_mod m JOIN t_user u ON u.id = m.user_id;
SELECT SUM(amount) / COUNT(*) + 1 AS x, MAX(amount) - MIN(amount) FROM t_mod;
SELECT user_id, SUM(amount) * 2 AS twice FROM t_mod GROUP BY user_id ORDER BY SUM(amount) + COUNT(*) DESC;
SELECT u.city, COUNT(DISTINCT m.id), GROUP_CONCAT(DISTINCT u.name ORDER BY u.name) FROM t_user u LEFT JOIN t_mod m ON m.user_id = u.id GROUP BY u.city ORDER BY u.city;

-- group parameters
-- params 1, 5
SELECT m.id, u.name FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE u.city = ? AND m.amount > ? ORDER BY m.id;
-- params 'x', 'ann'
SELECT m.id, ? AS asked FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE u.name = ? ORDER BY m.id;
-- params 'ann', 'ann', 2
SELECT m.id, ? AS asked FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE u.name = ? ORDER BY m.id LIMIT ?;
-- params NULL
SELECT m.id FROM t_mod m JOIN t_user u ON u.id = m.user_id WHERE u.city <=> ?;
-- params 2
SELECT c.title, r.rate + ? FROM s_city c JOIN s_rate r ON r.city = c.id WHERE c.id < 9 ORDER BY c.id;

-- group errors
-- error 1054
SELECT m.nothing FROM t_mod m JOIN t_user u ON u.id = m.user_id;
-- error 1052
SELECT id FROM t_mod m JOIN t_user u ON u.id = m.user_id;
-- error 1146
SELECT * FROM t_mod m JOIN nothing n ON n.id = m.id;
-- error 1242
SELECT (SELECT id FROM t_user) FROM t_mod;
-- error 1222
SELECT id FROM t_mod UNION SELECT id, name FROM t_user;
SELECT m.id + CONCAT(u.name, '1') AS x FROM t_mod m JOIN t_user u ON u.id = m.user_id ORDER BY m.id;

-- group refused
-- unsupported
SELECT m.id INTO @x FROM t_mod m JOIN t_user u ON u.id = m.user_id LIMIT 1;
-- unsupported
SELECT @n := m.id FROM t_mod m JOIN t_user u ON u.id = m.user_id;
-- unsupported
SELECT DEFAULT(m.note) FROM t_mod m JOIN t_user u ON u.id = m.user_id;

-- group types
DROP TABLE IF EXISTS s_types;
-- subject
SET DEFAULT SINGLE TABLE STORAGE UNIT = ds_1;
CREATE TABLE s_types (id INT NOT NULL PRIMARY KEY, i1 TINYINT, i2 SMALLINT UNSIGNED, i3 MEDIUMINT, i4 INT(6) UNSIGNED ZEROFILL, i8 BIGINT UNSIGNED, de DECIMAL(30,10), fl FLOAT, fl2 FLOAT(7,2), db DOUBLE, db2 DOUBLE(12,3), bi BIT(10), ye YEAR, da DATE, dt DATETIME(6), ti TIME(3), ts TIMESTAMP NULL, ts6 TIMESTAMP(6) NULL, ch CHAR(5), vc VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_german1_ci, tx TEXT COLLATE utf8mb4_bin, bn BINARY(4), vb VARBINARY(20), bl BLOB, en ENUM('one','two','it''s','ä'), se SET('x','y','z'), js JSON, pt POINT, ge INT GENERATED ALWAYS AS (id * 2) VIRTUAL, b BOOLEAN NOT NULL DEFAULT 1);
-- subject
SET DEFAULT SINGLE TABLE STORAGE UNIT = ds_0;
SET sql_mode = '';
INSERT INTO s_types (id, i1, i2, i3, i4, i8, de, fl, fl2, db, db2, bi, ye, da, dt, ti, ts, ts6, ch, vc, tx, bn, vb, bl, en, se, js, pt) VALUES (1, -128, 65535, -8388608, 42, 18446744073709551615, -12345678901234567890.0123456789, 1.1, 123.45, 0.1, 1.5, b'1000000001', 1999, '2024-02-29', '2024-02-29 12:34:56.123456', '-838:59:59.000', '2024-10-27 00:30:00', '2024-10-27 01:30:00.5', 'ab  ', 'Ärger', 'Zeile 1\nZeile 2 \\ ''q'' 😀', 'a', 'b\0c', x'00FF27225C0A', 'it''s', 'x,z', '{"a": [1, 2.5, "é"]}', ST_GeomFromText('POINT(1 2)'));
INSERT INTO s_types (id, i1, i2, i3, i4, i8, de, fl, fl2, db, db2, bi, ye, da, dt, ti, ts, ts6, ch, vc, tx, bn, vb, bl, en, se, js, pt) VALUES (2, 0, 0, 0, 0, 0, 0, 16777217.5, -0.01, -1.7976931348623157e308, -0.001, 0, 0, '0000-00-00', '0000-00-00 00:00:00', '00:00:00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', '', '', '', '', '', '', 'ä', '', 'null', NULL), (3, 127, 1, 1, 999999, 1, 1, 3.4e38, 1, 5e-324, 1, b'1', 2155, '2024-00-00', '2024-01-00 00:00:00', '1:2:3', '2038-01-19 03:14:07', '1970-01-01 00:00:01', 'ß', 'ß', 'ß', 'ab', 'ab', 'ab', 'two', 'x,y,z', '[]', NULL);
INSERT INTO s_types (id) VALUES (4);
SELECT t.* FROM s_types t JOIN t_mod m ON m.id = t.id ORDER BY t.id;
SELECT t.* FROM s_types t LEFT JOIN s_types o ON o.id = t.id + 1 LEFT JOIN t_user u ON u.id = t.id WHERE o.id IS NULL OR u.name = 'Ann' ORDER BY t.id;
SELECT fl * 3, db / 3, fl2 + 1, db2 * 10 FROM s_types t JOIN t_mod m ON m.id = t.id ORDER BY t.id;
SELECT en + 0, se + 0, bi + 0, HEX(bl), HEX(tx), HEX(vc), ts, UNIX_TIMESTAMP(ts6) FROM s_types t JOIN t_mod m ON m.id = t.id ORDER BY t.id;
SELECT t.id FROM s_types t JOIN t_mod m ON m.id = t.id WHERE da = '0000-00-00' OR vc = 'arger' OR en = 'IT''S' ORDER BY t.id;
SET time_zone = '+05:30';
SELECT ts, ts6 FROM s_types t JOIN t_mod m ON m.id = t.id WHERE ts < '2024-10-27 06:00:00' ORDER BY t.id;
SET time_zone = DEFAULT;
SET sql_mode = DEFAULT;
DROP TABLE s_types;

-- group keys
CREATE TABLE s_dup (a INT NOT NULL, b VARCHAR(2000) NOT NULL, c TEXT, PRIMARY KEY (a), UNIQUE KEY (b(100)));
INSERT INTO s_dup VALUES (0, 'x', 'one'), (-1, 'y', NULL), (5, 'z', 'two');
SELECT * FROM s_dup d JOIN t_mod m ON m.id = d.a;
SELECT d.a, COUNT(*) FROM s_dup d LEFT JOIN t_mod m ON m.id = d.a GROUP BY d.a;
DROP TABLE s_dup;
CREATE TABLE s_zero (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, v INT INVISIBLE DEFAULT 3);
SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';
INSERT INTO s_zero (id) VALUES (0), (1);
SET sql_mode = DEFAULT;
SELECT * FROM s_zero z JOIN t_mod m ON m.id >= z.id WHERE m.id = 1 ORDER BY z.id;
SELECT z.*, z.v FROM s_zero z JOIN t_mod m ON m.id >= z.id WHERE m.id = 1 ORDER BY z.id;
SELECT COUNT(*) FROM (SELECT 1 FROM s_zero UNION ALL SELECT 2 FROM t_mod) q;
DROP TABLE s_zero;

-- group end
DROP TABLE s_city;
DROP TABLE s_rate;
DROP TABLE t_user;
DROP TABLE t_hash;
