# A text as the sharding column (HASH_MOD): equality follows the column's collation.
-- group set-up
DROP TABLE IF EXISTS t_hash;
CREATE TABLE t_hash (code VARCHAR(20) NOT NULL PRIMARY KEY, n INT);
-- tables t_hash
INSERT INTO t_hash VALUES ('', 0), ('a', 1), ('B', 2), ('abc', 3), ('é', 4), ('10', 5), ('9', 6), ('x y', 7), ('it''s', 8), ('ß', 9), ('日本', 10), ('-5', 11), ('Z', 12);

-- group equality
SELECT * FROM t_hash WHERE code = 'a';
SELECT * FROM t_hash WHERE code = 'A';
SELECT * FROM t_hash WHERE code = 'a ';
SELECT * FROM t_hash WHERE code = 'e';
SELECT * FROM t_hash WHERE code = 'b';
SELECT * FROM t_hash WHERE code = '';
SELECT * FROM t_hash WHERE code = '10';
SELECT * FROM t_hash WHERE code = 10;
SELECT * FROM t_hash WHERE code = 9.0;
SELECT * FROM t_hash WHERE code = -5;
SELECT * FROM t_hash WHERE code = 'it''s';
SELECT * FROM t_hash WHERE code = "it's";
SELECT * FROM t_hash WHERE code = 'it\'s';
SELECT * FROM t_hash WHERE code = '日本';
SELECT * FROM t_hash WHERE code = _utf8mb4'abc';
SELECT * FROM t_hash WHERE code = N'abc';
SELECT * FROM t_hash WHERE code = 'ab' 'c';
SELECT * FROM t_hash WHERE code = 0x616263;
SELECT * FROM t_hash WHERE code IN ('a', 'b', 'nothing');
SELECT * FROM t_hash WHERE code IN ('10', '9');
SELECT * FROM t_hash WHERE code BETWEEN 'a' AND 'c';
SELECT * FROM t_hash WHERE code > 'x';
SELECT * FROM t_hash WHERE code LIKE 'a%';
SELECT * FROM t_hash WHERE BINARY code = 'a';
SELECT * FROM t_hash WHERE code COLLATE utf8mb4_bin = 'A';
SELECT * FROM t_hash WHERE code = 'a' AND n = 1;
SELECT * FROM t_hash WHERE code = 'a' OR n = 7;
-- params 'abc'
SELECT * FROM t_hash WHERE code = ?;
-- params 'ABC'
SELECT * FROM t_hash WHERE code = ?;
-- params 10
SELECT * FROM t_hash WHERE code = ?;

-- group order by collation
SELECT code FROM t_hash ORDER BY code;
SELECT code FROM t_hash ORDER BY code DESC;
SELECT code FROM t_hash ORDER BY code LIMIT 3, 4;
-- mariadb
SELECT code, n FROM t_hash ORDER BY BINARY code;
SELECT code FROM t_hash ORDER BY LENGTH(code), n;
SELECT MIN(n), MAX(n), COUNT(code) FROM t_hash;
SELECT MIN(code), MAX(code) FROM t_hash;

-- group writes
UPDATE t_hash SET n = n + 100 WHERE code = 'A';
UPDATE t_hash SET n = -1 WHERE code IN ('10', '9');
-- error 1062
INSERT INTO t_hash VALUES ('10', 99);
INSERT INTO t_hash VALUES ('new', 20), ('newer', 21);
DELETE FROM t_hash WHERE code = 'NEW';
DELETE FROM t_hash WHERE code = '10';
