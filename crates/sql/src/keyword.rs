//! Key words: those that cannot be names, and those that are words only where the grammar asks.

macro_rules! keywords {
    (reserved { $($reserved:ident $reserved_text:literal,)* }
     plain { $($plain:ident $plain_text:literal,)* }) => {
        /// A word that the grammar knows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        #[rustfmt::skip]
        pub enum Keyword {
            $(#[doc = $reserved_text] $reserved,)*
            $(#[doc = $plain_text] $plain,)*
            /// Not a key word.
            Absent,
        }

        const WORDS: &[(&str, Keyword)] = &[
            $(($reserved_text, Keyword::$reserved),)*
            $(($plain_text, Keyword::$plain),)*
        ];
        const RESERVED_COUNT: usize = [$($reserved_text),*].len();
    };
}

// Reserved are the words that both MySQL 8.4 and MariaDB reserve. What only one of them reserves
// (`rank`, `groups`, `system`, ..) is the name of somebody's column on the other.
//
// Source: MySQL 8.4 manual, "Keywords and Reserved Words"; MariaDB knowledge base, "Reserved Words".
keywords! {
    reserved {
        Accessible "ACCESSIBLE", Add "ADD", All "ALL", Alter "ALTER", Analyze "ANALYZE", And "AND",
        As "AS", Asc "ASC", Asensitive "ASENSITIVE", Before "BEFORE", Between "BETWEEN",
        Bigint "BIGINT", Binary "BINARY", Blob "BLOB", Both "BOTH", By "BY", Call "CALL",
        Cascade "CASCADE", Case "CASE", Change "CHANGE", Char "CHAR", Character "CHARACTER",
        Check "CHECK", Collate "COLLATE", Column "COLUMN", Condition "CONDITION",
        Constraint "CONSTRAINT", Continue "CONTINUE", Convert "CONVERT", Create "CREATE",
        Cross "CROSS", CurrentDate "CURRENT_DATE", CurrentTime "CURRENT_TIME",
        CurrentTimestamp "CURRENT_TIMESTAMP", CurrentUser "CURRENT_USER", Cursor "CURSOR",
        Database "DATABASE", Databases "DATABASES", DayHour "DAY_HOUR",
        DayMicrosecond "DAY_MICROSECOND", DayMinute "DAY_MINUTE", DaySecond "DAY_SECOND",
        Dec "DEC", Decimal "DECIMAL", Declare "DECLARE", Default "DEFAULT", Delayed "DELAYED",
        Delete "DELETE", Desc "DESC", Describe "DESCRIBE", Deterministic "DETERMINISTIC",
        Distinct "DISTINCT", Distinctrow "DISTINCTROW", Div "DIV", Double "DOUBLE", Drop "DROP",
        Dual "DUAL", Each "EACH", Else "ELSE", Elseif "ELSEIF", Enclosed "ENCLOSED",
        Escaped "ESCAPED", Except "EXCEPT", Exists "EXISTS", Exit "EXIT", Explain "EXPLAIN",
        False "FALSE", Fetch "FETCH", Float "FLOAT", Float4 "FLOAT4", Float8 "FLOAT8", For "FOR",
        Force "FORCE", Foreign "FOREIGN", From "FROM", Fulltext "FULLTEXT", Grant "GRANT",
        Group "GROUP", Having "HAVING", HighPriority "HIGH_PRIORITY",
        HourMicrosecond "HOUR_MICROSECOND", HourMinute "HOUR_MINUTE", HourSecond "HOUR_SECOND",
        If "IF", Ignore "IGNORE", In "IN", Index "INDEX", Infile "INFILE", Inner "INNER",
        Inout "INOUT", Insensitive "INSENSITIVE", Insert "INSERT", Int "INT", Int1 "INT1",
        Int2 "INT2", Int3 "INT3", Int4 "INT4", Int8 "INT8", Integer "INTEGER",
        Intersect "INTERSECT", Interval "INTERVAL", Into "INTO", Is "IS", Iterate "ITERATE",
        Join "JOIN", Key "KEY", Keys "KEYS", Kill "KILL", Leading "LEADING", Leave "LEAVE",
        Left "LEFT", Like "LIKE", Limit "LIMIT", Linear "LINEAR", Lines "LINES", Load "LOAD",
        Localtime "LOCALTIME", Localtimestamp "LOCALTIMESTAMP", Lock "LOCK", Long "LONG",
        Longblob "LONGBLOB", Longtext "LONGTEXT", Loop "LOOP", LowPriority "LOW_PRIORITY",
        Match "MATCH", Maxvalue "MAXVALUE", Mediumblob "MEDIUMBLOB", Mediumint "MEDIUMINT",
        Mediumtext "MEDIUMTEXT", Middleint "MIDDLEINT", MinuteMicrosecond "MINUTE_MICROSECOND",
        MinuteSecond "MINUTE_SECOND", Mod "MOD", Modifies "MODIFIES", Natural "NATURAL", Not "NOT",
        NoWriteToBinlog "NO_WRITE_TO_BINLOG", Null "NULL", Numeric "NUMERIC", On "ON",
        Optimize "OPTIMIZE", Option "OPTION", Optionally "OPTIONALLY", Or "OR", Order "ORDER",
        Out "OUT", Outer "OUTER", Outfile "OUTFILE", Over "OVER", Partition "PARTITION",
        Precision "PRECISION", Primary "PRIMARY", Procedure "PROCEDURE", Purge "PURGE",
        Range "RANGE", Read "READ", Reads "READS", ReadWrite "READ_WRITE", Real "REAL",
        Recursive "RECURSIVE", References "REFERENCES", Regexp "REGEXP", Release "RELEASE",
        Rename "RENAME", Repeat "REPEAT", Replace "REPLACE", Require "REQUIRE",
        Resignal "RESIGNAL", Restrict "RESTRICT", Return "RETURN", Revoke "REVOKE", Right "RIGHT",
        Rlike "RLIKE", Rows "ROWS", Schema "SCHEMA", Schemas "SCHEMAS",
        SecondMicrosecond "SECOND_MICROSECOND", Select "SELECT", Sensitive "SENSITIVE",
        Separator "SEPARATOR", Set "SET", Show "SHOW", Signal "SIGNAL", Smallint "SMALLINT",
        Spatial "SPATIAL", Specific "SPECIFIC", Sql "SQL", Sqlexception "SQLEXCEPTION",
        Sqlstate "SQLSTATE", Sqlwarning "SQLWARNING", SqlBigResult "SQL_BIG_RESULT",
        SqlCalcFoundRows "SQL_CALC_FOUND_ROWS", SqlSmallResult "SQL_SMALL_RESULT", Ssl "SSL",
        Starting "STARTING", StraightJoin "STRAIGHT_JOIN", Table "TABLE", Terminated "TERMINATED",
        Then "THEN", Tinyblob "TINYBLOB", Tinyint "TINYINT", Tinytext "TINYTEXT", To "TO",
        Trailing "TRAILING", Trigger "TRIGGER", True "TRUE", Undo "UNDO", Union "UNION",
        Unique "UNIQUE", Unlock "UNLOCK", Unsigned "UNSIGNED", Update "UPDATE", Usage "USAGE",
        Use "USE", Using "USING", UtcDate "UTC_DATE", UtcTime "UTC_TIME",
        UtcTimestamp "UTC_TIMESTAMP", Values "VALUES", Varbinary "VARBINARY", Varchar "VARCHAR",
        Varcharacter "VARCHARACTER", Varying "VARYING", When "WHEN", Where "WHERE", While "WHILE",
        Window "WINDOW", With "WITH", Write "WRITE", Xor "XOR", YearMonth "YEAR_MONTH",
        Zerofill "ZEROFILL",
    }
    plain {
        Action "ACTION", After "AFTER", Against "AGAINST", Aggregate "AGGREGATE",
        Algorithm "ALGORITHM", Always "ALWAYS", Any "ANY", Ascii "ASCII", Atomic "ATOMIC",
        Authors "AUTHORS", AutoIncrement "AUTO_INCREMENT", AvgRowLength "AVG_ROW_LENGTH",
        Backup "BACKUP", Begin "BEGIN", Binlog "BINLOG", Bit "BIT", Bool "BOOL", Boolean "BOOLEAN",
        Btree "BTREE", Byte "BYTE", Cache "CACHE", Cascaded "CASCADED", Chain "CHAIN",
        Changed "CHANGED", Channel "CHANNEL", Charset "CHARSET", Checksum "CHECKSUM",
        Clone "CLONE", Close "CLOSE", Coalesce "COALESCE", Code "CODE", Collation "COLLATION",
        Columns "COLUMNS", Comment "COMMENT", Commit "COMMIT", Committed "COMMITTED",
        Compact "COMPACT", Compressed "COMPRESSED", Compression "COMPRESSION",
        Concurrent "CONCURRENT", Concurrently "CONCURRENTLY", Connection "CONNECTION",
        Consistent "CONSISTENT", Contains "CONTAINS", Contributors "CONTRIBUTORS", Count "COUNT",
        Cube "CUBE", Current "CURRENT", Cycle "CYCLE", Data "DATA", Date "DATE",
        Datetime "DATETIME", Day "DAY", Deallocate "DEALLOCATE", Definer "DEFINER",
        DelayKeyWrite "DELAY_KEY_WRITE", Delimiter "DELIMITER", Directory "DIRECTORY",
        Disable "DISABLE", Discard "DISCARD", Do "DO", Dumpfile "DUMPFILE", Duplicate "DUPLICATE",
        Dynamic "DYNAMIC", Enable "ENABLE", End "END", Engine "ENGINE", Engines "ENGINES",
        EngineAttribute "ENGINE_ATTRIBUTE", Enum "ENUM", Error "ERROR", Errors "ERRORS",
        Escape "ESCAPE", Event "EVENT", Events "EVENTS", Exchange "EXCHANGE", Exclude "EXCLUDE",
        Execute "EXECUTE", Expansion "EXPANSION", Extended "EXTENDED", Extract "EXTRACT",
        Fast "FAST", Fields "FIELDS", First "FIRST", Fixed "FIXED", Flush "FLUSH",
        Following "FOLLOWING", Format "FORMAT", Full "FULL", Function "FUNCTION",
        Generated "GENERATED", Geometry "GEOMETRY", Get "GET", Global "GLOBAL", Grants "GRANTS",
        Groups "GROUPS", GroupConcat "GROUP_CONCAT", Handler "HANDLER", Hard "HARD", Hash "HASH",
        Help "HELP", Host "HOST", Hosts "HOSTS", Hour "HOUR", Identified "IDENTIFIED",
        Immediate "IMMEDIATE", Import "IMPORT", Increment "INCREMENT", Indexes "INDEXES",
        InsertMethod "INSERT_METHOD", Install "INSTALL", Invisible "INVISIBLE", Invoker "INVOKER",
        Isolation "ISOLATION", Json "JSON", JsonTable "JSON_TABLE", KeyBlockSize "KEY_BLOCK_SIZE",
        Language "LANGUAGE", Last "LAST", Lateral "LATERAL", Less "LESS", Level "LEVEL",
        List "LIST", Local "LOCAL", Locked "LOCKED", Logfile "LOGFILE", Logs "LOGS",
        Master "MASTER", Medium "MEDIUM", Member "MEMBER", Merge "MERGE",
        Microsecond "MICROSECOND", Migrate "MIGRATE", Minute "MINUTE", Minvalue "MINVALUE",
        Mode "MODE", Modify "MODIFY", Month "MONTH", Names "NAMES", National "NATIONAL",
        Nchar "NCHAR", Next "NEXT", No "NO", Nocache "NOCACHE", Nocycle "NOCYCLE", None "NONE",
        Nowait "NOWAIT", Nulls "NULLS", Nvarchar "NVARCHAR", Of "OF", Offset "OFFSET", One "ONE",
        Only "ONLY", Open "OPEN", Options "OPTIONS", Others "OTHERS", PackKeys "PACK_KEYS",
        Page "PAGE", Parser "PARSER", Partitions "PARTITIONS", Password "PASSWORD",
        Period "PERIOD", Persist "PERSIST", PersistOnly "PERSIST_ONLY", Phase "PHASE",
        Plugins "PLUGINS", Position "POSITION", Preceding "PRECEDING", Prepare "PREPARE",
        Prev "PREV", Privileges "PRIVILEGES", Processlist "PROCESSLIST", Profile "PROFILE",
        Profiles "PROFILES", Qualify "QUALIFY", Quarter "QUARTER", Query "QUERY", Quick "QUICK",
        Rebuild "REBUILD", Recover "RECOVER", Relaylog "RELAYLOG", Reorganize "REORGANIZE",
        Repair "REPAIR", Repeatable "REPEATABLE", Replica "REPLICA", Replicas "REPLICAS",
        Reset "RESET", Resource "RESOURCE", Restart "RESTART", Resume "RESUME",
        Returning "RETURNING", Role "ROLE", Rollback "ROLLBACK", Rollup "ROLLUP",
        Routine "ROUTINE", Row "ROW", RowFormat "ROW_FORMAT", Savepoint "SAVEPOINT",
        Schedule "SCHEDULE", Second "SECOND", Security "SECURITY", Sequence "SEQUENCE",
        Serial "SERIAL", Serializable "SERIALIZABLE", Server "SERVER", Session "SESSION",
        Share "SHARE", Shutdown "SHUTDOWN", Signed "SIGNED", Simple "SIMPLE", Skip "SKIP",
        Slave "SLAVE", Snapshot "SNAPSHOT", Soft "SOFT", Some "SOME", Sounds "SOUNDS",
        Source "SOURCE", SqlBufferResult "SQL_BUFFER_RESULT", SqlCache "SQL_CACHE",
        SqlNoCache "SQL_NO_CACHE", Start "START", Statement "STATEMENT", Status "STATUS",
        Stop "STOP", Storage "STORAGE", Stored "STORED", Subpartition "SUBPARTITION",
        Substr "SUBSTR", Substring "SUBSTRING", Suspend "SUSPEND", System "SYSTEM",
        SystemTime "SYSTEM_TIME", Tables "TABLES", Tablesample "TABLESAMPLE",
        Tablespace "TABLESPACE", Temporary "TEMPORARY", Temptable "TEMPTABLE", Text "TEXT",
        Ties "TIES", Time "TIME", Timestamp "TIMESTAMP", Traditional "TRADITIONAL",
        Transaction "TRANSACTION", Tree "TREE", Triggers "TRIGGERS", Trim "TRIM",
        Truncate "TRUNCATE", Type "TYPE", Unbounded "UNBOUNDED", Uncommitted "UNCOMMITTED",
        Undefined "UNDEFINED", Unicode "UNICODE", Uninstall "UNINSTALL", Unknown "UNKNOWN",
        Upgrade "UPGRADE", User "USER", UseFrm "USE_FRM", Validation "VALIDATION", Value "VALUE",
        Variables "VARIABLES", Versioning "VERSIONING", View "VIEW", Virtual "VIRTUAL",
        Visible "VISIBLE", Warnings "WARNINGS", Week "WEEK", WeightString "WEIGHT_STRING",
        Without "WITHOUT", Work "WORK", Xa "XA", Xml "XML", Year "YEAR",
    }
}

impl Keyword {
    /// The key word that an unquoted word is, in any case; [`Keyword::Absent`] if it is none.
    pub fn of(word: &[u8]) -> Self {
        if word.len() > MAX_LENGTH {
            return Self::Absent;
        }
        let mut slot = hash(word);
        loop {
            let Some(&(text, keyword)) = WORDS.get(TABLE[slot] as usize) else {
                return Self::Absent;
            };
            if text.as_bytes().eq_ignore_ascii_case(word) {
                return keyword;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// True when it cannot be a name without quotes.
    pub const fn is_reserved(self) -> bool {
        (self as usize) < RESERVED_COUNT
    }

    /// In upper case; empty for [`Keyword::Absent`].
    pub fn text(self) -> &'static str {
        WORDS.get(self as usize).map_or("", |(text, _)| text)
    }
}

const SLOTS: usize = 2048;
const EMPTY: u16 = u16::MAX;
const MAX_LENGTH: usize = 20;

/// Open addressing, filled at compile time.
static TABLE: [u16; SLOTS] = {
    let mut table = [EMPTY; SLOTS];
    let mut index = 0;
    while index < WORDS.len() {
        let word = WORDS[index].0.as_bytes();
        assert!(word.len() <= MAX_LENGTH);
        let mut slot = hash(word);
        while table[slot] != EMPTY {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = index as u16;
        index += 1;
    }
    table
};

/// FNV-1a over the letters without regard to case.
const fn hash(word: &[u8]) -> usize {
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < word.len() {
        hash = (hash ^ (word[at] | 0x20) as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_in_any_case() {
        for &(text, keyword) in WORDS {
            assert_eq!(Keyword::of(text.as_bytes()), keyword);
            assert_eq!(Keyword::of(text.to_ascii_lowercase().as_bytes()), keyword);
            assert_eq!(keyword.text(), text);
        }
    }

    #[test]
    fn other_words_are_none() {
        for word in ["", "sbtest1", "selec", "selects", "a_word_longer_than_any_key_word", "\u{e9}"]
        {
            assert_eq!(Keyword::of(word.as_bytes()), Keyword::Absent, "{word}");
        }
    }

    #[test]
    fn only_words_that_both_servers_reserve_are_reserved() {
        assert!(Keyword::Select.is_reserved() && Keyword::Zerofill.is_reserved());
        assert!(!Keyword::Groups.is_reserved() && !Keyword::Absent.is_reserved());
    }
}
