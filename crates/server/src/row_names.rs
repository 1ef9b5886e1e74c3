//! Logical names in the rows of SHOW, and variables that are the proxy's own: a storage unit would
//! show its actual tables and what holds for its own connection.

use kernel::plan::{Relabel, RowNames};
use protocol::field::{Cursor, write_lenenc_bytes};
use protocol::response::ResponseKind;
use sql::{Lexer, ServerVersion, SqlMode, TokenKind};

use crate::execute::Passing;
use crate::session::Session;

/// A row as the client must see it; `None` when it is right as it is.
pub(crate) fn edit(
    session: &Session,
    passing: &Passing<'_>,
    columns: u64,
    row: &[u8],
) -> Option<Vec<u8>> {
    if passing.row_names == RowNames::Same || columns < 2 {
        return None;
    }
    let head = match passing.kind {
        // A zero, and a bit a column with two bits in front.
        ResponseKind::StmtExecute => 1 + (usize::try_from(columns).ok()? + 9) / 8,
        _ => 0,
    };
    let mut cursor = Cursor::new(row.get(head..)?);
    let first = cursor.read_lenenc_bytes().ok()?;
    let second = if passing.row_names == RowNames::Table {
        None
    } else {
        Some(cursor.read_lenenc_bytes().ok()?)
    };
    let (first, second) = match (passing.row_names, second) {
        (RowNames::Variables, Some(value)) => {
            (first.to_vec(), Some(variable(session, first, value)?))
        }
        (_, second) => {
            let relabel = passing.relabel?;
            let logical = logical_name(relabel, first)?;
            let text = second.map(|text| definition(text, session.mode, (first, logical), relabel));
            (logical.as_bytes().to_vec(), text)
        }
    };
    let mut edited = row[..head].to_vec();
    write_lenenc_bytes(&mut edited, &first);
    if let Some(second) = second {
        write_lenenc_bytes(&mut edited, &second);
    }
    edited.extend_from_slice(cursor.read_rest());
    Some(edited)
}

/// The value of a variable that is the proxy's own.
fn variable(session: &Session, name: &[u8], value: &[u8]) -> Option<Vec<u8>> {
    let shared = &session.worker.shared;
    match name {
        b"max_allowed_packet" => {
            let of_unit: u64 = std::str::from_utf8(value).ok()?.parse().ok()?;
            let limit = shared.options.limits.max_allowed_packet;
            Some(of_unit.min(limit).to_string().into_bytes())
        }
        b"version" => {
            let announced = shared.announced_version();
            // MariaDB puts this before its version in greetings only.
            Some(announced.strip_prefix("5.5.5-").unwrap_or(&announced).as_bytes().to_vec())
        }
        b"pseudo_thread_id" => Some(session.entered.handle().id.to_string().into_bytes()),
        _ => None,
    }
}

fn logical_name<'r>(relabel: &'r Relabel, actual: &[u8]) -> Option<&'r str> {
    relabel.tables.iter().find_map(|(nodes, logical)| {
        let is_node = nodes.iter().any(|node| node.actual_table.as_bytes() == actual);
        is_node.then_some(&**logical)
    })
}

/// CREATE TABLE as one server would show it: tables have their logical names, and names of constraints
/// lose what each node has added to them.
fn definition(
    text: &[u8],
    mode: SqlMode,
    (actual, logical): (&[u8], &str),
    relabel: &Relabel,
) -> Vec<u8> {
    let mut lexer = Lexer::new(text, mode, ServerVersion::default());
    let (mut edited, mut from) = (Vec::with_capacity(text.len()), 0);
    let mut before: &[u8] = b"";
    loop {
        let token = lexer.next_token();
        if matches!(token.kind, TokenKind::End | TokenKind::Error(_)) {
            break;
        }
        let written = token.span.of(text);
        if let Some(name) = name_of(token.kind, written) {
            let is = |word: &[u8]| before.eq_ignore_ascii_case(word);
            let renamed = if is(b"TABLE") && name == actual {
                Some(logical.as_bytes().to_vec())
            } else if is(b"REFERENCES") {
                logical_name(relabel, name).map(|name| name.as_bytes().to_vec())
            } else if is(b"CONSTRAINT") || is(b"KEY") && is_foreign_key(text, written) {
                constraint_name(name, actual, logical)
            } else {
                None
            };
            if let Some(renamed) = renamed {
                edited.extend_from_slice(&text[from..token.span.start as usize]);
                put_name(&mut edited, &renamed, written);
                from = token.span.end as usize;
            }
        }
        before = if token.kind == TokenKind::Word { written } else { b"" };
    }
    edited.extend_from_slice(&text[from..]);
    edited
}

/// The name of a constraint without what a node has added to it: the actual table behind it, or in front
/// of what the server has made itself.
fn constraint_name(name: &[u8], actual: &[u8], logical: &str) -> Option<Vec<u8>> {
    const GENERATED: &[u8] = b"_ibfk_";
    if let Some(rest) = name.strip_prefix(actual)
        && rest.starts_with(GENERATED)
    {
        return Some([logical.as_bytes(), rest].concat());
    }
    let own = name.strip_suffix(actual)?.strip_suffix(b"_")?;
    Some(own.to_vec())
}

/// True where a foreign key has this name, as written: its index has it as well.
fn is_foreign_key(text: &[u8], name: &[u8]) -> bool {
    let wanted = [b"CONSTRAINT ", name, b" FOREIGN KEY"].concat();
    memchr::memmem::find(text, &wanted).is_some()
}

/// The name in an identifier token; those with a quote inside are left alone.
fn name_of(kind: TokenKind, written: &[u8]) -> Option<&[u8]> {
    match kind {
        TokenKind::Word => Some(written),
        TokenKind::QuotedIdent => written.get(1..written.len().checked_sub(1)?),
        _ => None,
    }
}

/// A name with the quotes of the one it replaces.
fn put_name(out: &mut Vec<u8>, name: &[u8], replaced: &[u8]) {
    let quote = replaced.first().copied().filter(|first| matches!(first, b'`' | b'"'));
    out.extend(quote);
    for byte in name {
        out.push(*byte);
        if Some(*byte) == quote {
            out.push(*byte);
        }
    }
    out.extend(quote);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kernel::model::{DataNode, UnitId};

    use super::*;

    fn relabel() -> Relabel {
        let node = |actual: &str| DataNode {
            unit: UnitId(1),
            unit_name: "ds_0".into(),
            actual_table: actual.into(),
        };
        let tables =
            vec![(Arc::from([node("t_0")]), "t".into()), (Arc::from([node("u_0")]), "u".into())];
        Relabel { database: "shop".into(), tables }
    }

    #[test]
    fn a_definition_has_logical_names() {
        let relabel = relabel();
        let cases = [
            ("CREATE TABLE `t_0` (\n `t_0` int)", "CREATE TABLE `t` (\n `t_0` int)"),
            ("CREATE TABLE t_0 (id int)", "CREATE TABLE t (id int)"),
            (
                "CREATE TABLE `t_0` (CONSTRAINT `c_t_0` CHECK (`a` > 0), `b` text COMMENT 't_0')",
                "CREATE TABLE `t` (CONSTRAINT `c` CHECK (`a` > 0), `b` text COMMENT 't_0')",
            ),
            ("CREATE TABLE `other` (id int)", "CREATE TABLE `other` (id int)"),
            (
                "CREATE TABLE `t_0` (KEY `f_t_0` (`a`), KEY `k_t_0` (`b`), CONSTRAINT `f_t_0` \
                 FOREIGN KEY (`a`) REFERENCES `u_0` (`a`))",
                "CREATE TABLE `t` (KEY `f` (`a`), KEY `k_t_0` (`b`), CONSTRAINT `f` \
                 FOREIGN KEY (`a`) REFERENCES `u` (`a`))",
            ),
            (
                "CREATE TABLE `t_0` (CONSTRAINT `t_0_ibfk_1` FOREIGN KEY (a) REFERENCES `x` (a))",
                "CREATE TABLE `t` (CONSTRAINT `t_ibfk_1` FOREIGN KEY (a) REFERENCES `x` (a))",
            ),
        ];
        for (actual, logical) in cases {
            let names = (&b"t_0"[..], "t");
            let edited = definition(actual.as_bytes(), SqlMode::default(), names, &relabel);
            assert_eq!(String::from_utf8(edited).unwrap(), logical);
        }
    }

    #[test]
    fn quotes_are_kept() {
        let mode = SqlMode { ansi_quotes: true, ..SqlMode::default() };
        let names = (&b"t_0"[..], "a\"b");
        let edited = definition(b"CREATE TABLE \"t_0\" (a int)", mode, names, &relabel());
        assert_eq!(edited, b"CREATE TABLE \"a\"\"b\" (a int)");
    }
}
