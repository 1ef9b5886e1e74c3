# Sharding columns of decimals, dates and times, and ranges of numbers.
-- group set-up
DROP TABLE IF EXISTS t_price;
DROP TABLE IF EXISTS t_decimal;
DROP TABLE IF EXISTS t_volume;
DROP TABLE IF EXISTS t_moment;
DROP TABLE IF EXISTS t_date;
CREATE TABLE t_price (price DECIMAL(10,2) NOT NULL, n INT);
CREATE TABLE t_decimal (price DECIMAL(12,3) NOT NULL, n INT);
CREATE TABLE t_volume (id BIGINT NOT NULL PRIMARY KEY, n INT);
CREATE TABLE t_moment (at DATETIME(3) NOT NULL, n INT);
CREATE TABLE t_date (at DATE NOT NULL, n INT);
-- tables t_price
INSERT INTO t_price VALUES (-5.5, 1), (-1, 2), (-1.01, 3), (0, 4), (9.99, 5), (9.995, 6), (10, 7), (99.999, 8), (100, 9), ('12.34', 10), (5.00, 11), (-0.001, 12);
-- tables t_decimal
INSERT INTO t_decimal VALUES (-5.5, 1), (-1, 2), (-0.25, 3), (0, 4), (9.9995, 5), (10, 6), (3.75, 7), (123456789.125, 8);
-- tables t_volume
INSERT INTO t_volume VALUES (-9223372036854775808, 1), (-1, 2), (0, 3), (9, 4), (10, 5), (29, 6), (30, 7), (9223372036854775807, 8);
-- tables t_moment
INSERT INTO t_moment VALUES ('2023-12-31 23:59:59.999', 1), ('2024-01-01', 2), ('2024-01-01 00:00:00.001', 3), ('2024-1-2 3:4:5', 4), ('2024-01-03T10:00:00', 5), ('2024-01-03 10:00:00.500', 6), ('2031-07-08 09:10:11', 7);
-- tables t_date
INSERT INTO t_date VALUES ('2023-12-31', 1), ('2024-01-01', 2), ('2024-1-2', 3), ('2024-01-04', 4), ('2031-07-08', 5);

-- group decimals
SELECT * FROM t_price WHERE price = 9.99;
SELECT * FROM t_price WHERE price = 10;
SELECT n FROM t_price WHERE price = 10.00;
SELECT n FROM t_price WHERE price = '10';
SELECT n FROM t_price WHERE price = '9.99';
SELECT n FROM t_price WHERE price = 1e1;
SELECT n FROM t_price WHERE price = 9.999;
SELECT n FROM t_price WHERE price IN (5, -5.5, 12.34, 100);
SELECT n FROM t_price WHERE price BETWEEN -1 AND 9.995 ORDER BY n;
SELECT n FROM t_price WHERE price > 9.995 ORDER BY n;
SELECT n FROM t_price WHERE price >= -1.005 AND price < 10.001 ORDER BY n;
SELECT n FROM t_price WHERE price <= -1 ORDER BY n;
SELECT n FROM t_price WHERE price > '9' AND price < '13' ORDER BY n;
SELECT n FROM t_price WHERE price = NULL;
SELECT n FROM t_decimal WHERE price = -5.5;
SELECT n FROM t_decimal WHERE price = 123456789.125;
SELECT n FROM t_decimal WHERE price = -0.250;
SELECT n FROM t_decimal WHERE price BETWEEN -6 AND -1 ORDER BY n;
SELECT n FROM t_decimal WHERE price BETWEEN -0.3 AND 0.3 ORDER BY n;
SELECT n FROM t_decimal WHERE price > 3.7 AND price < 3.8;
UPDATE t_price SET n = n + 100 WHERE price = 10;
DELETE FROM t_price WHERE price < -1;
SELECT price, n FROM t_price ORDER BY price, n;

-- group ranges
SELECT * FROM t_volume WHERE id = 9;
SELECT * FROM t_volume WHERE id = 30;
SELECT * FROM t_volume WHERE id BETWEEN 9 AND 10 ORDER BY id;
SELECT * FROM t_volume WHERE id < 0 ORDER BY id;
SELECT * FROM t_volume WHERE id > 28.5 ORDER BY id;
SELECT * FROM t_volume WHERE id >= 9223372036854775807;
SELECT * FROM t_volume WHERE id IN (-1, 0, 29);
SELECT * FROM t_volume WHERE id = '29';

-- group moments
SELECT n FROM t_moment WHERE at = '2024-01-01';
SELECT n FROM t_moment WHERE at = '2024-01-01 00:00:00.001';
SELECT n FROM t_moment WHERE at = '2024-01-02 03:04:05';
SELECT n FROM t_moment WHERE at = '2024-1-3 10:0:0.5';
SELECT n FROM t_moment WHERE at = '20240101';
SELECT n FROM t_moment WHERE at = 20240102030405;
SELECT n FROM t_moment WHERE at = '2024-01-03 10:00:00.5004';
SELECT n FROM t_moment WHERE at BETWEEN '2024-01-01' AND '2024-01-02' ORDER BY n;
SELECT n FROM t_moment WHERE at >= '2024-01-03 10:00:00.0004' ORDER BY n;
SELECT n FROM t_moment WHERE at > '2024-01-03 10:00:00' AND at < '2024-01-04' ORDER BY n;
SELECT n FROM t_moment WHERE at < 20240102 ORDER BY n;
SELECT n FROM t_moment WHERE at < '2024-01-01 00:00:00.0009' ORDER BY n;
SELECT n FROM t_moment WHERE at IN ('2024-01-01', '2031-07-08 09:10:11');
SELECT n FROM t_moment WHERE at > NULL;
SELECT n FROM t_date WHERE at = '2024-01-02';
SELECT n FROM t_date WHERE at = '2024-01-02 00:00:00';
SELECT n FROM t_date WHERE at = '2024-01-02 10:00:00';
SELECT n FROM t_date WHERE at = 20240102;
SELECT n FROM t_date WHERE at > '2024-01-01 10:00:00' ORDER BY n;
SELECT n FROM t_date WHERE at <= '2024-01-02 10:00:00' ORDER BY n;
SELECT n FROM t_date WHERE at BETWEEN '2024-01-01' AND '2024-01-04' ORDER BY n;
DELETE FROM t_moment WHERE at < '2024-01-01 00:00:00.0005';
UPDATE t_date SET n = n + 10 WHERE at >= '2024-01-02';
SELECT at, n FROM t_moment ORDER BY at;
SELECT at, n FROM t_date ORDER BY at;
