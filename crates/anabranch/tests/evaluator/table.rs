//! The table whose columns the expressions use.

/// One column of each type that is computed with, and strings of several collations.
pub(crate) const CREATE: &str = "CREATE TABLE cells (
    id INT NOT NULL PRIMARY KEY, i INT, b BIGINT, u BIGINT UNSIGNED, n DECIMAL(10,2),
    m DECIMAL(20,6), d DOUBLE, s VARCHAR(40), k VARCHAR(40) COLLATE utf8mb4_bin,
    v VARBINARY(20), dt DATE, ts DATETIME, tf DATETIME(3), tm TIME, tt TIME(2)
) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci";

/// Its rows: usual values, limits, NULLs, strings that are numbers and strings that are not.
pub(crate) const INSERT: &str = "INSERT INTO cells VALUES
    (1, 1, 10, 100, 1.50, 2.000001, 0.5, 'abc', 'abc', 'abc', '2024-01-31', '2024-01-31 10:11:12',
     '2024-01-31 10:11:12.345', '10:11:12', '10:11:12.34'),
    (2, -7, -9223372036854775808, 18446744073709551615, -99999999.99, 12345678901234.567891,
     -1e100, '12', '12', '12', '1999-12-31', '1999-12-31 23:59:59', '1999-12-31 23:59:59.999',
     '-838:59:59', '-00:00:00.50'),
    (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (4, 0, 0, 0, 0.00, 0.000000, 0, '', '', '', '2000-02-29', '2000-02-29 00:00:00',
     '2000-02-29 00:00:00.000', '00:00:00', '00:00:00.00'),
    (5, 2147483647, 9223372036854775807, 9223372036854775808, 0.05, -0.000005, 1.25e-7, 'ABC ',
     'ABC ', 'ABC ', '9999-12-31', '9999-12-31 23:59:59', '1000-01-01 00:00:00.001', '838:59:59',
     '99:59:59.99'),
    (6, 42, 1000000, 7, 2.25, 3.141593, 2.5, '1.5e2x', 'Äß漢', x'00ff7f', '2023-03-01',
     '2023-03-01 12:00:00', '2023-03-01 12:00:00.500', '23:59:59', '01:02:03.04')";
