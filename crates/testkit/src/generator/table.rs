//! The world the statements speak of: sharded, single and broadcast tables with columns of every
//! common type, their collations chosen by the seed.

use std::collections::BTreeSet;

use crate::random::Random;

/// The kind of a generated column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers, negative ones too.
    Int,
    /// Whole numbers from 0 to the greatest of 64 bits.
    UnsignedBigint,
    /// Words with letters of both cases, accents and trailing blanks.
    Text,
    /// Exact fractions.
    Decimal,
    /// Days with a time.
    Datetime,
    /// Days.
    Date,
    /// Floating point numbers that are exact in binary.
    Double,
}

impl Kind {
    /// True for numbers that have exact sums.
    pub(crate) fn is_exact_number(self) -> bool {
        matches!(self, Self::Int | Self::UnsignedBigint | Self::Decimal)
    }
}

/// A column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Its type with everything behind it.
    pub definition: String,
    /// It may be NULL.
    pub is_nullable: bool,
}

/// Where the rows of a table are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spread {
    /// Over the units by this column, algorithm and count of shards.
    Sharded { column: &'static str, algorithm: &'static str, count: u32 },
    /// All in the unit of this number.
    Single(usize),
    /// In every unit.
    Broadcast,
}

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Where its rows are.
    pub spread: Spread,
    /// Its columns; the primary key is the first.
    pub columns: Vec<Column>,
    /// Keys that are taken.
    pub(crate) used: BTreeSet<i64>,
    /// Numbers of its key lie between these.
    pub(crate) keys: (i64, i64),
}

impl Table {
    /// The statement that makes it.
    #[must_use]
    pub fn create(&self) -> String {
        let columns = self
            .columns
            .iter()
            .map(|column| {
                let null = if column.is_nullable { "NULL" } else { "NOT NULL" };
                format!("{} {} {null}", column.name, column.definition)
            })
            .collect::<Vec<_>>()
            .join(", ");
        format!("CREATE TABLE {} ({columns}, PRIMARY KEY ({}))", self.name, self.primary_key())
    }

    /// The columns of its primary key: the first, and the sharding column where that is another.
    pub(crate) fn primary_key(&self) -> String {
        let first = self.columns[0].name;
        match self.spread {
            Spread::Sharded { column, .. } if column != first => format!("{first}, {column}"),
            _ => first.to_owned(),
        }
    }

    /// Columns of one of these kinds.
    pub(crate) fn of_kind(&self, is_wanted: fn(Kind) -> bool) -> Vec<Column> {
        self.columns.iter().filter(|column| is_wanted(column.kind)).cloned().collect()
    }
}

const COLLATIONS: &[&str] = &[
    "utf8mb4 COLLATE utf8mb4_general_ci",
    "utf8mb4 COLLATE utf8mb4_bin",
    "utf8mb4 COLLATE utf8mb4_unicode_520_ci",
    "utf8mb4 COLLATE utf8mb4_unicode_ci",
    "latin1 COLLATE latin1_swedish_ci",
];

fn column(name: &'static str, kind: Kind, definition: &str, is_nullable: bool) -> Column {
    Column { name, kind, definition: definition.to_owned(), is_nullable }
}

fn text(name: &'static str, random: &mut Random) -> Column {
    let definition = format!("VARCHAR(20) CHARACTER SET {}", random.pick(COLLATIONS));
    column(name, Kind::Text, &definition, true)
}

fn table(name: &'static str, spread: Spread, keys: (i64, i64), columns: Vec<Column>) -> Table {
    Table { name, spread, columns, used: BTreeSet::new(), keys }
}

/// The tables.
pub(crate) fn world(random: &mut Random) -> Vec<Table> {
    let mut tables = bound(random);
    tables.extend(sharded(random));
    tables.extend(whole(random));
    tables
}

fn by(column: &'static str, algorithm: &'static str, count: u32) -> Spread {
    Spread::Sharded { column, algorithm, count }
}

/// Two tables of one binding group.
fn bound(random: &mut Random) -> Vec<Table> {
    let order = vec![
        column("id", Kind::Int, "BIGINT", false),
        column("user_id", Kind::Int, "INT", false),
        text("code", random),
        column("amount", Kind::Decimal, "DECIMAL(12,3)", true),
        column("made", Kind::Datetime, "DATETIME(3)", true),
        column("u", Kind::UnsignedBigint, "BIGINT UNSIGNED", true),
    ];
    let item = vec![
        column("item_id", Kind::Int, "INT", false),
        column("order_id", Kind::Int, "BIGINT", false),
        text("name", random),
        column("price", Kind::Decimal, "DECIMAL(10,2)", true),
        column("qty", Kind::Int, "SMALLINT", true),
        column("day", Kind::Date, "DATE", true),
    ];
    vec![
        table("f_order", by("id", "MOD", 4), (-60, 60), order),
        table("f_item", by("order_id", "MOD", 4), (0, 300), item),
    ]
}

/// Two tables that are sharded for themselves.
fn sharded(random: &mut Random) -> Vec<Table> {
    let mixed = vec![
        column("k", Kind::Int, "INT", false),
        column("a", Kind::Int, "INT", true),
        text("s", random),
        column("x", Kind::Double, "DOUBLE", true),
        column("d", Kind::Decimal, "DECIMAL(20,6)", true),
    ];
    let unsigned = vec![
        column("id", Kind::UnsignedBigint, "BIGINT UNSIGNED", false),
        column("a", Kind::Int, "TINYINT", true),
        text("s", random),
        column("m", Kind::Datetime, "DATETIME", true),
    ];
    vec![
        table("f_mixed", by("k", "HASH_MOD", 7), (-40, 80), mixed),
        table("f_unsigned", by("id", "MOD", 3), (0, 90), unsigned),
    ]
}

/// Tables that are whole in one unit, or in each.
fn whole(random: &mut Random) -> Vec<Table> {
    let one = vec![
        column("id", Kind::Int, "INT", false),
        column("user_id", Kind::Int, "INT", true),
        text("label", random),
    ];
    let two = vec![
        column("id", Kind::Int, "INT", false),
        column("score", Kind::Decimal, "DECIMAL(8,2)", true),
        text("label", random),
    ];
    let dict = vec![
        column("id", Kind::Int, "INT", false),
        text("word", random),
        column("weight", Kind::Int, "INT", true),
    ];
    vec![
        table("f_one", Spread::Single(0), (0, 80), one),
        table("f_two", Spread::Single(2), (0, 80), two),
        table("f_dict", Spread::Broadcast, (0, 80), dict),
    ]
}
