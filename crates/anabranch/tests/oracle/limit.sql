# LIMIT and OFFSET, with an order that has no ties.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT, s VARCHAR(20));
-- tables t_mod
INSERT INTO t_mod VALUES (1, 5, 'a'), (2, 4, 'b'), (3, 3, 'c'), (4, 2, 'd'), (5, 1, 'e'), (6, 9, 'f'), (7, 8, 'g'), (8, 7, 'h'), (9, 6, 'i'), (10, 0, 'j'), (13, 11, 'k'), (17, 12, 'l'), (21, 13, 'm');

-- group forms
SELECT id FROM t_mod ORDER BY id LIMIT 3;
SELECT id FROM t_mod ORDER BY id LIMIT 2, 3;
SELECT id FROM t_mod ORDER BY id LIMIT 3 OFFSET 2;
SELECT id FROM t_mod ORDER BY id LIMIT 0;
SELECT id FROM t_mod ORDER BY id LIMIT 0, 0;
SELECT id FROM t_mod ORDER BY id LIMIT 100;
SELECT id FROM t_mod ORDER BY id LIMIT 100, 5;
SELECT id FROM t_mod ORDER BY id LIMIT 12, 5;
SELECT id FROM t_mod ORDER BY id LIMIT 13, 5;
SELECT id FROM t_mod ORDER BY id LIMIT 5, 18446744073709551615;
SELECT id FROM t_mod ORDER BY id DESC LIMIT 4;
SELECT id, a FROM t_mod ORDER BY a LIMIT 4;
SELECT s FROM t_mod ORDER BY a DESC LIMIT 1, 4;
SELECT id FROM t_mod WHERE id = 5 LIMIT 1;
SELECT id FROM t_mod WHERE id = 5 LIMIT 1, 1;
SELECT id FROM t_mod WHERE id IN (1, 5, 9, 13) ORDER BY id DESC LIMIT 2;
SELECT id FROM t_mod WHERE id > 4 ORDER BY a LIMIT 2 OFFSET 1;
SELECT id FROM t_mod LIMIT 0;
SELECT id FROM t_mod LIMIT 1000;
SELECT COUNT(*) FROM t_mod LIMIT 1;
SELECT COUNT(*) FROM t_mod LIMIT 1, 1;
SELECT COUNT(*) FROM t_mod LIMIT 0;
-- params 3
SELECT id FROM t_mod ORDER BY id LIMIT ?;
-- params 2, 3
SELECT id FROM t_mod ORDER BY id LIMIT ?, ?;
-- params 3, 2
SELECT id FROM t_mod ORDER BY id LIMIT ? OFFSET ?;
-- params 2, 5, 4
SELECT id, a FROM t_mod WHERE id > ? ORDER BY a DESC LIMIT ?, ?;
-- error 1064
SELECT id FROM t_mod ORDER BY id LIMIT -1;
-- error 1064
SELECT id FROM t_mod ORDER BY id LIMIT 'x';
