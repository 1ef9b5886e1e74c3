# An unsigned sharding column, ten actual tables.
-- group set-up
DROP TABLE IF EXISTS t_user;
CREATE TABLE t_user (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(30) NOT NULL DEFAULT '', points INT UNSIGNED, level TINYINT, born DATE);
-- tables t_user
INSERT INTO t_user VALUES (1, 'ann', 5, 1, '1990-01-01'), (2, 'bob', 0, -1, '1991-02-02'), (11, 'cid', NULL, NULL, NULL), (18446744073709551615, 'max', 4294967295, 127, '9999-12-31'), (9223372036854775808, 'half', 7, -128, '1000-01-01'), (13, 'Dan', 5, 2, '1990-01-01'), (23, 'eve', 6, 2, '2000-02-29');

-- group values
SELECT * FROM t_user WHERE id = 1;
SELECT * FROM t_user WHERE id = 18446744073709551615;
SELECT * FROM t_user WHERE id = 9223372036854775808;
SELECT * FROM t_user WHERE id = -1;
SELECT * FROM t_user WHERE id > 9223372036854775807;
SELECT * FROM t_user WHERE id IN (1, 11, 18446744073709551615, -5);
SELECT * FROM t_user WHERE id BETWEEN 10 AND 20;
SELECT * FROM t_user WHERE id = '18446744073709551615';
SELECT id, points, level FROM t_user WHERE id < 3;
SELECT id FROM t_user ORDER BY id;
SELECT id FROM t_user ORDER BY id DESC;
SELECT points, id FROM t_user ORDER BY points DESC, id;
SELECT level, id FROM t_user ORDER BY level, id;
SELECT born, id FROM t_user ORDER BY born DESC, id LIMIT 4;
SELECT MIN(id), MAX(id), COUNT(*) FROM t_user;
SELECT SUM(points), AVG(points), MAX(points) FROM t_user;
SELECT SUM(id) FROM t_user;
SELECT SUM(level), MIN(level) FROM t_user;
SELECT MIN(born), MAX(born), COUNT(DISTINCT born) FROM t_user WHERE id = 1;
SELECT born, COUNT(*) FROM t_user GROUP BY born ORDER BY born;

-- group writes
UPDATE t_user SET points = points + 1 WHERE id = 18446744073709551615 - 1;
UPDATE t_user SET points = 8 WHERE id = 9223372036854775808;
UPDATE t_user SET name = CONCAT(name, '!') WHERE id IN (1, 2);
-- error 1062
INSERT INTO t_user (id) VALUES (18446744073709551615);
INSERT INTO t_user (id) VALUES (100), (101), (102), (103), (104), (105), (106), (107), (108), (109);
-- error 1264
INSERT INTO t_user (id) VALUES (-1);
-- error 1264
INSERT INTO t_user (id, level) VALUES (200, 1000);
DELETE FROM t_user WHERE id BETWEEN 103 AND 106;
