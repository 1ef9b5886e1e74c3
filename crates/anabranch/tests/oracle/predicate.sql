# Conditions on the sharding column (id, MOD) in every form, alone and mixed with others.
-- group set-up
DROP TABLE IF EXISTS t_mod;
CREATE TABLE t_mod (id BIGINT NOT NULL PRIMARY KEY, a INT, s VARCHAR(20), d DECIMAL(10,2));
-- tables t_mod
INSERT INTO t_mod VALUES (-7, 70, 'minus seven', -7.00), (-4, 40, 'minus four', 0.40), (-1, 10, 'minus one', NULL), (0, 0, 'zero', 0.00), (1, 10, 'one', 1.50), (2, 20, 'two', 2.50), (3, 30, 'three', NULL), (4, NULL, 'four', 4.00), (5, 50, NULL, 5.55), (6, 60, 'six', 6.66), (7, 70, 'seven', 7.77), (8, 80, 'eight', 8.88), (9, NULL, 'nine', 9.99), (10, 100, 'ten', 10.10), (11, 110, 'eleven', 11.11), (12, 120, 'twelve', 12.12), (1000000007, 7, 'a prime', 1.00), (9223372036854775807, 1, 'the greatest', 99.99), (-9223372036854775808, 2, 'the least', -99.99);

-- group equality
SELECT * FROM t_mod WHERE id = 1;
SELECT * FROM t_mod WHERE 2 = id;
SELECT id, a FROM t_mod WHERE id = 0;
SELECT id, a FROM t_mod WHERE id = -1;
SELECT id, a FROM t_mod WHERE id = - 7;
SELECT id, a FROM t_mod WHERE id = +4;
SELECT id, a FROM t_mod WHERE id = 99;
SELECT id, a FROM t_mod WHERE id = '3';
SELECT id, a FROM t_mod WHERE id = '3.0';
SELECT id, a FROM t_mod WHERE id = ' 3';
SELECT id, a FROM t_mod WHERE id = '-4';
SELECT id, a FROM t_mod WHERE id = 3.0;
SELECT id, a FROM t_mod WHERE id = 3.5;
SELECT id, a FROM t_mod WHERE id = 3e0;
SELECT id, a FROM t_mod WHERE id = 0x05;
SELECT id, a FROM t_mod WHERE id = X'05';
SELECT id, a FROM t_mod WHERE id = b'101';
SELECT id, a FROM t_mod WHERE id = TRUE;
SELECT id, a FROM t_mod WHERE id = FALSE;
SELECT id, a FROM t_mod WHERE id = NULL;
SELECT id, a FROM t_mod WHERE id <=> NULL;
SELECT id, a FROM t_mod WHERE id <=> 5;
SELECT id, a FROM t_mod WHERE id IS NULL;
SELECT id, a FROM t_mod WHERE id IS NOT NULL;
SELECT id, a FROM t_mod WHERE id = 9223372036854775807;
SELECT id, a FROM t_mod WHERE id = -9223372036854775808;
SELECT id, a FROM t_mod WHERE id = 9223372036854775808;
SELECT id, a FROM t_mod WHERE id = 18446744073709551615;
SELECT id, a FROM t_mod WHERE id = 1000000007;
SELECT id, a FROM t_mod WHERE (id) = (7);
SELECT id, a FROM t_mod WHERE id = 3 + 4;
SELECT id, a FROM t_mod WHERE id + 0 = 7;
SELECT id, a FROM t_mod WHERE id = a / 10;
SELECT id, a FROM t_mod WHERE `id` = 7;
SELECT id, a FROM t_mod WHERE t_mod.id = 7;
SELECT x.id, x.a FROM t_mod x WHERE x.id = 7;
SELECT x.id, x.a FROM t_mod AS x WHERE x.id IN (7, 8);
SELECT ID, A FROM t_mod WHERE ID = 7;

-- group lists and ranges
SELECT id FROM t_mod WHERE id IN (1);
SELECT id FROM t_mod WHERE id IN (1, 5, 9);
SELECT id FROM t_mod WHERE id IN (1, 2, 3, 4);
SELECT id FROM t_mod WHERE id IN (1, NULL, 2);
SELECT id FROM t_mod WHERE id IN (-1, -4, 12);
SELECT id FROM t_mod WHERE id IN ('1', '2');
SELECT id FROM t_mod WHERE id IN (1, '2', 3.0);
SELECT id FROM t_mod WHERE id IN (NULL);
SELECT id FROM t_mod WHERE id NOT IN (1, 2);
SELECT id FROM t_mod WHERE id NOT IN (1, NULL);
SELECT id FROM t_mod WHERE id BETWEEN 2 AND 5;
SELECT id FROM t_mod WHERE id BETWEEN 5 AND 2;
SELECT id FROM t_mod WHERE id BETWEEN -4 AND 1;
SELECT id FROM t_mod WHERE id BETWEEN '2' AND 5;
SELECT id FROM t_mod WHERE id BETWEEN 2 AND NULL;
SELECT id FROM t_mod WHERE id NOT BETWEEN 2 AND 11;
SELECT id FROM t_mod WHERE id > 7;
SELECT id FROM t_mod WHERE id >= 7;
SELECT id FROM t_mod WHERE id < 1;
SELECT id FROM t_mod WHERE id <= 0;
SELECT id FROM t_mod WHERE 7 < id;
SELECT id FROM t_mod WHERE id > 3 AND id < 6;
SELECT id FROM t_mod WHERE id >= 4 AND id <= 4;
SELECT id FROM t_mod WHERE id > 6 AND id < 3;
SELECT id FROM t_mod WHERE id <> 3;
SELECT id FROM t_mod WHERE id != 3;

-- group logic
SELECT id FROM t_mod WHERE id = 1 OR id = 6;
SELECT id FROM t_mod WHERE id = 1 AND id = 2;
SELECT id FROM t_mod WHERE id = 1 AND a = 10;
SELECT id FROM t_mod WHERE id = 1 AND a = 11;
SELECT id FROM t_mod WHERE id = 1 OR a = 60;
SELECT id FROM t_mod WHERE (id = 1 OR id = 2) AND (a = 10 OR a = 30);
SELECT id FROM t_mod WHERE id = 1 OR (id = 2 AND a = 20);
SELECT id FROM t_mod WHERE (id = 1 AND a = 10) OR (id = 6 AND s = 'six');
SELECT id FROM t_mod WHERE NOT id = 1;
SELECT id FROM t_mod WHERE NOT (id = 1 OR id = 2);
SELECT id FROM t_mod WHERE NOT (id > 3);
SELECT id FROM t_mod WHERE id = 1 XOR a = 20;
SELECT id FROM t_mod WHERE id IN (1, 2, 3) AND id IN (2, 3, 4);
SELECT id FROM t_mod WHERE id IN (1, 2, 3) AND id > 1;
SELECT id FROM t_mod WHERE id = 1 && a = 10;
SELECT id FROM t_mod WHERE id = 1 || id = 2;
SELECT id FROM t_mod WHERE (id, a) = (1, 10);
SELECT id FROM t_mod WHERE (id, a) IN ((1, 10), (2, 21), (3, 30));
SELECT id FROM t_mod WHERE 1 = 1;
SELECT id FROM t_mod WHERE 1 = 0;
SELECT id FROM t_mod WHERE TRUE;
SELECT id FROM t_mod WHERE id;
SELECT id FROM t_mod WHERE CASE WHEN id = 1 THEN 1 ELSE 0 END;
SELECT id FROM t_mod WHERE IF(id = 5, 1, 0);
SELECT id FROM t_mod WHERE ABS(a) = 70;
SELECT id FROM t_mod WHERE id IN (1, 5) = TRUE;

-- group other columns
SELECT id, a FROM t_mod WHERE a = 10;
SELECT id, a FROM t_mod WHERE a IS NULL;
SELECT id, s FROM t_mod WHERE s LIKE 't%';
SELECT id, s FROM t_mod WHERE s NOT LIKE '%e%';
SELECT id, s FROM t_mod WHERE s REGEXP '^e';
SELECT id, s FROM t_mod WHERE s = 'ONE';
SELECT id, s FROM t_mod WHERE BINARY s = 'ONE';
SELECT id, d FROM t_mod WHERE d > 5.5;
SELECT id, d FROM t_mod WHERE d IS NULL OR a IS NULL;
SELECT id, LENGTH(s) AS n, UPPER(s) FROM t_mod WHERE LENGTH(s) = 3;
SELECT id, a + 1, a * d, CONCAT(s, '-', id) FROM t_mod WHERE id IN (1, 6);
SELECT 1, 'x', NULL, id FROM t_mod WHERE id = 3;
SELECT id AS `the id`, a "quoted" FROM t_mod WHERE id = 3;

-- group comments and form
SELECT /* here */ id FROM t_mod /* there */ WHERE id = 3 -- end
;
SELECT id FROM t_mod WHERE id /*! = */ 3;
select id from t_mod where id=3;
SELECT	id
FROM t_mod
WHERE id = 3;
(SELECT id FROM t_mod WHERE id = 3);
SELECT ALL id FROM t_mod WHERE id = 3;
SELECT SQL_NO_CACHE id FROM t_mod WHERE id = 3;
SELECT id FROM t_mod WHERE id = 3 FOR UPDATE;
SELECT id FROM t_mod WHERE id = 3 LOCK IN SHARE MODE;
SELECT id FROM t_mod WHERE s = 'it''s; not an end';
SELECT id FROM t_mod USE INDEX (PRIMARY) WHERE id = 3;

-- group errors
-- error 1054
SELECT nothing FROM t_mod WHERE id = 1;
-- error 1054
SELECT nothing FROM t_mod;
-- error 1064
SELECT id FROM t_mod WHERE;
-- error 1146
SELECT * FROM t_absent;
-- error 1146
SELECT * FROM t_absent WHERE id = 1;
-- error 1305
SELECT no_such_function(id) FROM t_mod WHERE id = 1;

-- group hints that change no answer
/* SHARDINGSPHERE_HINT: WRITE_ROUTE_ONLY=true, SKIP_SQL_REWRITE=false */ SELECT id, a FROM t_mod WHERE id = 1;
SELECT id, a FROM t_mod WHERE id IN (1, 2) ORDER BY id /* ShardingSphere hint: skipMetadataValidate=true */;
SELECT /* SHARDINGSPHERE_HINT: SHADOW=true, DISABLE_AUDIT_NAMES=a b */ COUNT(*) FROM t_mod;
SELECT id FROM t_mod WHERE id = 2 /* shadow:true, foo:bar */;
/* SHARDINGSPHERE_HINT: USE_TRAFFIC=true */ UPDATE t_mod SET a = a WHERE id = 1;
