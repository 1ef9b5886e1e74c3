//! A file of fields and lines, as LOAD DATA reads it.

use std::borrow::Cow;
use std::ops::Range;

use eval::Value;
use sql::ast::LoadFormat;

/// One field of a line: where it stands in the reader's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// First byte, the enclosing one left out.
    start: usize,
    /// One past the last, the enclosing one left out.
    end: usize,
    /// It stood in enclosing characters.
    is_enclosed: bool,
    /// It has escapes or doubled enclosing characters.
    has_escapes: bool,
}

/// A line is longer than is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineTooLong;

/// Finds lines and their fields in the bytes it is fed.
///
/// # Source
/// MySQL 8.4 manual, `LOAD DATA`, "Field and Line Handling".
#[derive(Debug)]
pub struct LineReader {
    format: LoadFormat,
    bytes: Vec<u8>,
    /// Where the next line begins.
    at: usize,
    /// An incomplete line is not looked at again before there are as many bytes.
    wanted: usize,
    most: usize,
    fields: Vec<Field>,
}

/// What stands at a byte.
enum Seen {
    /// The field has ended; the next begins behind.
    FieldEnd(usize),
    /// The line has ended; the next begins behind.
    LineEnd(usize),
    /// More bytes are needed to tell.
    Open,
}

impl LineReader {
    /// For a format with one enclosing and one escape character at most, and ends that are not
    /// empty. A line may have up to `most` bytes.
    pub fn new(format: LoadFormat, most: usize) -> Self {
        Self { format, bytes: Vec::new(), at: 0, wanted: 0, most, fields: Vec::new() }
    }

    /// More of the file.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.at > 0 && self.at >= self.bytes.len() / 2 {
            self.bytes.drain(..self.at);
            self.at = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next line with its end, or `None` when it is not whole yet. At the end of the file what
    /// is left is the last line.
    ///
    /// # Errors
    /// The line is longer than is taken.
    pub fn next_line(&mut self, is_end: bool) -> Result<Option<Range<usize>>, LineTooLong> {
        let there = self.bytes.len() - self.at;
        if there == 0 || (there < self.wanted && !is_end) {
            return Ok(None);
        }
        let start = self.at;
        match self.read_fields(is_end) {
            Some(end) => {
                self.at = end;
                self.wanted = 0;
                Ok(Some(start..end))
            }
            None if there > self.most => Err(LineTooLong),
            None => {
                self.wanted = there * 2;
                Ok(None)
            }
        }
    }

    /// The bytes of a line.
    pub fn line(&self, line: &Range<usize>) -> &[u8] {
        &self.bytes[line.clone()]
    }

    /// The fields of the line read last.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Where a field stands, with its enclosing characters.
    pub fn span(&self, field: Field) -> Range<usize> {
        let around = usize::from(field.is_enclosed);
        field.start - around..(field.end + around).min(self.bytes.len())
    }

    /// The bytes of the file from one position to another.
    pub fn slice(&self, from: usize, to: usize) -> &[u8] {
        self.bytes.get(from..to).unwrap_or_default()
    }

    /// What a field says.
    pub fn value(&self, field: Field) -> Value<'_> {
        let written = &self.bytes[field.start..field.end];
        let escape = self.format.escape.first();
        let is_null = match (field.is_enclosed, escape) {
            (false, Some(escape)) if written == [*escape, b'N'] => true,
            (false, _) => !self.format.enclosure.is_empty() && written == b"NULL",
            (true, _) => false,
        };
        if is_null {
            return Value::Null;
        }
        Value::Bytes(match field.has_escapes {
            false => Cow::Borrowed(written),
            true => Cow::Owned(self.unescaped(written, field.is_enclosed)),
        })
    }

    fn unescaped(&self, written: &[u8], is_enclosed: bool) -> Vec<u8> {
        let escape = self.format.escape.first();
        let enclosure = self.format.enclosure.first().filter(|_| is_enclosed);
        let mut value = Vec::with_capacity(written.len());
        let mut bytes = written.iter().copied();
        while let Some(byte) = bytes.next() {
            if Some(&byte) == escape {
                value.push(match bytes.next() {
                    Some(b'0') => 0,
                    Some(b'b') => 8,
                    Some(b'n') => b'\n',
                    Some(b'r') => b'\r',
                    Some(b't') => b'\t',
                    Some(b'Z') => 26,
                    Some(other) => other,
                    None => byte,
                });
            } else {
                value.push(byte);
                if Some(&byte) == enclosure {
                    // Doubled.
                    bytes.next();
                }
            }
        }
        value
    }

    /// Reads the fields of the line at `self.at`; the position behind its end, if that is there.
    fn read_fields(&mut self, is_end: bool) -> Option<usize> {
        let mut fields = std::mem::take(&mut self.fields);
        fields.clear();
        let mut from = self.at;
        let end = loop {
            let (field, seen) = self.read_field(from, is_end);
            fields.push(field);
            match seen {
                Seen::FieldEnd(next) if next >= self.bytes.len() && is_end => {
                    // A field end at the end of the file opens an empty field.
                    fields.push(Field { start: next, end: next, ..field_of(false) });
                    break Some(next);
                }
                Seen::FieldEnd(next) => from = next,
                Seen::LineEnd(next) => break Some(next),
                Seen::Open => break None,
            }
        };
        self.fields = fields;
        end
    }

    fn read_field(&self, from: usize, is_end: bool) -> (Field, Seen) {
        let escape = self.format.escape.first().copied();
        let enclosure = self.format.enclosure.first().copied();
        let is_enclosed = enclosure.is_some() && self.bytes.get(from).copied() == enclosure;
        let start = from + usize::from(is_enclosed);
        let mut field = Field { start, end: start, ..field_of(is_enclosed) };
        let mut at = start;
        while let Some(byte) = self.bytes.get(at).copied() {
            if Some(byte) == escape {
                field.has_escapes = true;
                at += 2;
                continue;
            }
            if is_enclosed {
                if Some(byte) != enclosure {
                    at += 1;
                    continue;
                }
                if self.bytes.get(at + 1).copied() == enclosure {
                    field.has_escapes = true;
                    at += 2;
                    continue;
                }
                match self.end_at(at + 1, is_end) {
                    // Within a field: the character itself.
                    None => at += 1,
                    Some(seen) => return (Field { end: at, ..field }, seen),
                }
                continue;
            }
            match self.end_at(at, is_end) {
                None => at += 1,
                Some(seen) => return (Field { end: at, ..field }, seen),
            }
        }
        let end = self.bytes.len();
        let field = Field { end, start: field.start.min(end), ..field };
        (field, if is_end { Seen::LineEnd(end) } else { Seen::Open })
    }

    /// The end of a field or line at a byte; `None` where there is none.
    fn end_at(&self, at: usize, is_end: bool) -> Option<Seen> {
        let rest = &self.bytes[at.min(self.bytes.len())..];
        if rest.is_empty() {
            return Some(if is_end { Seen::LineEnd(at) } else { Seen::Open });
        }
        let (line_end, field_end) = (&*self.format.line_end, &*self.format.field_end);
        if rest.starts_with(line_end) {
            return Some(Seen::LineEnd(at + line_end.len()));
        }
        if rest.starts_with(field_end) {
            return Some(Seen::FieldEnd(at + field_end.len()));
        }
        let may_become = line_end.starts_with(rest) || field_end.starts_with(rest);
        (may_become && !is_end).then_some(Seen::Open)
    }
}

fn field_of(is_enclosed: bool) -> Field {
    Field { start: 0, end: 0, is_enclosed, has_escapes: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv() -> LoadFormat {
        LoadFormat {
            field_end: b",".to_vec(),
            enclosure: b"\"".to_vec(),
            line_end: b"\r\n".to_vec(),
            ..LoadFormat::default()
        }
    }

    /// The values of each line, fed in pieces of `step` bytes.
    fn read(format: LoadFormat, file: &[u8], step: usize) -> Vec<Vec<Option<String>>> {
        let mut reader = LineReader::new(format, 1 << 20);
        let mut lines = Vec::new();
        let mut pieces = file.chunks(step.max(1));
        let mut is_end = false;
        loop {
            while reader.next_line(is_end).unwrap().is_some() {
                let value = |field: &Field| match reader.value(*field) {
                    Value::Bytes(text) => Some(String::from_utf8(text.into_owned()).unwrap()),
                    _ => None,
                };
                lines.push(reader.fields().iter().map(value).collect());
            }
            if is_end {
                return lines;
            }
            match pieces.next() {
                Some(piece) => reader.feed(piece),
                None => is_end = true,
            }
        }
    }

    fn some(list: &[&str]) -> Vec<Option<String>> {
        list.iter().map(|text| Some((*text).to_owned())).collect()
    }

    #[test]
    fn lines_and_fields_wherever_reads_break() {
        let tabs = LoadFormat::default;
        for (format, file, expected) in [
            (tabs(), "1\ta\n2\tb\n", vec![some(&["1", "a"]), some(&["2", "b"])]),
            (tabs(), "1\ta\n2\tb", vec![some(&["1", "a"]), some(&["2", "b"])]),
            (tabs(), "1\t\n\n", vec![some(&["1", ""]), some(&[""])]),
            (tabs(), "1\ta\\\tb\\\nc\n", vec![some(&["1", "a\tb\nc"])]),
            (tabs(), "\\N\t\\n\\\\\n", vec![vec![None, Some("\n\\".to_owned())]]),
            (csv(), "1,\"a,b\"\r\n", vec![some(&["1", "a,b"])]),
            (csv(), "\"x\"\"y\",\"l\r\nm\"\r\n", vec![some(&["x\"y", "l\r\nm"])]),
            (csv(), "\"a\"b\",c\r\n", vec![some(&["a\"b", "c"])]),
            (csv(), "NULL,\"NULL\"\r\n", vec![vec![None, Some("NULL".to_owned())]]),
            (csv(), "1,a\rb\r\n", vec![some(&["1", "a\rb"])]),
            (csv(), "1,", vec![some(&["1", ""])]),
            (csv(), "1,\"open", vec![some(&["1", "open"])]),
            (tabs(), "", vec![]),
        ] {
            for step in [1, 2, 3, 1000] {
                assert_eq!(read(format.clone(), file.as_bytes(), step), expected, "{file} {step}");
            }
        }
    }

    #[test]
    fn a_long_line_is_refused() {
        let mut reader = LineReader::new(LoadFormat::default(), 10);
        reader.feed(b"0123456789");
        assert_eq!(reader.next_line(false), Ok(None));
        reader.feed(b"0123456789");
        assert_eq!(reader.next_line(false), Err(LineTooLong));
    }
}
