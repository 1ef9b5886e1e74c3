//! The pattern matching of SQL's LIKE.

/// True when `text` matches `pattern`: `%` is any run of characters, `_` any one character, and a
/// backslash takes the next character as it is. ASCII letters match without regard to case, as they
/// do in the answers of SHOW.
///
/// # Source
/// MySQL manual, "String Comparison Functions and Operators", LIKE.
pub fn matches_like(pattern: &str, text: &str) -> bool {
    let pattern = parse(pattern);
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut taken) = (0, 0);
    // Where to go on when a character does not match: behind the last `%`, one character later.
    let mut retry: Option<(usize, usize)> = None;
    while taken < text.len() {
        match pattern.get(at) {
            Some(Item::AnyRun) => {
                at += 1;
                retry = Some((at, taken));
            }
            Some(item) if item.accepts(text[taken]) => {
                at += 1;
                taken += 1;
            }
            _ => match retry {
                Some((behind, from)) => {
                    at = behind;
                    taken = from + 1;
                    retry = Some((behind, taken));
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|item| matches!(item, Item::AnyRun))
}

/// One element of a pattern.
enum Item {
    AnyRun,
    AnyOne,
    Exactly(char),
}

impl Item {
    fn accepts(&self, character: char) -> bool {
        match self {
            Item::AnyOne => true,
            Item::Exactly(wanted) => wanted.eq_ignore_ascii_case(&character),
            Item::AnyRun => false,
        }
    }
}

fn parse(pattern: &str) -> Vec<Item> {
    let mut items = Vec::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        items.push(match character {
            '%' => Item::AnyRun,
            '_' => Item::AnyOne,
            '\\' => Item::Exactly(characters.next().unwrap_or('\\')),
            other => Item::Exactly(other),
        });
    }
    items
}

#[cfg(test)]
mod tests {
    use super::matches_like;

    #[test]
    fn matches_as_mysql_does() {
        let cases = [
            ("", "", true),
            ("", "a", false),
            ("%", "", true),
            ("%", "anything", true),
            ("t_user", "t_user", true),
            ("t_user", "txuser", true),
            (r"t\_user", "txuser", false),
            (r"t\_user", "t_user", true),
            ("T%", "t_user", true),
            ("%user", "t_user", true),
            ("%se%", "t_user", true),
            ("%sx%", "t_user", false),
            ("a%b%c", "aXXbYYc", true),
            ("a%b%c", "aXXbYY", false),
            ("_", "é", true),
            ("__", "é", false),
            (r"100\%", "100%", true),
            (r"100\%", "1000", false),
            ("a\\", "a\\", true),
            ("%aab", "aaaaab", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(matches_like(pattern, text), expected, "{text:?} LIKE {pattern:?}");
        }
    }

    #[test]
    fn many_wildcards_take_no_exponential_time() {
        let pattern = "%a".repeat(200) + "b";
        assert!(!matches_like(&pattern, &"a".repeat(5_000)));
    }
}
