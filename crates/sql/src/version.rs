//! The server version that decides which executable comments count.

/// Whose comments are executed, and up to which version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ServerVersion {
    /// Every executable comment counts.
    #[default]
    Any,
    /// MySQL, e.g. `80404`.
    MySql(u32),
    /// MariaDB, e.g. `101106`.
    MariaDb(u32),
}

impl ServerVersion {
    /// True when `/*!NNNNN .. */` counts. `required` is 0 without a number.
    ///
    /// MariaDB leaves out what is meant for MySQL 5.7 to 9.
    ///
    /// # Source
    /// MariaDB knowledge base, "Comment Syntax".
    pub const fn executes(self, required: u32) -> bool {
        match self {
            Self::Any => true,
            Self::MySql(version) => required <= version,
            Self::MariaDb(version) => {
                required <= version && (required < 50_700 || required > 99_999)
            }
        }
    }

    /// True when `/*M!NNNNNN .. */` counts.
    pub const fn executes_mariadb(self, required: u32) -> bool {
        match self {
            Self::Any => true,
            Self::MySql(_) => false,
            Self::MariaDb(version) => required <= version,
        }
    }
}
