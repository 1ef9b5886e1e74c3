# What users of such proxies reported as wrong: groups, orders and aggregates over several nodes.
-- group set-up
DROP TABLE IF EXISTS t_order;
CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, code VARCHAR(20) COLLATE utf8mb4_general_ci, amount DECIMAL(10,2) NULL, created_at DATETIME(3), PRIMARY KEY (order_id, user_id));
-- tables t_order
INSERT INTO t_order VALUES (1, 1, 'U', 10.00, '2024-01-05 00:00:00'), (2, 1, 'u', 10.00, '2024-01-04 00:00:00'), (3, 2, 'B', 20.00, '2024-01-03 00:00:00'), (4, 2, 'é', 20.00, '2024-01-02 00:00:00.500'), (5, 1, 'e', 10.00, '2024-01-02 00:00:00.250'), (6, 2, 'u', 5.50, '2024-01-01 00:00:00'), (7, 2, 'b', NULL, NULL), (8, 1, NULL, 1.25, '2024-01-06 00:00:00'), (9, 1, 'top', 15.00, '2024-01-07 00:00:00'), (10, 2, 'top', 15.00, '2024-01-08 00:00:00'), (11, 1, 'x', 16.00, '2024-01-09 00:00:00'), (12, 2, 'y', 17.00, '2024-01-10 00:00:00');

-- group R003: the best of all nodes, not of each
SELECT COUNT(*), SUM(amount) s FROM t_order GROUP BY code ORDER BY s DESC LIMIT 2;
SELECT code, SUM(amount) s FROM t_order WHERE code IN ('top', 'x', 'y') GROUP BY code ORDER BY s DESC LIMIT 1;

-- group R004: HAVING on merged values
SELECT MIN(order_id), COUNT(1) AS cnt FROM t_order GROUP BY code HAVING cnt < 2 ORDER BY 1;
SELECT MIN(order_id), COUNT(1) AS cnt FROM t_order GROUP BY code HAVING cnt > 2 ORDER BY 1;
SELECT user_id, COUNT(*) FROM t_order GROUP BY user_id HAVING COUNT(*) < 5;
SELECT user_id, SUM(amount) FROM t_order GROUP BY user_id HAVING SUM(amount) > 60 ORDER BY user_id;

-- group R006 and R023: equal by collation
SELECT COUNT(*) FROM t_order GROUP BY code ORDER BY code;
SELECT MIN(order_id), COUNT(*) FROM t_order GROUP BY code ORDER BY MIN(order_id);
SELECT COUNT(DISTINCT code) FROM t_order;
SELECT order_id FROM t_order ORDER BY code, order_id;
SELECT order_id FROM t_order ORDER BY code DESC, order_id DESC LIMIT 4;
SELECT COUNT(*) FROM (SELECT DISTINCT code FROM t_order) t;

-- group R007: DISTINCT in aggregates
SELECT COUNT(DISTINCT amount), SUM(DISTINCT amount), user_id FROM t_order GROUP BY user_id ORDER BY user_id;
SELECT COUNT(DISTINCT amount) FROM t_order;
SELECT SUM(DISTINCT amount), AVG(DISTINCT amount) FROM t_order;

-- group R011: DISTINCT over groups
SELECT DISTINCT user_id AS u, COUNT(*) FROM t_order GROUP BY user_id;
SELECT user_id AS u, COUNT(*) FROM t_order GROUP BY user_id;
SELECT DISTINCT COUNT(*) FROM t_order GROUP BY order_id;

-- group R012: what plug-ins for paging count with
SELECT COUNT(0) FROM (SELECT code FROM t_order GROUP BY code) tmp_count;
SELECT COUNT(*) FROM (SELECT DISTINCT user_id FROM t_order) t;
SELECT COUNT(*) FROM (SELECT * FROM t_order WHERE user_id = 1) t;

-- group R020: ordered by what is not shown
SELECT order_id FROM t_order ORDER BY created_at DESC LIMIT 5;
SELECT UPPER(code) FROM t_order WHERE code IS NOT NULL AND code > 'c' ORDER BY created_at DESC, order_id;
SELECT order_id FROM t_order ORDER BY amount, created_at, order_id LIMIT 3, 4;

-- group R022: aggregates between plain columns
SELECT user_id, amount, MAX(created_at) FROM t_order GROUP BY user_id, amount ORDER BY user_id, amount;
SELECT MAX(created_at), user_id, amount FROM t_order GROUP BY user_id, amount ORDER BY user_id, amount;
SELECT user_id, MAX(created_at), amount FROM t_order GROUP BY user_id, amount ORDER BY user_id, amount;
SELECT order_id, MAX(amount), user_id FROM t_order GROUP BY order_id, user_id ORDER BY order_id LIMIT 3;
