# Statements of several tables that every node answers for itself: j_order, j_item and j_note are
# bound by the id of the order, j_dict is in every unit.
-- group set-up
DROP TABLE IF EXISTS j_order;
DROP TABLE IF EXISTS j_item;
DROP TABLE IF EXISTS j_note;
DROP TABLE IF EXISTS j_dict;
CREATE TABLE j_order (id BIGINT NOT NULL PRIMARY KEY, customer INT, status VARCHAR(10), total DECIMAL(10,2), made DATE);
CREATE TABLE j_item (item INT NOT NULL, order_id BIGINT NOT NULL, sku INT, amount INT, label VARCHAR(20), PRIMARY KEY (order_id, item));
CREATE TABLE j_note (id BIGINT NOT NULL PRIMARY KEY, customer INT, text VARCHAR(40));
CREATE TABLE j_dict (sku INT NOT NULL PRIMARY KEY, name VARCHAR(20), price DECIMAL(8,2));
-- tables j_order
INSERT INTO j_order VALUES (1, 10, 'new', 10.50, '2026-01-01'), (2, 10, 'paid', 20.00, '2026-01-02'), (3, 11, 'New', NULL, NULL), (4, 12, 'sent', 0.00, '2026-02-01'), (5, NULL, NULL, 5.25, '2026-02-02'), (6, 11, 'paid', 66.60, '2026-03-01'), (7, 13, 'new', 7.77, '2026-03-02'), (8, 10, 'sent', 8.00, '2026-01-01'), (9, 12, 'new', 9.90, NULL), (10, 14, 'paid', -1.00, '2026-04-01');
-- tables j_item
INSERT INTO j_item VALUES (1, 1, 100, 2, 'bolt'), (2, 1, 101, 1, 'nut'), (1, 2, 100, 5, 'bolt'), (1, 3, 102, NULL, 'Gear'), (2, 3, 999, 7, NULL), (1, 5, 101, 3, 'nut'), (1, 6, 100, 1, 'Bolt'), (2, 6, 102, 2, 'gear'), (3, 6, 103, 9, 'pin'), (1, 8, NULL, 4, 'none'), (1, 10, 103, 6, 'pin'), (1, 42, 100, 1, 'orphan');
-- tables j_note
INSERT INTO j_note VALUES (1, 10, 'first'), (3, 11, 'third'), (6, 11, NULL), (7, 99, 'seventh'), (43, 1, 'orphan');
-- tables j_dict
INSERT INTO j_dict VALUES (100, 'bolt', 1.50), (101, 'nut', 0.25), (102, 'gear', 12.00), (104, 'axle', 99.99);

-- group inner joins
SELECT o.total, i.amount, i.label FROM j_order o JOIN j_item i ON i.order_id = o.id ORDER BY o.id, i.item;
SELECT o.id, i.item FROM j_order o JOIN j_item i ON i.order_id = o.id WHERE o.id = 6;
SELECT o.id, i.item FROM j_order o JOIN j_item i ON i.order_id = o.id WHERE i.order_id IN (1, 3, 5);
SELECT o.id, i.item FROM j_order o, j_item i WHERE i.order_id = o.id AND o.id BETWEEN 2 AND 5;
SELECT j_order.*, label FROM j_order JOIN j_item ON j_order.id = order_id WHERE amount > 1;
SELECT * FROM j_order o JOIN j_item i ON i.order_id = o.id JOIN j_note n ON n.id = i.order_id;
SELECT o.id, n.text FROM j_order o JOIN j_note n USING (id) WHERE id > 1 ORDER BY o.id DESC;
SELECT * FROM j_order JOIN j_note USING (id);
SELECT o.id FROM j_order o NATURAL JOIN j_note n;
SELECT a.id, b.status FROM j_order a JOIN j_order b ON a.id = b.id WHERE b.status = 'NEW';
SELECT o.id, i.item FROM j_order o STRAIGHT_JOIN j_item i ON (o.id, 1) = (i.order_id, i.item);
SELECT COUNT(*), SUM(i.amount), MAX(o.total), MIN(i.label) FROM j_order o JOIN j_item i ON i.order_id = o.id;
SELECT o.status, COUNT(*), SUM(i.amount) FROM j_order o JOIN j_item i ON i.order_id = o.id GROUP BY o.status ORDER BY 2 DESC, 1;
SELECT i.sku, AVG(o.total) FROM j_item i JOIN j_order o ON o.id = i.order_id GROUP BY i.sku HAVING COUNT(*) > 1 ORDER BY i.sku;
SELECT DISTINCT o.status, i.sku FROM j_order o JOIN j_item i ON i.order_id = o.id ORDER BY i.sku, o.status;
SELECT o.id, i.item FROM j_order o JOIN j_item i ON i.order_id = o.id ORDER BY o.total, i.item LIMIT 3 OFFSET 2;
SELECT o.id + 0 oid, i.item + 0 n FROM j_order o JOIN j_item i ON i.order_id = o.id ORDER BY oid DESC, n LIMIT 4;

-- group outer joins
SELECT o.id, i.item FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id ORDER BY o.id, i.item;
SELECT o.id, i.item FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id AND i.amount > 3 ORDER BY 1, 2;
SELECT o.id FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id WHERE i.order_id IS NULL ORDER BY o.id;
SELECT o.id, i.item FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id WHERE o.id = 4;
SELECT o.id, i.item FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id WHERE o.id IN (4, 5);
SELECT o.id, i.item FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id AND o.id = 6 ORDER BY o.id, i.item;
SELECT o.id, i.item FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id AND i.order_id = 6 ORDER BY o.id, i.item;
SELECT o.id, i.item FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id WHERE i.order_id = 6 ORDER BY o.id, i.item;
SELECT i.order_id, o.id FROM j_order o RIGHT JOIN j_item i ON i.order_id = o.id ORDER BY i.order_id, o.id;
SELECT o.id, i.item, n.text FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id LEFT JOIN j_note n ON n.id = i.order_id ORDER BY 1, 2, 3;
SELECT o.id, i.item, n.text FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id LEFT JOIN j_note n ON n.id = i.order_id WHERE o.id = 3;
SELECT o.id, i.item, n.text FROM j_order o LEFT JOIN (j_item i JOIN j_note n ON n.id = i.order_id) ON i.order_id = o.id ORDER BY 1, 2;
SELECT o.total, i.amount, n.text FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id JOIN j_note n ON n.id = i.order_id ORDER BY 1, 2;
SELECT o.id, n.text FROM j_order o LEFT JOIN j_note n ON n.id = o.id AND n.customer = o.customer ORDER BY o.id;
SELECT COUNT(*), COUNT(i.item) FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id;
SELECT o.status, COUNT(i.item) c FROM j_order o LEFT JOIN j_item i ON i.order_id = o.id GROUP BY o.status ORDER BY c, o.status;

-- group broadcast tables
SELECT * FROM j_dict ORDER BY sku;
SELECT COUNT(*) FROM j_dict;
SELECT i.amount, d.name FROM j_item i JOIN j_dict d ON d.sku = i.sku ORDER BY 1, 2;
SELECT i.order_id, i.item, d.name FROM j_item i LEFT JOIN j_dict d ON d.sku = i.sku ORDER BY 1, 2;
SELECT o.id, d.name FROM j_order o JOIN j_item i ON i.order_id = o.id JOIN j_dict d USING (sku) WHERE o.id IN (1, 2, 3) ORDER BY 1, 2;
SELECT d.name, SUM(i.amount * d.price) s FROM j_item i JOIN j_dict d ON d.sku = i.sku GROUP BY d.name ORDER BY d.name;
SELECT o.id FROM j_order o WHERE o.customer IN (SELECT sku - 90 FROM j_dict) ORDER BY o.id;
SELECT a.sku, b.name FROM j_dict a JOIN j_dict b ON a.sku = b.sku + 1 ORDER BY 1;
SELECT d.sku, i.order_id FROM j_dict d JOIN j_item i ON i.sku = d.sku WHERE i.order_id = 6 ORDER BY 1;
SELECT sku FROM j_dict WHERE sku > 100 FOR UPDATE;
-- tables j_dict
INSERT INTO j_dict VALUES (105, 'wheel', 5.00), (106, 'belt', 6.00);
UPDATE j_dict SET price = price + 1 WHERE sku >= 104;
DELETE FROM j_dict WHERE sku = 106;
REPLACE INTO j_dict VALUES (105, 'Wheel', 5.50);
INSERT INTO j_dict VALUES (105, 'x', 1) ON DUPLICATE KEY UPDATE name = 'wheel';
INSERT IGNORE INTO j_dict VALUES (105, 'y', 1), (107, 'cap', 0.10);
-- tables -
SELECT i.order_id, d.price FROM j_item i, j_dict d WHERE d.sku = 105 AND i.order_id = 1;

-- group sub-queries
SELECT id FROM j_order o WHERE EXISTS (SELECT 1 FROM j_item i WHERE i.order_id = o.id) ORDER BY id;
SELECT id FROM j_order o WHERE NOT EXISTS (SELECT 1 FROM j_item i WHERE i.order_id = o.id) ORDER BY id;
SELECT id FROM j_order o WHERE NOT EXISTS (SELECT 1 FROM j_item i WHERE i.order_id = o.id AND i.amount > 2) AND o.id IN (1, 2, 3, 4);
SELECT id FROM j_order WHERE id IN (SELECT order_id FROM j_item WHERE amount > 2) ORDER BY id;
SELECT id FROM j_order WHERE id NOT IN (SELECT order_id FROM j_item WHERE amount > 2) ORDER BY id;
SELECT id FROM j_order WHERE (id, 1) IN (SELECT order_id, item FROM j_item) ORDER BY id;
SELECT id, (SELECT MAX(amount) FROM j_item i WHERE i.order_id = o.id) m FROM j_order o WHERE id > 2;
SELECT id, (SELECT COUNT(*) FROM j_item i WHERE i.order_id = o.id) FROM j_order o;
SELECT id FROM j_order o WHERE total > (SELECT AVG(amount) FROM j_item i WHERE i.order_id = o.id) ORDER BY id;
SELECT id FROM j_order o WHERE EXISTS (SELECT 1 FROM j_item i WHERE i.order_id = o.id AND EXISTS (SELECT 1 FROM j_note n WHERE n.id = i.order_id)) ORDER BY id;
SELECT id FROM j_order o WHERE o.id = 3 AND NOT EXISTS (SELECT 1 FROM j_item i WHERE i.order_id = o.id AND i.amount IS NULL);
SELECT id FROM j_order WHERE id = 6 UNION ALL SELECT order_id FROM j_item WHERE order_id = 6;
SELECT id FROM j_order WHERE id > 3 UNION ALL SELECT order_id FROM j_item WHERE order_id < 5;
SELECT id FROM j_order WHERE id = 2 UNION SELECT order_id FROM j_item WHERE order_id = 6;
SELECT COUNT(*) FROM (SELECT o.id, i.item FROM j_order o JOIN j_item i ON i.order_id = o.id WHERE i.amount > 1) page;
SELECT x.s FROM (SELECT id k, status s FROM j_order) x WHERE x.k = 6;
SELECT x.k, x.c FROM (SELECT order_id k, COUNT(*) c FROM j_item GROUP BY order_id) x ORDER BY x.k;
SELECT o.total, x.c FROM j_order o JOIN (SELECT order_id, amount c FROM j_item) x ON x.order_id = o.id ORDER BY 1, 2;
SELECT o.total, x.c FROM j_order o JOIN (SELECT order_id, COUNT(*) c FROM j_item GROUP BY order_id) x ON x.order_id = o.id ORDER BY 1, 2;
SELECT o.total, x.c FROM j_order o LEFT JOIN (SELECT order_id k, MAX(amount) c FROM j_item GROUP BY order_id) x ON x.k = o.id WHERE o.id IN (1, 3, 4, 6) ORDER BY 1, 2;
WITH x AS (SELECT * FROM j_item WHERE order_id = 6) SELECT x.item, o.status FROM x JOIN j_order o ON o.id = x.order_id WHERE o.id = 6 ORDER BY 1;

-- group changes
-- tables j_order, j_item
UPDATE j_order o JOIN j_item i ON i.order_id = o.id SET o.total = 1 WHERE i.item = 2;
UPDATE j_order o JOIN j_item i ON i.order_id = o.id SET o.status = i.label, i.label = 'x' WHERE o.id IN (2, 5);
UPDATE j_item i JOIN j_dict d ON d.sku = i.sku SET i.label = d.name;
UPDATE j_order SET customer = (SELECT COUNT(*) FROM j_item WHERE order_id = j_order.id) WHERE id < 5;
UPDATE j_order o LEFT JOIN j_item i ON i.order_id = o.id SET o.status = 'empty' WHERE i.item IS NULL;
UPDATE j_order SET total = 2 WHERE id = 6 ORDER BY id LIMIT 1;
DELETE i FROM j_order o JOIN j_item i ON i.order_id = o.id WHERE o.id = 1;
DELETE o, i FROM j_order o JOIN j_item i ON i.order_id = o.id WHERE i.label = 'pin';
DELETE FROM j_item WHERE order_id NOT IN (SELECT id FROM j_order);
DELETE FROM j_item USING j_item JOIN j_order ON j_order.id = j_item.order_id WHERE j_order.total = 2;
-- tables j_note, j_order
INSERT INTO j_note (id, customer) SELECT id, customer FROM j_order WHERE id NOT IN (SELECT id FROM j_note);
REPLACE INTO j_note SELECT id, customer, status FROM j_order;
INSERT INTO j_note SELECT id, customer, 'again' FROM j_order WHERE id IN (2, 3) ON DUPLICATE KEY UPDATE text = VALUES(text);
INSERT INTO j_note SELECT 77, customer, status FROM j_order WHERE id = 5;
INSERT INTO j_note SELECT 88, sku, name FROM j_dict WHERE sku = 100;
INSERT INTO j_note (id, customer, text) VALUES (90 + 1, 2 * 3, 'computed');
DELETE FROM j_note WHERE id = 90 + 1;
TRUNCATE TABLE j_dict;
SELECT COUNT(*) FROM j_dict;

-- group not on each node for itself
-- unsupported
UPDATE j_order o JOIN j_note n ON n.customer = o.customer SET o.status = n.text;
-- unsupported
UPDATE j_dict SET name = UUID();
-- tables j_order
SELECT COUNT(*) FROM j_order;

-- group tidy
DROP TABLE j_order;
DROP TABLE j_item;
DROP TABLE j_note;
DROP TABLE j_dict;
