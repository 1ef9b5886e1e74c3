//! Both generations of the global file.

use super::*;
use crate::users::native_verifier;

/// `name@host password databases` of each user; the password is recognised by its verifier.
fn users(text: &str) -> Vec<String> {
    let global = read(text).unwrap();
    let line = |user: UserConfig| {
        let known = ["root", "test", "p:w", "123456", ""];
        let password = known
            .iter()
            .find(|password| native_verifier(password.as_bytes()) == user.native_verifier)
            .unwrap();
        let databases = user.databases.map_or("*".to_owned(), |names| names.join("+"));
        format!("{}@{} '{password}' {databases}", user.name, user.host)
    };
    global.users.into_iter().map(line).collect()
}

#[test]
fn the_newer_generation() {
    let text = "
mode:
  type: Standalone
  repository: { type: JDBC }
authority:
  users:
    - user: root@%
      password: root
      admin: true
    - { user: test@, password: test, authenticationMethodName: caching_sha2_password }
    - { user: numbers@10.0.0.%, password: 123456 }
    - { user: open@localhost, password: '' }
  authenticators: { sha: { type: NATIVE } }
  defaultAuthenticator: sha
  privilege:
    type: DATABASE_PERMITTED
    props:
      user-database-mappings: test@%=db_1, test@=db_2, numbers@10.0.0.%=*
transaction: { defaultType: LOCAL }
sqlParser:
  sqlStatementCache: { initialCapacity: 2000, maximumSize: 65535 }
sqlFederation: { sqlFederationEnabled: false, allQueryUseSQLFederation: false }
logging:
  loggers:
    - { loggerName: ShardingSphere-SQL, additivity: true, level: INFO, props: { enable: false } }
props:
  sql-show: true
  max-connections-size-per-query: 1
  proxy-default-port: 3307
  proxy-frontend-database-protocol-type: mysql
";
    assert_eq!(
        users(text),
        [
            "root@% 'root' *",
            "test@% 'test' db_1+db_2",
            "numbers@10.0.0.% '123456' *",
            "open@localhost '' ",
        ]
    );
    let properties = read(text).unwrap().properties;
    let shown: Vec<_> = properties.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        shown,
        [
            "max-connections-size-per-query=1",
            "proxy-default-port=3307",
            "proxy-frontend-database-protocol-type=MySQL",
            "sql-show=true",
        ]
    );
}

#[test]
fn the_older_generation() {
    let text = "
rules:
  - !AUTHORITY
    users:
      - user: root@%
        password: root
      - test@%:test
      - colon@localhost:p:w
    provider:
      type: ALL_PERMITTED
  - !TRANSACTION
    defaultType: LOCAL
    providerType: Atomikos
  - !SQL_PARSER
    sqlCommentParseEnabled: true
    parseTreeCache:
      initialCapacity: 128
      maximumSize: 1024
props:
  proxy-hint-enabled: false
";
    assert_eq!(users(text), ["root@% 'root' *", "test@% 'test' *", "colon@localhost 'p:w' *"]);
}

#[test]
fn empty_sections_are_fine() {
    for text in
        ["", "# only comments\n", "props:\n", "rules:\nauthority:\n", "authority:\n  users:\n"]
    {
        let global = read(text).unwrap();
        assert!(global.users.is_empty() && global.properties.is_empty(), "{text:?}");
    }
}

#[test]
fn errors_name_the_key() {
    let cases = [
        ("athority: {}", "athority"),
        ("authority: { usres: [] }", "usres"),
        (
            "authority: { users: [{ user: a, pasword: b }] }",
            "authority.users[0]: unknown field `pasword`",
        ),
        ("authority: { users: [{ user: a }] }", "authority.users[0]: missing field `password`"),
        ("authority: { users: [{ user: a, password: 1.50 }] }", "password: write 1.5 in quotes"),
        ("authority: { users: [nobody] }", "authority.users[0]: expected name@host:password"),
        ("authority: { users: [{ user: '@%', password: b }] }", "authority.users[0]: user"),
        (
            "authority: { users: [{ user: a, password: b }, { user: a@%, password: c }] }",
            "authority.users[1]: a@% is given twice",
        ),
        ("authority: { privilege: { type: SOME } }", "authority.privilege.type: unknown SOME"),
        (
            "authority: { privilege: { type: DATABASE_PERMITTED } }",
            "user-database-mappings is missing",
        ),
        (
            "authority: { privilege: { type: DATABASE_PERMITTED, props: { user-database-mappings: 'x@%=db' } } }",
            "there is no user x@%",
        ),
        ("mode: { type: Cluster }", "mode.type: Cluster is not supported yet"),
        ("transaction: { defaultType: XA }", "transaction.defaultType: XA is not supported yet"),
        ("rules: [!TRANSACTION { defaultType: BASE }]", "BASE is not supported yet"),
        ("rules: [!TRAFFIC { trafficStrategies: [] }]", "!TRAFFIC is not supported yet"),
        ("rules: [!AUTHORITIES {}]", "AUTHORITIES"),
        ("sqlTranslator: { type: JOOQ }", "sqlTranslator.type: JOOQ"),
        ("globalClock: { enabled: true }", "globalClock.enabled"),
        ("props: { sql-shout: true }", "props: unknown property sql-shout"),
        ("props: { sql-show: perhaps }", "props.sql-show: expected true or false, found 'perhaps'"),
        ("props: [", "line 1"),
    ];
    for (text, expected) in cases {
        let error = read(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
