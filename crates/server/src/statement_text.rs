//! The beginning of the statement that a session runs, for SHOW PROCESSLIST: written at every
//! statement, so without a lock or an allocation, and read by other sessions once in a while.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed, Ordering::Release, fence};

/// How much of a statement is kept, in words of eight bytes.
const WORDS: usize = 64;

/// A reader that meets a writer this often gives up.
const ATTEMPTS: usize = 16;

/// The first 512 bytes of a statement.
#[derive(Debug)]
pub(crate) struct StatementText {
    /// Odd while the text is written; another number for every text.
    version: AtomicU64,
    /// How long the text is, as far as it is kept.
    len: AtomicU64,
    words: [AtomicU64; WORDS],
}

impl StatementText {
    /// No statement yet.
    pub(crate) fn new() -> Self {
        Self {
            version: AtomicU64::new(0),
            len: AtomicU64::new(0),
            words: [const { AtomicU64::new(0) }; WORDS],
        }
    }

    /// Takes a statement over; only the session itself does.
    pub(crate) fn note(&self, text: &[u8]) {
        let version = self.version.load(Relaxed);
        self.version.store(version.wrapping_add(1), Relaxed);
        fence(Release);
        let kept = &text[..text.len().min(WORDS * 8)];
        self.len.store(kept.len() as u64, Relaxed);
        let (whole, rest) = kept.as_chunks::<8>();
        for (word, bytes) in self.words.iter().zip(whole) {
            word.store(u64::from_le_bytes(*bytes), Relaxed);
        }
        if let Some(word) = self.words.get(whole.len()) {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            word.store(u64::from_le_bytes(last), Relaxed);
        }
        self.version.store(version.wrapping_add(2), Release);
    }

    /// The beginning of the statement; `None` when the session writes all the time.
    pub(crate) fn read(&self) -> Option<Vec<u8>> {
        use std::sync::atomic::Ordering::Acquire;
        for _ in 0..ATTEMPTS {
            let before = self.version.load(Acquire);
            let len = usize::try_from(self.len.load(Relaxed)).unwrap_or(0).min(WORDS * 8);
            let words = self.words.iter().take(len.div_ceil(8));
            let mut text: Vec<u8> =
                words.flat_map(|word| word.load(Relaxed).to_le_bytes()).collect();
            fence(Acquire);
            if before.is_multiple_of(2) && self.version.load(Relaxed) == before {
                text.truncate(len);
                return Some(text);
            }
            std::hint::spin_loop();
        }
        None
    }
}

/// A statement as others may see it: cut, and without what follows the word PASSWORD.
pub(crate) fn shown(text: &[u8], is_full: bool) -> String {
    const SHORT: usize = 100;
    let text = String::from_utf8_lossy(text);
    let most = if is_full { usize::MAX } else { SHORT };
    let mut shown: String = text.trim_end_matches('\u{fffd}').chars().take(most).collect();
    for secret in ["PASSWORD", "IDENTIFIED"] {
        if let Some(at) = shown.to_ascii_uppercase().find(secret) {
            shown.truncate(at + secret.len());
            shown.push_str(" ...");
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_it_was_written_up_to_its_limit() {
        let text = StatementText::new();
        assert_eq!(text.read().unwrap(), b"");
        for written in [&b"SELECT 1"[..], b"SELECT 12", b"", b"DO 0", &[b'x'; 512], &[b'y'; 600]] {
            text.note(written);
            assert_eq!(text.read().unwrap(), &written[..written.len().min(512)]);
        }
    }

    #[test]
    fn a_reader_never_sees_two_statements_in_one() {
        let text = std::sync::Arc::new(StatementText::new());
        let writer = std::sync::Arc::clone(&text);
        let writing = std::thread::spawn(move || {
            for round in 0..20_000_u32 {
                writer.note(&vec![b'a' + (round % 26) as u8; 1 + round as usize % 400]);
            }
        });
        while !writing.is_finished() {
            let Some(read) = text.read() else { continue };
            assert!(read.windows(2).all(|pair| pair[0] == pair[1]), "{read:?}");
        }
        writing.join().unwrap();
    }

    #[test]
    fn what_is_shown_is_cut_and_has_no_secrets() {
        assert_eq!(shown(b"SELECT 1", false), "SELECT 1");
        assert_eq!(shown(&[b'x'; 300], false).len(), 100);
        assert_eq!(shown(&[b'x'; 300], true).len(), 300);
        assert_eq!(
            shown(b"ALTER STORAGE UNIT d (USER='u', password='geheim')", true),
            "ALTER STORAGE UNIT d (USER='u', password ..."
        );
        assert_eq!(shown("SELECT 'ü".as_bytes().split_last().unwrap().1, true), "SELECT '");
    }
}
