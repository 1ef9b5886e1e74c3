# Explicit data nodes: the unit by one column, the table in it by another or by several.
-- group set-up
DROP TABLE IF EXISTS t_pair;
DROP TABLE IF EXISTS t_both;
CREATE TABLE t_pair (user_id INT UNSIGNED NOT NULL, order_id BIGINT UNSIGNED NOT NULL, a INT, s VARCHAR(20), PRIMARY KEY (user_id, order_id));
CREATE TABLE t_both (user_id INT UNSIGNED NOT NULL, order_id BIGINT UNSIGNED NOT NULL, a INT, PRIMARY KEY (user_id, order_id));
-- tables t_pair
INSERT INTO t_pair VALUES (1, 1, 10, 'a'), (1, 2, 20, 'b'), (2, 1, 30, 'c'), (2, 2, 40, 'd');
INSERT INTO t_pair (a, order_id, user_id) VALUES (50, 3, 3);
INSERT INTO t_pair SET user_id = 4, order_id = 4, a = 60;
-- tables t_pair, t_both
INSERT INTO t_both VALUES (1, 1, 1), (1, 2, 2), (2, 1, 3), (2, 2, 4), (3, 3, 5), (4, 5, 6);
-- params 5, 6, 70, 7, 8, 80
INSERT INTO t_pair (user_id, order_id, a) VALUES (?, ?, ?), (?, ?, ?);

-- group one node, one unit, all
SELECT * FROM t_pair WHERE user_id = 1 AND order_id = 2;
SELECT * FROM t_pair WHERE user_id = 1;
SELECT * FROM t_pair WHERE order_id = 2;
SELECT * FROM t_pair;
SELECT * FROM t_pair WHERE (user_id, order_id) = (2, 1);
SELECT * FROM t_pair WHERE user_id IN (1, 3) AND order_id IN (1, 2, 3);
SELECT * FROM t_pair WHERE user_id = 1 AND order_id = 1 OR user_id = 2 AND order_id = 2;
SELECT * FROM t_pair WHERE user_id = 1 OR order_id = 1;
SELECT * FROM t_pair WHERE user_id = 1 AND (order_id = 1 OR a = 20);
SELECT * FROM t_pair WHERE user_id = 1 AND user_id = 2;
SELECT * FROM t_pair WHERE user_id = 1.5 AND order_id = 1;
SELECT * FROM t_pair WHERE user_id = '1' AND order_id = '2';
SELECT * FROM t_pair WHERE user_id = NULL;
SELECT * FROM t_pair WHERE a > 20 ORDER BY a DESC LIMIT 3;
SELECT user_id % 2, COUNT(*), SUM(a) FROM t_pair GROUP BY user_id % 2;
-- params 2, 1
SELECT a FROM t_pair WHERE user_id = ? AND order_id = ?;
-- params 1
SELECT a FROM t_pair WHERE order_id = ? ORDER BY a;

-- group several columns at once
SELECT * FROM t_both WHERE user_id = 1 AND order_id = 2;
SELECT * FROM t_both WHERE user_id = 1;
SELECT * FROM t_both WHERE user_id IN (1, 2) AND order_id IN (1, 2);
SELECT * FROM t_both WHERE order_id = 1 ORDER BY a;
-- params 2, 2
SELECT * FROM t_both WHERE user_id = ? AND order_id = ?;

-- group changes
-- tables t_pair, t_both
UPDATE t_pair SET a = a + 1 WHERE user_id = 1 AND order_id = 1;
UPDATE t_pair SET a = a + 1 WHERE order_id = 2;
UPDATE t_both SET a = a + 1;
DELETE FROM t_pair WHERE user_id = 2 AND order_id = 2;
DELETE FROM t_both WHERE order_id IN (1, 5);
REPLACE INTO t_pair VALUES (1, 1, 99, 'new');
INSERT INTO t_pair VALUES (1, 1, 1, 'x') ON DUPLICATE KEY UPDATE a = VALUES(a) + 1;
TRUNCATE TABLE t_both;

-- group refused
-- error 1048
INSERT INTO t_pair VALUES (NULL, 1, 1, 'a');
-- error 1062
INSERT INTO t_pair VALUES (1, 1, 1, 'a');
-- unsupported
UPDATE t_pair SET user_id = 2 WHERE user_id = 1;
-- unsupported
SELECT * FROM t_pair WHERE user_id > 1;
