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
            let text = second.map(|text| definition(text, session.mode, first, logical));
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

/// CREATE TABLE as one server would show it: the table has its logical name, and names of
/// constraints lose what each node has added to them.
fn definition(text: &[u8], mode: SqlMode, actual: &[u8], logical: &str) -> Vec<u8> {
    let mut lexer = Lexer::new(text, mode, ServerVersion::default());
    let suffix = [b"_", actual].concat();
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
            let renamed = if (is(b"TABLE") || is(b"REFERENCES")) && name == actual {
                Some(logical.as_bytes().to_vec())
            } else if is(b"CONSTRAINT") {
                name.strip_suffix(suffix.as_slice()).map(<[u8]>::to_vec)
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
    use super::*;

    #[test]
    fn a_definition_has_logical_names() {
        let cases = [
            ("CREATE TABLE `t_0` (\n `t_0` int)", "CREATE TABLE `t` (\n `t_0` int)"),
            ("CREATE TABLE t_0 (id int)", "CREATE TABLE t (id int)"),
            (
                "CREATE TABLE `t_0` (CONSTRAINT `c_t_0` CHECK (`a` > 0), `b` text COMMENT 't_0')",
                "CREATE TABLE `t` (CONSTRAINT `c` CHECK (`a` > 0), `b` text COMMENT 't_0')",
            ),
            ("CREATE TABLE `other` (id int)", "CREATE TABLE `other` (id int)"),
        ];
        for (actual, logical) in cases {
            let edited = definition(actual.as_bytes(), SqlMode::default(), b"t_0", "t");
            assert_eq!(String::from_utf8(edited).unwrap(), logical);
        }
    }

    #[test]
    fn quotes_are_kept() {
        let mode = SqlMode { ansi_quotes: true, ..SqlMode::default() };
        let edited = definition(b"CREATE TABLE \"t_0\" (a int)", mode, b"t_0", "a\"b");
        assert_eq!(edited, b"CREATE TABLE \"a\"\"b\" (a int)");
    }
}
