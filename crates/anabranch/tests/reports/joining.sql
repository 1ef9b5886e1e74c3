# What users of such proxies reported as wrong: sub-queries and joins over several nodes.
-- group set-up
DROP TABLE IF EXISTS t_order;
DROP TABLE IF EXISTS t_loose;
DROP TABLE IF EXISTS t_shot;
DROP TABLE IF EXISTS t_alert;
CREATE TABLE t_order (order_id BIGINT NOT NULL, user_id INT NOT NULL, code VARCHAR(20) COLLATE utf8mb4_general_ci, amount DECIMAL(10,2) NULL, created_at DATETIME(3), PRIMARY KEY (order_id, user_id));
CREATE TABLE t_loose (id BIGINT NOT NULL PRIMARY KEY, order_id BIGINT, sku VARCHAR(20), ref BIGINT);
CREATE TABLE t_shot (id BIGINT NOT NULL PRIMARY KEY, alert_id BIGINT);
CREATE TABLE t_alert (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(20));
-- tables t_order
INSERT INTO t_order (order_id, user_id, code) VALUES (1, 1, 'p'), (2, 2, 'p'), (3, 1, 'q'), (4, 2, 'r');
-- tables t_loose, t_shot
INSERT INTO t_loose VALUES (1, 1, 'a', 2), (2, 2, 'b', 3), (3, 4, 'c', 9), (4, 1, 'd', 9);
INSERT INTO t_shot VALUES (1, 7), (2, NULL), (3, 8);

-- group R013: a scalar sub-query on the same table
SELECT * FROM t_order WHERE code = (SELECT code FROM t_order WHERE order_id = 2) ORDER BY order_id;
SELECT * FROM t_order WHERE order_id = (SELECT MAX(order_id) FROM t_order);

-- group R015: NOT IN, three-valued
SELECT order_id FROM t_order WHERE order_id NOT IN (SELECT ref FROM t_loose) ORDER BY order_id;
SELECT order_id FROM t_order WHERE order_id NOT IN (SELECT ref FROM t_loose WHERE id > 100) ORDER BY order_id;
INSERT INTO t_loose VALUES (5, NULL, 'e', NULL);
SELECT order_id FROM t_order WHERE order_id NOT IN (SELECT ref FROM t_loose) ORDER BY order_id;

-- group R017: a condition of ON is none of WHERE
SELECT o.order_id, i.sku FROM t_order o LEFT JOIN t_loose i ON o.order_id <> 1 ORDER BY o.order_id, i.sku;
SELECT o.order_id, i.sku FROM t_order o LEFT JOIN t_loose i ON o.order_id = i.order_id AND o.order_id <> 1 ORDER BY o.order_id, i.sku;
SELECT o.order_id, i.sku FROM t_order o LEFT JOIN t_loose i ON o.order_id = i.order_id AND o.order_id = 1 ORDER BY o.order_id, i.sku;

-- group R018: rows without a partner come once
SELECT p.id, a.id FROM t_shot p LEFT JOIN t_alert a ON p.alert_id = a.id ORDER BY p.id;
SELECT p.id, a.id FROM t_alert a RIGHT JOIN t_shot p ON p.alert_id = a.id ORDER BY p.id;
SELECT COUNT(*) FROM t_shot p LEFT JOIN t_alert a ON p.alert_id = a.id;

-- group R034: a join on a column that can be NULL
SELECT o.order_id, l.id FROM t_loose l LEFT JOIN t_order o ON o.order_id = l.order_id ORDER BY l.id, o.order_id;
