# Foreign keys of sharded tables: to a table of the same reference rule by the sharding columns, and to
# broadcast tables.
-- group set-up
DROP TABLE IF EXISTS j_item;
DROP TABLE IF EXISTS j_note;
DROP TABLE IF EXISTS j_order;
DROP TABLE IF EXISTS j_dict;
CREATE TABLE j_order (id BIGINT NOT NULL PRIMARY KEY, customer INT, CONSTRAINT positive CHECK (customer > 0));
CREATE TABLE j_item (order_id BIGINT NOT NULL, item INT NOT NULL, label VARCHAR(20), PRIMARY KEY (order_id, item), CONSTRAINT of_order FOREIGN KEY (order_id) REFERENCES j_order (id) ON DELETE CASCADE);
CREATE TABLE j_dict (id INT NOT NULL PRIMARY KEY, word VARCHAR(20));
CREATE TABLE j_note (id BIGINT NOT NULL PRIMARY KEY, word INT, text VARCHAR(20), FOREIGN KEY (word) REFERENCES j_dict (id) ON DELETE SET NULL);

-- group definitions
SHOW CREATE TABLE j_item;
SHOW CREATE TABLE j_note;
SHOW CREATE TABLE j_order;

-- group rows
-- tables j_order
INSERT INTO j_order VALUES (1, 10), (2, 20), (3, 30), (4, 40), (5, 50), (6, 60);
-- tables j_item
INSERT INTO j_item VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c'), (3, 1, 'd'), (6, 1, 'e');
-- error 1452
INSERT INTO j_item VALUES (7, 1, 'nowhere');
-- error 1452
INSERT INTO j_item VALUES (4, 1, 'there'), (8, 1, 'nowhere');
-- tables j_item, j_order
DELETE FROM j_order WHERE id IN (1, 3);
-- tables j_item, j_order
DELETE FROM j_order WHERE customer > 50;
-- mariadb
-- error 4025
INSERT INTO j_order VALUES (9, -1);
-- tables j_dict
INSERT INTO j_dict VALUES (1, 'one'), (2, 'two'), (3, 'three');
-- tables j_note
INSERT INTO j_note VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z'), (4, NULL, 'none');
-- error 1452
UPDATE j_note SET word = 9;
-- tables j_dict, j_note
DELETE FROM j_dict WHERE id = 2;

-- group names
-- error 1091
ALTER TABLE j_item DROP FOREIGN KEY nothing;
ALTER TABLE j_item DROP FOREIGN KEY of_order;
-- tables j_item
INSERT INTO j_item VALUES (7, 1, 'orphan');
ALTER TABLE j_note DROP FOREIGN KEY j_note_ibfk_1;
-- tables j_note
UPDATE j_note SET word = 9 WHERE id = 3;
SHOW CREATE TABLE j_note;
-- tables j_item
DELETE FROM j_item WHERE order_id = 7;
ALTER TABLE j_item ADD CONSTRAINT again FOREIGN KEY (order_id) REFERENCES j_order (id);
SHOW CREATE TABLE j_item;
-- error 1451
DELETE FROM j_order WHERE id = 2;

-- group refused
-- unsupported
ALTER TABLE j_note ADD FOREIGN KEY (word) REFERENCES j_order (id);
-- unsupported
ALTER TABLE j_item ADD FOREIGN KEY (item) REFERENCES j_order (id);

-- group clean-up
DROP TABLE j_item;
DROP TABLE j_note;
DROP TABLE j_order;
DROP TABLE j_dict;
