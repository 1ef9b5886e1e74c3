//! Which leading words begin which statement.

use super::sharding::{default_strategy, named_algorithm, reference};
use super::{
    Parsed, administration, broadcast, readwrite_splitting as splitting, sharding, single_table,
    storage_unit,
};
use crate::{TokenKind, TokenStream};

/// What to do with a statement that begins with a phrase.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    /// Read it.
    Read(fn(&mut TokenStream<'_>) -> Parsed),
    /// It is DistSQL, and has no meaning yet.
    Refused,
    /// It only looks like DistSQL.
    MySql,
}

use Meaning::{MySql, Read, Refused};

/// The longest phrase that the statement begins with.
pub(super) fn find(stream: &TokenStream<'_>) -> Option<(&'static str, Meaning)> {
    if !stream.at(TokenKind::Word) {
        return None;
    }
    let first = stream.token_text();
    let (second, _) = stream.peek(1);
    if !may_begin(first, second.span.of(stream.text())) {
        return None;
    }
    let begins = |phrase: &str| {
        let head = phrase.as_bytes().get(..first.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(first))
    };
    let known = PHRASES.iter().chain(REFUSED_AS_THEY_ARE).chain(REFUSED_RULES);
    known
        .filter(|(phrase, _)| begins(phrase) && is_at(stream, phrase))
        .max_by_key(|(phrase, _)| phrase.len())
        .copied()
}

/// False for most statements that are not DistSQL: this is on the road of every SET and SHOW.
fn may_begin(first: &[u8], second: &[u8]) -> bool {
    let has = |slot: usize| BEGINNINGS[slot / 64] >> (slot % 64) & 1 == 1;
    has(beginning_slot(first, second)) || has(beginning_slot(first, b""))
}

const BEGINNING_SLOTS: usize = 2048;

/// Which initials and lengths of the first two words occur; filled at compile time.
static BEGINNINGS: [u64; BEGINNING_SLOTS / 64] = {
    let mut slots = [0; BEGINNING_SLOTS / 64];
    let lists = [PHRASES, REFUSED_AS_THEY_ARE, REFUSED_RULES];
    let mut list = 0;
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            let (first, rest) = split_word(lists[list][index].0.as_bytes());
            let slot = beginning_slot(first, split_word(rest).0);
            slots[slot / 64] |= 1 << (slot % 64);
            index += 1;
        }
        list += 1;
    }
    slots
};

const fn beginning_slot(first: &[u8], second: &[u8]) -> usize {
    let words = initial(first) * 37 + initial(second);
    (words * 37 + first.len() * 16 + second.len()) % BEGINNING_SLOTS
}

const fn initial(word: &[u8]) -> usize {
    if word.is_empty() { 0 } else { word[0].to_ascii_uppercase() as usize }
}

/// The text before the first space, and the text behind it.
const fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    while at < text.len() && text[at] != b' ' {
        at += 1;
    }
    let (word, rest) = text.split_at(at);
    match rest.split_first() {
        Some((_, rest)) => (word, rest),
        None => (word, rest),
    }
}

/// True when all the words of `phrase` stand here.
fn is_at(stream: &TokenStream<'_>, phrase: &str) -> bool {
    (0..).zip(phrase.split(' ')).all(|(ahead, word)| {
        let (token, _) = stream.peek(ahead);
        let text = token.span.of(stream.text());
        token.kind == TokenKind::Word && text.eq_ignore_ascii_case(word.as_bytes())
    })
}

/// Statements that are read, older spellings beside the newer, and MySQL's that begin alike.
const PHRASES: &[(&str, Meaning)] = &[
    ("REGISTER STORAGE UNIT", Read(storage_unit::register)),
    ("ADD RESOURCE", Read(storage_unit::register)),
    ("ALTER STORAGE UNIT", Read(storage_unit::alter)),
    ("ALTER RESOURCE", Read(storage_unit::alter)),
    ("ALTER RESOURCE GROUP", MySql),
    ("UNREGISTER STORAGE UNIT", Read(storage_unit::unregister)),
    ("DROP RESOURCE", Read(storage_unit::unregister)),
    ("DROP RESOURCE GROUP", MySql),
    ("SHOW STORAGE UNITS", Read(storage_unit::show)),
    ("SHOW RESOURCES", Read(storage_unit::show)),
    ("SHOW DATABASE RESOURCES", Read(storage_unit::show)),
    ("SHOW SCHEMA RESOURCES", Read(storage_unit::show)),
    ("SHOW RULES USED STORAGE UNIT", Read(storage_unit::show_rules_used)),
    ("SHOW RULES USED RESOURCE", Read(storage_unit::show_rules_used)),
    ("CREATE SHARDING TABLE RULE", Read(sharding::create)),
    ("ALTER SHARDING TABLE RULE", Read(sharding::alter)),
    ("DROP SHARDING TABLE RULE", Read(sharding::drop)),
    ("SHOW SHARDING TABLE RULES", Read(sharding::show_rules)),
    ("SHOW SHARDING TABLE RULE", Read(sharding::show_rule)),
    ("SHOW SHARDING TABLE NODES", Read(sharding::show_nodes)),
    ("SHOW SHARDING TABLE RULES USED", Read(sharding::show_rules_used)),
    ("COUNT SHARDING RULE", Read(sharding::count)),
    ("CREATE SHARDING TABLE REFERENCE RULE", Read(reference::create)),
    ("ALTER SHARDING TABLE REFERENCE RULE", Read(reference::alter)),
    ("DROP SHARDING TABLE REFERENCE RULE", Read(reference::drop)),
    ("SHOW SHARDING TABLE REFERENCE RULES", Read(reference::show_all)),
    ("SHOW SHARDING TABLE REFERENCE RULE", Read(reference::show_one)),
    ("CREATE SHARDING BINDING TABLE RULES", Read(reference::create)),
    ("ALTER SHARDING BINDING TABLE RULES", Read(reference::alter)),
    ("DROP SHARDING BINDING TABLE RULES", Read(reference::drop)),
    ("SHOW SHARDING BINDING TABLE RULES", Read(reference::show_all)),
    ("CREATE DEFAULT SHARDING DATABASE STRATEGY", Read(default_strategy::create_database)),
    ("CREATE DEFAULT SHARDING TABLE STRATEGY", Read(default_strategy::create_table)),
    ("ALTER DEFAULT SHARDING DATABASE STRATEGY", Read(default_strategy::alter_database)),
    ("ALTER DEFAULT SHARDING TABLE STRATEGY", Read(default_strategy::alter_table)),
    ("DROP DEFAULT SHARDING DATABASE STRATEGY", Read(default_strategy::drop_database)),
    ("DROP DEFAULT SHARDING TABLE STRATEGY", Read(default_strategy::drop_table)),
    ("SHOW DEFAULT SHARDING STRATEGY", Read(default_strategy::show)),
    ("CREATE SHARDING ALGORITHM", Read(named_algorithm::create_sharding)),
    ("CREATE SHARDING KEY GENERATOR", Read(named_algorithm::create_key_generator)),
    ("CREATE SHARDING AUDITOR", Read(named_algorithm::create_auditor)),
    ("ALTER SHARDING ALGORITHM", Read(named_algorithm::alter_sharding)),
    ("ALTER SHARDING KEY GENERATOR", Read(named_algorithm::alter_key_generator)),
    ("ALTER SHARDING AUDITOR", Read(named_algorithm::alter_auditor)),
    ("DROP SHARDING ALGORITHM", Read(named_algorithm::drop_sharding)),
    ("DROP SHARDING KEY GENERATOR", Read(named_algorithm::drop_key_generator)),
    ("DROP SHARDING AUDITOR", Read(named_algorithm::drop_auditor)),
    ("SHOW SHARDING ALGORITHMS", Read(named_algorithm::show_sharding)),
    ("SHOW SHARDING KEY GENERATORS", Read(named_algorithm::show_key_generators)),
    ("SHOW SHARDING AUDITORS", Read(named_algorithm::show_auditors)),
    ("SHOW UNUSED SHARDING ALGORITHMS", Read(named_algorithm::show_unused_sharding)),
    ("SHOW UNUSED SHARDING KEY GENERATORS", Read(named_algorithm::show_unused_key_generators)),
    ("SHOW UNUSED SHARDING AUDITORS", Read(named_algorithm::show_unused_auditors)),
    ("SHOW SHARDING ALGORITHM PLUGINS", Read(named_algorithm::show_sharding_plugins)),
    ("SHOW KEY GENERATE ALGORITHM PLUGINS", Read(named_algorithm::show_key_generator_plugins)),
    ("CREATE BROADCAST TABLE RULE", Read(broadcast::create)),
    ("CREATE SHARDING BROADCAST TABLE RULES", Read(broadcast::create)),
    ("ALTER SHARDING BROADCAST TABLE RULES", Read(broadcast::alter)),
    ("DROP BROADCAST TABLE RULE", Read(broadcast::drop)),
    ("DROP SHARDING BROADCAST TABLE RULES", Read(broadcast::drop_older)),
    ("SHOW BROADCAST TABLE RULES", Read(broadcast::show)),
    ("SHOW SHARDING BROADCAST TABLE RULES", Read(broadcast::show)),
    ("COUNT BROADCAST RULE", Read(broadcast::count)),
    ("CREATE READWRITE_SPLITTING RULE", Read(splitting::create)),
    ("ALTER READWRITE_SPLITTING RULE", Read(splitting::alter)),
    ("DROP READWRITE_SPLITTING RULE", Read(splitting::drop)),
    ("SHOW READWRITE_SPLITTING RULES", Read(splitting::show_all)),
    ("SHOW READWRITE_SPLITTING RULE", Read(splitting::show_one)),
    ("SHOW STATUS FROM READWRITE_SPLITTING RULES", Read(splitting::show_status)),
    ("SHOW STATUS FROM READWRITE_SPLITTING RULE", Read(splitting::show_status_of)),
    ("COUNT READWRITE_SPLITTING RULE", Read(splitting::count)),
    ("SHOW LOAD BALANCE ALGORITHM PLUGINS", Read(splitting::show_plugins)),
    ("SET READWRITE_SPLITTING HINT SOURCE", Read(splitting::set_hint)),
    ("SHOW READWRITE_SPLITTING HINT STATUS", Read(splitting::show_hint)),
    ("CLEAR READWRITE_SPLITTING HINT", Read(splitting::clear_hint)),
    ("SHOW SINGLE TABLES", Read(single_table::show_all)),
    ("SHOW SINGLE TABLE", Read(single_table::show_one)),
    ("SHOW UNLOADED SINGLE TABLES", Read(single_table::show_unloaded)),
    ("COUNT SINGLE TABLE", Read(single_table::count)),
    ("COUNT SINGLE_TABLE RULE", Read(single_table::count)),
    ("LOAD SINGLE TABLE", Read(single_table::load)),
    ("UNLOAD SINGLE TABLE", Read(single_table::unload)),
    ("UNLOAD ALL SINGLE TABLES", Read(single_table::unload_all)),
    ("SET DEFAULT SINGLE TABLE STORAGE UNIT", Read(single_table::set_default)),
    ("SET DEFAULT SINGLE TABLE RESOURCE", Read(single_table::set_default)),
    ("SHOW DEFAULT SINGLE TABLE STORAGE UNIT", Read(single_table::show_default)),
    ("SHOW DEFAULT SINGLE TABLE RESOURCE", Read(single_table::show_default)),
    ("REFRESH DATABASE METADATA", Read(administration::refresh_database)),
    ("FORCE REFRESH DATABASE METADATA", Read(administration::refresh_database)),
    ("REFRESH TABLE METADATA", Read(administration::refresh_table)),
    ("SET DIST VARIABLE", Read(administration::set_variable)),
    ("SET VARIABLE", Read(administration::set_variable)),
    ("SHOW DIST VARIABLES", Read(administration::show_variables)),
    ("SHOW ALL VARIABLES", Read(administration::show_variables)),
    ("SHOW DIST VARIABLE", Read(administration::show_variable)),
    ("SHOW VARIABLE", Read(administration::show_variable)),
    ("PREVIEW", Read(administration::preview)),
    ("EXPLAIN ROUTE SELECT", Read(administration::explain_route)),
    ("EXPLAIN ROUTE WITH", Read(administration::explain_route)),
    ("EXPLAIN ROUTE INSERT", Read(administration::explain_route)),
    ("EXPLAIN ROUTE REPLACE", Read(administration::explain_route)),
    ("EXPLAIN ROUTE UPDATE", Read(administration::explain_route)),
    ("EXPLAIN ROUTE DELETE", Read(administration::explain_route)),
    ("EXPLAIN ROUTE CREATE", Read(administration::explain_route)),
    ("EXPLAIN ROUTE ALTER", Read(administration::explain_route)),
    ("EXPLAIN ROUTE DROP", Read(administration::explain_route)),
    ("EXPLAIN ROUTE TRUNCATE", Read(administration::explain_route)),
    ("EXPLAIN ROUTE CALL", Read(administration::explain_route)),
    ("EXPLAIN ROUTE SHOW", Read(administration::explain_route)),
    ("SHOW AUTHORITY RULE", Read(administration::show_authority_rule)),
    ("SHOW COMPUTE NODES", Read(administration::show_compute_nodes)),
    ("SHOW INSTANCE LIST", Read(administration::show_compute_nodes)),
    ("SHOW COMPUTE NODE INFO", Read(administration::show_compute_node_info)),
    ("SHOW INSTANCE INFO", Read(administration::show_compute_node_info)),
    ("SHOW COMPUTE NODE MODE", Read(administration::show_compute_node_mode)),
    ("SHOW MODE INFO", Read(administration::show_compute_node_mode)),
];

/// Statements about rules that are known by name only.
const REFUSED_RULES: &[(&str, Meaning)] = &[
    ("SHOW READWRITE_SPLITTING READ RESOURCES", Refused),
    ("CREATE DB_DISCOVERY", Refused),
    ("ALTER DB_DISCOVERY", Refused),
    ("DROP DB_DISCOVERY", Refused),
    ("SHOW DB_DISCOVERY", Refused),
    ("CREATE ENCRYPT RULE", Refused),
    ("ALTER ENCRYPT RULE", Refused),
    ("DROP ENCRYPT RULE", Refused),
    ("SHOW ENCRYPT RULES", Refused),
    ("SHOW ENCRYPT RULE", Refused),
    ("SHOW ENCRYPT TABLE RULE", Refused),
    ("CREATE ENCRYPT KEY MANAGER", Refused),
    ("ALTER ENCRYPT KEY MANAGER", Refused),
    ("DROP ENCRYPT KEY MANAGER", Refused),
    ("CREATE SHADOW RULE", Refused),
    ("ALTER SHADOW RULE", Refused),
    ("DROP SHADOW RULE", Refused),
    ("SHOW SHADOW RULES", Refused),
    ("SHOW SHADOW RULE", Refused),
    ("SHOW SHADOW TABLE RULES", Refused),
    ("CREATE SHADOW ALGORITHM", Refused),
    ("ALTER SHADOW ALGORITHM", Refused),
    ("DROP SHADOW ALGORITHM", Refused),
    ("SHOW SHADOW ALGORITHMS", Refused),
    ("CREATE DEFAULT SHADOW ALGORITHM", Refused),
    ("ALTER DEFAULT SHADOW ALGORITHM", Refused),
    ("DROP DEFAULT SHADOW ALGORITHM", Refused),
    ("SHOW DEFAULT SHADOW ALGORITHM", Refused),
    ("CREATE MASK RULE", Refused),
    ("ALTER MASK RULE", Refused),
    ("DROP MASK RULE", Refused),
    ("CREATE MASK TABLE RULE", Refused),
    ("ALTER MASK TABLE RULE", Refused),
    ("DROP MASK TABLE RULE", Refused),
    ("SHOW MASK RULES", Refused),
    ("SHOW MASK RULE", Refused),
    ("SHOW MASK TABLE RULES", Refused),
    ("SHOW MASK TABLE RULE", Refused),
    ("COUNT DB_DISCOVERY RULE", Refused),
    ("COUNT ENCRYPT RULE", Refused),
    ("COUNT SHADOW RULE", Refused),
    ("COUNT MASK RULE", Refused),
];

/// Administration and jobs that are known by name only.
const REFUSED_AS_THEY_ARE: &[(&str, Meaning)] = &[
    ("ALTER COMPUTE NODE", Refused),
    ("ENABLE COMPUTE NODE", Refused),
    ("DISABLE COMPUTE NODE", Refused),
    ("ENABLE INSTANCE", Refused),
    ("DISABLE INSTANCE", Refused),
    ("LABEL COMPUTE NODE", Refused),
    ("RELABEL COMPUTE NODE", Refused),
    ("UNLABEL COMPUTE NODE", Refused),
    ("LABEL INSTANCE", Refused),
    ("RELABEL INSTANCE", Refused),
    ("UNLABEL INSTANCE", Refused),
    ("SHOW LOGICAL TABLES", Refused),
    ("SHOW FULL LOGICAL TABLES", Refused),
    ("SHOW TABLE METADATA", Refused),
    ("EXPORT DATABASE CONFIGURATION", Refused),
    ("EXPORT DATABASE CONFIG", Refused),
    ("IMPORT DATABASE CONFIGURATION", Refused),
    ("IMPORT DATABASE CONFIG", Refused),
    ("EXPORT METADATA", Refused),
    ("IMPORT METADATA", Refused),
    ("EXPORT STORAGE NODES", Refused),
    ("CONVERT YAML CONFIGURATION", Refused),
    ("LOCK CLUSTER WITH", Refused),
    ("UNLOCK CLUSTER", Refused),
    ("SHOW PLUGINS OF", Refused),
    ("SHOW ENCRYPT ALGORITHM PLUGINS", Refused),
    ("SHOW SHADOW ALGORITHM PLUGINS", Refused),
    ("SHOW MASK ALGORITHM PLUGINS", Refused),
    ("SHOW TRANSACTION RULE", Refused),
    ("ALTER TRANSACTION RULE", Refused),
    ("SHOW SQL_PARSER RULE", Refused),
    ("ALTER SQL_PARSER RULE", Refused),
    ("SHOW SQL_TRANSLATOR RULE", Refused),
    ("ALTER SQL_TRANSLATOR RULE", Refused),
    ("SHOW SQL_FEDERATION RULE", Refused),
    ("ALTER SQL_FEDERATION RULE", Refused),
    ("SHOW GLOBAL CLOCK RULE", Refused),
    ("ALTER GLOBAL CLOCK RULE", Refused),
    ("CREATE TRAFFIC RULE", Refused),
    ("ALTER TRAFFIC RULE", Refused),
    ("DROP TRAFFIC RULE", Refused),
    ("SHOW TRAFFIC RULES", Refused),
    ("SHOW TRAFFIC RULE", Refused),
    ("SET SHARDING HINT", Refused),
    ("ADD SHARDING HINT", Refused),
    ("SHOW SHARDING HINT STATUS", Refused),
    ("CLEAR SHARDING HINT", Refused),
    ("CLEAR HINT", Refused),
    ("PREPARE DISTSQL", Refused),
    ("PREPARE DISTSQL FROM", MySql),
    ("APPLY DISTSQL", Refused),
    ("DISCARD DISTSQL", Refused),
    ("PARSE", Refused),
    ("FORMAT", Refused),
    ("REGISTER MIGRATION SOURCE STORAGE UNIT", Refused),
    ("UNREGISTER MIGRATION SOURCE STORAGE UNIT", Refused),
    ("SHOW MIGRATION", Refused),
    ("MIGRATE TABLE", Refused),
    ("START MIGRATION", Refused),
    ("STOP MIGRATION", Refused),
    ("ROLLBACK MIGRATION", Refused),
    ("COMMIT MIGRATION", Refused),
    ("CHECK MIGRATION", Refused),
    ("DROP MIGRATION CHECK", Refused),
    ("ALTER MIGRATION RULE", Refused),
    ("SHOW STREAMING", Refused),
    ("ALTER STREAMING RULE", Refused),
    ("DROP STREAMING", Refused),
    ("ENCRYPT TABLE", Refused),
    ("DECRYPT TABLE", Refused),
    ("REENCRYPT TABLE", Refused),
    ("CONVERT TABLE", Refused),
    ("SHOW ENCRYPTING", Refused),
    ("COMMIT ENCRYPTING", Refused),
    ("ROLLBACK ENCRYPTING", Refused),
];
