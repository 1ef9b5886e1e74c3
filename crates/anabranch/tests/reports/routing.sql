# What users of such proxies reported as wrong: paging, routing by values, inserts.
-- group set-up
DROP TABLE IF EXISTS t_order;
CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, code VARCHAR(20) COLLATE utf8mb4_general_ci, amount DECIMAL(10,2) NULL, created_at DATETIME(3), PRIMARY KEY (order_id, user_id));
-- tables t_order

-- group R031: rows of one INSERT on several nodes
INSERT INTO t_order (order_id, user_id, code, amount, created_at) VALUES (1, 1, 'a', 1.00, '2024-01-01 10:00:00.123'), (2, 2, 'b', 2.00, '2024-01-02 10:00:00'), (3, 1, 'c', 3.00, '2024-01-03 10:00:00');
-- params 4, 2, 5, 1, 6, 1
INSERT INTO t_order (order_id, user_id) VALUES (?, ?), (?, ?), (?, ?);
INSERT INTO t_order VALUES (7, 1, 'd', 7.00, '2024-02-01 00:00:00'), (8, 2, 'e', 8.00, '2024-02-02 00:00:00');

-- group R001: one node is asked for its page
INSERT INTO t_order (order_id, user_id, code, amount, created_at) VALUES (100, 1, 'p', 0, NULL), (102, 1, 'p', 1, NULL), (104, 1, 'p', 2, NULL), (106, 1, 'p', 3, NULL), (108, 1, 'p', 4, NULL), (110, 1, 'p', 5, NULL), (112, 1, 'p', 6, NULL), (114, 1, 'p', 7, NULL), (116, 1, 'p', 8, NULL), (118, 1, 'p', 9, NULL), (120, 1, 'p', 10, NULL), (122, 1, 'p', 11, NULL);
SELECT * FROM t_order WHERE user_id = 1 AND order_id IN (100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122) ORDER BY order_id LIMIT 5, 5;
SELECT * FROM t_order WHERE user_id = 1 AND (order_id = 100 OR order_id IN (102, 104, 106, 108, 110)) ORDER BY order_id LIMIT 2, 2;
-- params 1, 2, 3
SELECT * FROM t_order WHERE user_id = ? AND order_id IN (100, 102, 104, 106, 108, 110) ORDER BY order_id LIMIT ?, ?;

-- group R026: negative values
INSERT INTO t_order (order_id, user_id, code) VALUES (-1, 1, 'n'), (0, 2, 'z');
SELECT * FROM t_order WHERE order_id = -1;
-- params -1
SELECT * FROM t_order WHERE order_id = ?;
UPDATE t_order SET code = 'neg' WHERE order_id = -1;
DELETE FROM t_order WHERE order_id = -1;

-- group R028: ranges beyond 32 bits
SELECT order_id FROM t_order WHERE order_id BETWEEN 0 AND 3147483647 ORDER BY order_id;
SELECT order_id FROM t_order WHERE order_id > 18446744073709551000;
SELECT order_id FROM t_order WHERE order_id < 18446744073709551000 ORDER BY order_id;

-- group R033 and R009: no row matches
SELECT EXISTS(SELECT * FROM t_order WHERE user_id = 1 AND user_id = 2);
SELECT COUNT(*) FROM t_order WHERE user_id IN (NULL);
SELECT COUNT(*) FROM t_order WHERE user_id = 1 AND user_id = 2;
SELECT COUNT(DISTINCT DATE_FORMAT(created_at, '%Y%m%d')) AS c FROM t_order WHERE user_id = 999;
SELECT COUNT(*), SUM(amount), MAX(amount), MIN(amount), AVG(amount) FROM t_order WHERE amount > 1000;
SELECT COUNT(DISTINCT amount), MAX(code) FROM t_order WHERE user_id IN (998, 999);

-- group R034: NULL as a value
-- params NULL
SELECT * FROM t_order WHERE user_id = ?;
-- params NULL
SELECT COUNT(*) FROM t_order WHERE user_id <=> ?;
SELECT * FROM t_order WHERE user_id <=> NULL;
SELECT * FROM t_order WHERE user_id = NULL;

-- group R025: lists
SELECT order_id FROM t_order WHERE user_id IN (1, 2) AND order_id IN (1, 2) ORDER BY order_id;
SELECT order_id FROM t_order WHERE (user_id, order_id) IN ((1, 1), (2, 2)) ORDER BY order_id;
