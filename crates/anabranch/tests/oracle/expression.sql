# Statements without a table, variables and warnings.
-- group values
SELECT 1;
SELECT 1 + 1 AS two, 'x', NULL, TRUE;
SELECT -1, 1.50, 1e3, 0x41, b'1', X'4D';
SELECT 18446744073709551615, -9223372036854775808;
SELECT 'it''s', "double", 'tab\tnew\nline', N'é';
SELECT DATE '2024-02-29', TIME '10:11:12', TIMESTAMP '2024-02-29 10:11:12';
SELECT CONCAT('a', 1, 2.5), UPPER('é'), LENGTH('é'), CHAR_LENGTH('é');
SELECT IF(1, 'yes', 'no'), IFNULL(NULL, 2), COALESCE(NULL, NULL, 3), NULLIF(1, 1);
SELECT CAST('12' AS SIGNED), CAST(1.5 AS DECIMAL(4,2)), CAST(1 AS CHAR);
SELECT 1 = 1, 1 <=> NULL, 'a' LIKE 'A', 5 BETWEEN 1 AND 10, 3 IN (1, 2);
SELECT 7 DIV 2, 7 % 2, 7 / 2, 2 ^ 3, 1 << 4, ~0;
SELECT DATE_ADD('2024-01-31', INTERVAL 1 MONTH), DATEDIFF('2024-03-01', '2024-02-01');
SELECT CASE 2 WHEN 1 THEN 'one' WHEN 2 THEN 'two' END;
SELECT 1 FROM DUAL;
SELECT 1 FROM DUAL WHERE 1 = 0;
SELECT 1 UNION SELECT 2 ORDER BY 1;
SELECT * FROM (SELECT 1 AS a UNION ALL SELECT 2) x ORDER BY a;
-- mariadb
VALUES (1, 2), (3, 4);
SELECT 1 LIMIT 0;
SELECT ROUND(1.005, 2), ROUND(-1.5), TRUNCATE(1.999, 1), FORMAT(1234.5, 2);
-- mariadb
SELECT MD5('a'), CRC32('a'), HEX('abc'), INET_ATON('10.0.0.1');
DO 1;
DO SLEEP(0);

-- group variables
SET @a = 5;
SELECT @a, @a + 1, @nothing;
SET @a = 1, @b = 'x';
SELECT @a, @b;
SELECT @c := 3;
SELECT @c;
SELECT @@sql_mode;
SET SESSION sql_mode = 'ANSI_QUOTES';
-- error 1054
SELECT "not a column";
SET SESSION sql_mode = DEFAULT;
SELECT "a text";
SET time_zone = '+02:00';
SELECT FROM_UNIXTIME(0), @@time_zone;
SET time_zone = DEFAULT;
SET NAMES utf8mb4;
SELECT @@character_set_client, @@collation_connection;
SET NAMES latin1;
SELECT @@character_set_client, @@character_set_results;
SET NAMES utf8mb4 COLLATE utf8mb4_bin;
SELECT 'a' = 'A', @@collation_connection;
SET NAMES utf8mb4;
-- mariadb
SELECT @@tx_isolation;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
-- mariadb
SELECT @@tx_isolation;
SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ;
-- error 1193
SET no_such_variable = 1;
-- error 1193
SELECT @@no_such_variable;
-- error 1231
SET sql_mode = 'NO_SUCH_MODE';

-- group errors
-- error 1064
SELEC 1;
-- mariadb
/* nothing */;
-- error 1054
SELECT nothing;
-- error 1305
SELECT no_such_database.no_such_function();
-- error 1690
SELECT 18446744073709551615 + 1;

-- group warnings
SELECT 1 / 0;
SELECT CAST('1x' AS SIGNED);
SHOW WARNINGS;
SELECT CAST('1x' AS SIGNED);
SHOW COUNT(*) WARNINGS;
# MariaDB keeps the list over statements without tables, MySQL does not.
CREATE TABLE w (id INT);
SHOW WARNINGS;
DROP TABLE w;
