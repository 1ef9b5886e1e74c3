//! The listener, one client's session, and the life of a statement.
//!
//! Start reading at [`statement`]: receive → parse → bind → route → rewrite → execute → merge → send.
//!
//! **Invariant:** knows no feature from the inside; features come in as values of a snapshot.

mod answer;
mod change_user;
mod client_statements;
mod command_loop;
mod ddl;
mod default_variables;
mod effects;
mod evaluate;
mod execute;
mod fan_out;
mod field_list;
mod gather;
mod groups;
mod inserted_variables;
mod keys;
mod kill;
mod listener;
mod local_infile;
mod login;
mod off_worker;
mod packets;
mod plan_cache;
mod prepared;
mod query_attributes;
mod read_back;
mod rebuild;
mod receive;
mod registry;
mod relabel;
mod relay;
mod replicas;
mod row_names;
mod session;
mod session_functions;
mod session_statements;
mod statement;
mod statement_text;
mod tls;
mod transaction;
mod without_units;
mod worker;

pub use listener::{Server, ServerError, ServerSetup, check_options, connect_options};
