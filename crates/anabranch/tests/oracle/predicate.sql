# Conditions on the sharding column in every form.
-- group set-up
-- tables t_mod
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT, s VARCHAR(20), d DECIMAL(10,2));
INSERT INTO t_mod VALUES (1, 10, 'one', 1.50), (2, 20, 'two', 2.50), (3, 30, 'three', NULL), (4, NULL, 'four', 4.00);
-- group equality
SELECT * FROM t_mod WHERE id = 1;
-- params 3
SELECT * FROM t_mod WHERE id = ?;
-- error 1062
INSERT INTO t_mod VALUES (1, 10, 'one', 1.50);
