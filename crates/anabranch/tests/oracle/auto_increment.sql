# AUTO_INCREMENT over all nodes: the numbers of one server, in the rows, the answers and
# LAST_INSERT_ID(). t_count is sharded by the counted column, t_entry by another one.
-- group set-up
DROP TABLE IF EXISTS t_count, t_entry;
CREATE TABLE t_count (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT DEFAULT 7, s VARCHAR(10), UNIQUE KEY id_a (id, a));
CREATE TABLE t_entry (owner BIGINT NOT NULL, no BIGINT UNSIGNED NOT NULL AUTO_INCREMENT, a INT, PRIMARY KEY (owner, no), KEY (no), UNIQUE KEY (owner, a));
-- tables t_count, t_entry
SELECT LAST_INSERT_ID();

-- group one row
INSERT INTO t_count (a) VALUES (1);
SELECT LAST_INSERT_ID();
INSERT INTO t_count (id, a) VALUES (NULL, 2);
INSERT INTO t_count (id, a) VALUES (0, 3);
INSERT INTO t_count (id, a) VALUES (DEFAULT, 4);
INSERT INTO t_count VALUES (NULL, 5, 'five');
INSERT INTO t_count VALUES ('0', 6, 'six');
INSERT INTO t_count SET a = 7;
INSERT INTO t_count SET a = 8, id = NULL, s = 'eight';
INSERT INTO t_count () VALUES ();
INSERT INTO t_count VALUES ();
REPLACE INTO t_count (a) VALUES (11);
INSERT IGNORE INTO t_count (s) VALUES ('twelve');
SELECT LAST_INSERT_ID();
SELECT * FROM t_count WHERE id = LAST_INSERT_ID();
INSERT INTO t_entry (owner, a) VALUES (5, 1);
INSERT INTO t_entry (no, owner, a) VALUES (NULL, 6, 2);
INSERT INTO t_entry (owner) VALUES (LAST_INSERT_ID());
SELECT LAST_INSERT_ID();

-- group parameters
-- params 13
INSERT INTO t_count (a) VALUES (?);
-- params NULL, 14
INSERT INTO t_count (id, a) VALUES (?, ?);
-- params 0, 15
INSERT INTO t_count (id, a) VALUES (?, ?);
-- params 16, 'x'
INSERT INTO t_count SET a = ?, s = ?;
-- params 17
INSERT INTO t_count (id, a) VALUES (NULL, ?);
-- params 1, 18, 2, 19, 3
INSERT INTO t_entry (owner, a) VALUES (?, ?), (?, ?), (?, 20);
-- params NULL, 21, 100, 22, NULL, 23
INSERT INTO t_count (id, a) VALUES (?, ?), (?, ?), (?, ?);
SELECT LAST_INSERT_ID();

-- group many rows
INSERT INTO t_count (a) VALUES (1), (2), (3), (4), (5);
SELECT LAST_INSERT_ID();
INSERT INTO t_count (id, a) VALUES (NULL, 1), (0, 2);
INSERT INTO t_count VALUES (), (), ();
INSERT INTO t_entry (owner, a) VALUES (4, 31), (8, 32), (12, 33);
INSERT INTO t_entry (owner, a) VALUES (4, 41), (5, 42), (12, 43), (5, 44);
SELECT LAST_INSERT_ID();
INSERT INTO t_entry (owner, a) VALUES (1, 51), (1, 52), (1, 53) ON DUPLICATE KEY UPDATE a = 60;
REPLACE INTO t_entry (owner, a) VALUES (4, 61), (5, 62);

-- group numbers of one's own
INSERT INTO t_count (id, a) VALUES (200, 1);
SELECT LAST_INSERT_ID();
INSERT INTO t_count (a) VALUES (2);
SELECT LAST_INSERT_ID();
INSERT INTO t_count (id, a) VALUES (-5, 3);
INSERT INTO t_count (id, a) VALUES (150, 4);
INSERT INTO t_count (id, a) VALUES ('202', 4);
INSERT INTO t_count (a) VALUES (5);
INSERT INTO t_count (id, a) VALUES (300, 6), (301, 7);
INSERT INTO t_count (id, a) VALUES (302, 6), (304, 7), (303, 7);
INSERT INTO t_count (id, a) VALUES (310, 8), (NULL, 9), (320, 10), (NULL, 11);
SELECT LAST_INSERT_ID();
INSERT INTO t_count (id, a) VALUES (5000, 1);
INSERT INTO t_count (a) VALUES (2);
INSERT INTO t_entry (owner, no) VALUES (7, 1000);
INSERT INTO t_entry (owner) VALUES (7);
SELECT LAST_INSERT_ID();

-- group zero as a value
-- mariadb
SET sql_mode = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO';
INSERT INTO t_count (id, a) VALUES (0, 1);
INSERT INTO t_count (id, a) VALUES (NULL, 2);
SELECT LAST_INSERT_ID();
SET sql_mode = DEFAULT;

-- group errors
-- error 1062
INSERT INTO t_count (id, a) VALUES (1, 1);
-- error 1366
INSERT INTO t_count (id, a) VALUES ('abc', 1);
-- error 1264
INSERT INTO t_count (id, a) VALUES (3000000000, 1);
-- error 1136
INSERT INTO t_count (a) VALUES (1, 2);
-- error 1054
INSERT INTO t_count (nothing) VALUES (1);
SELECT LAST_INSERT_ID();

# One of the errors has used a number up, as errors may.
INSERT INTO t_count (id, a) VALUES (6000, 1);

-- group on duplicate key update, ignore
INSERT INTO t_count (id, a) VALUES (1, 5) ON DUPLICATE KEY UPDATE a = a + 1;
SELECT LAST_INSERT_ID();
INSERT INTO t_count (a) VALUES (5) ON DUPLICATE KEY UPDATE a = a + 1;
SELECT LAST_INSERT_ID();
INSERT INTO t_count (id, a) VALUES (2, 5) ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), a = 50;
SELECT LAST_INSERT_ID();
INSERT IGNORE INTO t_count (id, a) VALUES (2, 5);
SELECT LAST_INSERT_ID();

-- group returning
-- mariadb
INSERT INTO t_count (a) VALUES (70) RETURNING id, a;
SELECT LAST_INSERT_ID();

-- group transactions
BEGIN;
INSERT INTO t_count (a) VALUES (80);
INSERT INTO t_entry (owner) VALUES (LAST_INSERT_ID());
ROLLBACK;
INSERT INTO t_count (a) VALUES (81);
SELECT LAST_INSERT_ID();
-- connection 2
SELECT LAST_INSERT_ID();
-- connection 2
INSERT INTO t_count (a) VALUES (82);
-- connection 2
SELECT LAST_INSERT_ID();
-- connection 1
SELECT LAST_INSERT_ID();

-- group the counter is set
ALTER TABLE t_count AUTO_INCREMENT = 9000;
INSERT INTO t_count (a) VALUES (90);
TRUNCATE TABLE t_count;
INSERT INTO t_count (a) VALUES (91), (92);
SELECT LAST_INSERT_ID();
ALTER TABLE t_count ADD COLUMN z INT;
INSERT INTO t_count (z) VALUES (1);
DELETE FROM t_count;
INSERT INTO t_count (z) VALUES (1);
DROP TABLE t_count;
CREATE TABLE t_count (id TINYINT NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT) AUTO_INCREMENT = 100;
INSERT INTO t_count (a) VALUES (1);
INSERT INTO t_count (id, a) VALUES (126, 1);
INSERT INTO t_count (a) VALUES (1);
SELECT LAST_INSERT_ID();

-- group a table of one unit counts for itself
CREATE TABLE t_plain (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE);
-- tables t_plain
INSERT INTO t_plain (a) VALUES (1);
SELECT LAST_INSERT_ID();
INSERT INTO t_plain (id, a) VALUES (40, 2);
SELECT LAST_INSERT_ID();
-- params 50, 3
INSERT INTO t_plain (id, a) VALUES (?, ?);
SELECT LAST_INSERT_ID();
INSERT INTO t_plain (id, a) VALUES (60, 4), (NULL, 5);
SELECT LAST_INSERT_ID();
-- params NULL, 6
INSERT INTO t_plain (id, a) VALUES (?, ?);
SELECT LAST_INSERT_ID();
INSERT INTO t_plain VALUES (70, 7);
SELECT LAST_INSERT_ID();
DROP TABLE t_plain;
-- tables t_count, t_entry

-- group user variables
SET @owner = 6, @a = 'no', @null = NULL, @big = 9000000000;
INSERT INTO t_entry (owner, a) VALUES (@owner, 71);
INSERT INTO t_entry (owner, no, a) VALUES (@owner, @null, 72), (7, NULL, @null);
INSERT INTO t_entry SET owner = @big, a = @owner;
SET @owner = @owner + 1;
INSERT INTO t_entry (owner, a) VALUES (@owner, 73);
-- error 1048
INSERT INTO t_entry (owner, a) VALUES (@missing, 74);

-- group refused
-- mariadb
-- unsupported
INSERT INTO t_count (id, a) VALUES (1 + 1, 1);
