# Tables without a rule: everything their server can do.
-- group set-up
DROP TABLE IF EXISTS s_order, s_item;
CREATE TABLE s_order (id INT AUTO_INCREMENT PRIMARY KEY, who VARCHAR(20), total DECIMAL(8,2));
CREATE TABLE s_item (id INT AUTO_INCREMENT PRIMARY KEY, order_id INT, what VARCHAR(20), n INT);
-- tables s_order, s_item
INSERT INTO s_order (who, total) VALUES ('ann', 10.50), ('bob', 20.00), ('ann', NULL);
SELECT LAST_INSERT_ID();
INSERT INTO s_item (order_id, what, n) VALUES (1, 'pen', 2), (1, 'ink', 1), (2, 'map', 5), (9, 'lost', 1);

-- group reads
SELECT * FROM s_order;
SELECT * FROM s_order WHERE id = 2;
SELECT o.who, i.what FROM s_order o JOIN s_item i ON i.order_id = o.id ORDER BY i.id;
SELECT o.who, i.what FROM s_order o LEFT JOIN s_item i ON i.order_id = o.id ORDER BY o.id, i.id;
SELECT o.who, i.what FROM s_order o RIGHT JOIN s_item i ON i.order_id = o.id ORDER BY i.id;
SELECT who, i.what FROM s_order o, s_item i WHERE i.order_id = o.id AND i.n > 1 ORDER BY i.id;
SELECT * FROM s_order NATURAL JOIN s_item ORDER BY id;
SELECT a.id, b.id FROM s_order a JOIN s_order b USING (who) ORDER BY 1, 2;
SELECT who, COUNT(*), SUM(total), GROUP_CONCAT(id ORDER BY id) FROM s_order GROUP BY who WITH ROLLUP;
SELECT who, COUNT(*) AS n FROM s_order GROUP BY who HAVING n > 1;
SELECT * FROM s_order WHERE id IN (SELECT order_id FROM s_item WHERE n > 1) ORDER BY id;
SELECT * FROM s_order o WHERE EXISTS (SELECT 1 FROM s_item i WHERE i.order_id = o.id) ORDER BY id;
SELECT id, (SELECT SUM(n) FROM s_item WHERE order_id = s_order.id) AS n FROM s_order ORDER BY id;
SELECT * FROM (SELECT who, MAX(total) AS t FROM s_order GROUP BY who) x ORDER BY who;
SELECT id FROM s_order UNION SELECT order_id FROM s_item ORDER BY 1;
SELECT id FROM s_order UNION ALL SELECT order_id FROM s_item ORDER BY 1 LIMIT 3;
(SELECT id FROM s_order) EXCEPT (SELECT order_id FROM s_item) ORDER BY 1;
WITH big AS (SELECT * FROM s_order WHERE total > 15) SELECT who FROM big;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i, who FROM n LEFT JOIN s_order ON id = i ORDER BY i;
SELECT id, ROW_NUMBER() OVER (PARTITION BY who ORDER BY id) AS r FROM s_order ORDER BY id;
SELECT COUNT(DISTINCT who) FROM s_order;
SELECT id FROM s_order ORDER BY id LIMIT 1 FOR UPDATE;
SELECT JSON_OBJECT('id', id, 'who', who) FROM s_order ORDER BY id;

-- group writes
INSERT INTO s_order (who) VALUES ('eve');
SELECT LAST_INSERT_ID();
INSERT INTO s_order (who, total) SELECT what, n FROM s_item WHERE n > 1;
UPDATE s_order SET total = total + 1 WHERE who = 'ann';
UPDATE s_order o JOIN s_item i ON i.order_id = o.id SET o.total = 0, i.n = i.n + 1 WHERE i.what = 'pen';
DELETE i FROM s_item i LEFT JOIN s_order o ON o.id = i.order_id WHERE o.id IS NULL;
DELETE FROM s_item ORDER BY id LIMIT 1;
REPLACE INTO s_order (id, who) VALUES (1, 'amy');
INSERT INTO s_order (id, who) VALUES (1, 'x') ON DUPLICATE KEY UPDATE who = CONCAT(who, VALUES(who));
-- error 1062
INSERT INTO s_order (id, who) VALUES (1, 'x');
BEGIN;
DELETE FROM s_order;
SELECT COUNT(*) FROM s_order;
ROLLBACK;
SELECT COUNT(*) FROM s_order;

-- group definitions
ALTER TABLE s_order ADD COLUMN note TEXT, ADD KEY by_who (who);
SELECT * FROM s_order ORDER BY id;
RENAME TABLE s_item TO s_thing;
-- tables -
INSERT INTO s_thing (what) VALUES ('after');
SELECT what FROM s_thing ORDER BY id;
-- error 1146
SELECT * FROM s_item;
DROP TABLE s_order, s_thing;
-- error 1146
SELECT * FROM s_order;
