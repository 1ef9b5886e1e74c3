# Statements prepared by text, user variables, and what is asked about the last statement.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT, s VARCHAR(10));
-- tables t_mod
INSERT INTO t_mod VALUES (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three'), (4, 40, NULL), (5, 50, 'five');

-- group prepared by text
SET @id = 3, @low = 2, @high = 4, @s = 'two';
PREPARE one FROM 'SELECT id, a FROM t_mod WHERE id = ?';
EXECUTE one USING @id;
EXECUTE one USING @low;
SET @text = 'SELECT id, s FROM t_mod WHERE id BETWEEN ? AND ? ORDER BY id DESC';
PREPARE several FROM @text;
EXECUTE several USING @low, @high;
PREPARE change_it FROM 'UPDATE t_mod SET a = a + ? WHERE id >= ?';
EXECUTE change_it USING @high, @id;
PREPARE add_it FROM 'INSERT INTO t_mod VALUES (?, ?, ?), (?, 0, NULL)';
SET @n = 6, @m = 7;
EXECUTE add_it USING @n, @id, @s, @m;
SELECT id, a, s FROM t_mod ORDER BY id;
-- error 1210
EXECUTE one;
DEALLOCATE PREPARE one;
-- error 1243
EXECUTE one USING @id;
-- error 1243
DEALLOCATE PREPARE one;
-- error 1064
PREPARE broken FROM 'SELEC 1';

-- group user variables
SELECT id, a FROM t_mod WHERE id = @id;
SELECT id FROM t_mod WHERE id IN (@low, @high) ORDER BY id;
-- mariadb
SELECT id FROM t_mod WHERE s = @s ORDER BY id;
SELECT id, @id FROM t_mod WHERE a > @high * 10 ORDER BY id;
SELECT COUNT(*) FROM t_mod WHERE id > @low;
UPDATE t_mod SET a = @id WHERE id = @low;
DELETE FROM t_mod WHERE id = @m;
SELECT id FROM t_mod WHERE id = @never_set;
DO 1 + 1, SLEEP(0);
DO @id;

-- group asked about the last statement
UPDATE t_mod SET a = 0 WHERE id IN (1, 2, 3);
SELECT ROW_COUNT();
SELECT id FROM t_mod;
SELECT FOUND_ROWS();
DELETE FROM t_mod WHERE id IN (4, 5);
SELECT ROW_COUNT();
SELECT s + 0 FROM t_mod WHERE id IN (1, 2) ORDER BY id;
SHOW COUNT(*) WARNINGS;
INSERT IGNORE INTO t_mod VALUES (1, 1, 'x'), (2, 2, 'y'), (9, 9, 'z');
SELECT ROW_COUNT();

-- group procedures
-- mariadb
CREATE PROCEDURE p_of_unit(IN n INT) SELECT n + 1 AS next;
-- mariadb
CALL p_of_unit(41);
-- error 1305
CALL p_missing();
-- mariadb
DROP PROCEDURE p_of_unit;
