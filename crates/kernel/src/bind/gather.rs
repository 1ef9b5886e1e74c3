//! Queries over tables that are not together on one node: which rows each place needs, the temporary
//! table it is copied to, and the client's statement over the copies.

mod columns;
mod definition;
mod filter;
mod order;
mod purity;

use std::sync::Arc;

use sql::Span;
use sql::ast::{Ident, Query};

use super::Binder;
use super::survey::{Survey, TableUse};
use super::tables::Found;
use crate::error::StatementError;
use crate::gather::{Copy, GatherPlan};
use crate::model::{DataNode, LogicalTable, TableMetadata, UnitId};
use crate::plan::{Effects, Plan, Relabel, SpliceText, StatementClass, Target, Template};
use crate::rewrite::{Draft, quoted};
use filter::Concerning;

/// What the names of copies begin with.
const PREFIX: &str = "__ab_copy_";

/// Most copies of one statement; MySQL joins 61 tables.
const MAX_COPIES: usize = 61;

/// One place at which a table is named.
pub(super) struct Place<'b> {
    /// The name as written, with its alias.
    pub used: TableUse<'b>,
    /// What it names.
    pub table: &'b Arc<LogicalTable>,
    /// Its shape.
    pub metadata: &'b TableMetadata,
}

impl Place<'_> {
    /// True when a column with this qualifier may be one of this place.
    fn answers_to(&self, qualifier: &Ident) -> bool {
        self.used.alias().eq_ignore_ascii_case(&qualifier.value)
    }

    /// Position of a column.
    fn find_column(&self, name: &str) -> Option<usize> {
        self.metadata.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }
}

impl<'a> Binder<'a> {
    /// A plan for a query whose tables are never together.
    ///
    /// # Errors
    /// `apart`, which says why they are not, or why they cannot be gathered.
    pub(super) fn apart_query(
        &self,
        query: &Query,
        mut survey: Survey<'_>,
        class: StatementClass,
        apart: StatementError,
    ) -> Result<Plan, StatementError> {
        self.check_opaque(&survey)?;
        let effects = std::mem::take(&mut survey.effects);
        let mut gather = self.gather(query, &survey, &effects)?;
        gather.is_always = true;
        gather.is_apart = true;
        let mut plan = self.single_plan(class, Target::AnyUnit, Draft::default(), effects)?;
        plan.multi = Err(apart);
        plan.relabel = Some(gather.relabel.clone());
        plan.gather = Some(Box::new(gather));
        Ok(plan)
    }

    /// How the query is answered from copies.
    ///
    /// # Errors
    /// It has a part that would not mean the same over copies.
    pub(super) fn gather(
        &self,
        query: &Query,
        survey: &Survey<'_>,
        effects: &Effects,
    ) -> Result<GatherPlan, StatementError> {
        self.check_gatherable(query, survey, effects)?;
        let places = self.places(survey)?;
        let concerning: Vec<Concerning<'_>> =
            (0..places.len()).map(|index| Concerning::of(survey, &places, index)).collect();
        let copy_name = |index: usize| format!("{PREFIX}{index}");
        let (order, mut narrowings) = order::plan(&places, &concerning, copy_name);
        let mut copies = Vec::with_capacity(places.len());
        let mut draft = self.draft_without_tables(survey);
        let mut tables = Vec::with_capacity(places.len());
        for (index, place) in places.iter().enumerate() {
            let name = copy_name(index);
            let columns = columns::needed(survey, place);
            let conditions = concerning[index].conditions();
            let definition = definition::define(&name, place, &columns, survey);
            copies.push(Copy {
                table: place.table.name.to_string(),
                read: self.read(place, &definition.select_list, &conditions)?,
                has_where: !conditions.is_empty(),
                lock: self.lock_of(survey, place),
                narrowings: std::mem::take(&mut narrowings[index]),
                create: definition.create,
                insert: definition.insert,
                relax: definition.relax,
                values: definition.values,
                name: name.clone(),
            });
            replace_table(place, &name, &mut draft);
            tables.push((copy_node(&name), place.table.name.clone()));
        }
        for lock in &survey.locks {
            draft.remove(*lock);
        }
        self.keep_labels(query, &mut draft);
        Ok(GatherPlan {
            is_always: false,
            is_apart: false,
            copies,
            order,
            repeated: repeated(&survey.common_uses),
            statement: draft.finish(self.literals)?,
            relabel: Relabel { database: self.database_of_places(&places)?, tables },
        })
    }

    fn check_gatherable(
        &self,
        query: &Query,
        survey: &Survey<'_>,
        effects: &Effects,
    ) -> Result<(), StatementError> {
        let refuse = |what: &str| {
            let mut names: Vec<&str> =
                survey.tables.iter().map(|used| used.name.name.value.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            Err(StatementError::unsupported(format!(
                "{what} is not supported in a query whose tables ({}) are on several nodes; \
                 restrict the sharding columns to one node",
                names.join(", ")
            )))
        };
        if query.into.is_some() {
            return refuse("INTO");
        }
        if survey.has_match {
            return refuse("MATCH .. AGAINST");
        }
        if !effects.assigns_user_variables.is_empty() {
            return refuse("The assignment of a user variable");
        }
        if effects.sets_last_insert_id {
            return refuse("LAST_INSERT_ID(expr)");
        }
        if let Some(what) = effects.pins {
            return refuse(what);
        }
        let has_default = |(function, _): &(&sql::ast::Function, Span)| {
            function.name.value.eq_ignore_ascii_case("DEFAULT")
        };
        if survey.functions.iter().any(has_default) {
            return refuse("DEFAULT(column)");
        }
        if survey.tables.len() > MAX_COPIES {
            return refuse("More than 61 tables");
        }
        Ok(())
    }

    /// Every place with the table it names.
    fn places<'b>(&self, survey: &Survey<'b>) -> Result<Vec<Place<'b>>, StatementError>
    where
        'a: 'b,
    {
        survey.tables.iter().map(|used| self.copied_place(*used)).collect()
    }

    fn copied_place<'b>(&self, used: TableUse<'b>) -> Result<Place<'b>, StatementError>
    where
        'a: 'b,
    {
        match self.find_table(used.name)? {
            Found::Temporary(_) => {
                return Err(StatementError::unsupported(format!(
                    "Temporary table '{}' cannot be used together with tables of other storage \
                     units",
                    used.name.name.value
                )));
            }
            Found::System => {
                return Err(StatementError::unsupported(format!(
                    "System table '{}' cannot be used together with tables of other storage units",
                    used.name.name.value
                )));
            }
            _ => {}
        }
        let database = self.database_of(used.name)?;
        let table = database.and_then(|database| database.find_table(&used.name.name.value));
        let table = table.ok_or_else(|| self.unknown_table(used.name))?;
        let metadata = table.metadata.as_deref();
        let metadata = metadata.ok_or_else(|| self.unknown_table(used.name))?;
        Ok(Place { used, table, metadata })
    }

    fn database_of_places(&self, places: &[Place<'_>]) -> Result<Arc<str>, StatementError> {
        let database = places.first().map(|place| self.database_of(place.used.name)).transpose()?;
        let name = database.flatten().map(|database| database.name.clone());
        Ok(name.unwrap_or_else(|| "".into()))
    }

    /// The statement that reads the rows of a place: it keeps the conditions of the client's text
    /// that concern this place only.
    fn read(
        &self,
        place: &Place<'_>,
        select_list: &str,
        conditions: &[Span],
    ) -> Result<Template, StatementError> {
        let mut text = String::new();
        for hint in self.hints {
            text.push_str(&String::from_utf8_lossy(hint.span.of(self.text)));
            text.push(' ');
        }
        text.push_str(&format!("SELECT {select_list} FROM {}", self.source_text(place)));
        let mut draft = Draft::default();
        let mut from = 0;
        for condition in conditions {
            text.push_str(if from == 0 { " WHERE (" } else { ") AND (" });
            let before = Span::new(from, condition.start);
            draft.replace(before, SpliceText::Fixed(std::mem::take(&mut text)));
            from = condition.end;
        }
        if from > 0 {
            text.push(')');
        }
        draft.replace(Span::new(from, self.text.len() as u32), SpliceText::Fixed(text));
        draft.finish(self.literals)
    }

    /// The place in a FROM clause of its own.
    fn source_text(&self, place: &Place<'_>) -> String {
        let name = place.used.name;
        let mut text = String::new();
        if let Some(database) = &name.database {
            text.push_str(&quoted(&database.value));
            text.push('.');
        }
        text.push_str(&quoted(&name.name.value));
        if let Some(factor) = place.used.factor {
            if factor.has_partition {
                let end = factor.alias.as_ref().map_or(factor.alias_at, |alias| alias.span.start);
                let clause = Span::new(name.span().end, end).of(self.text);
                let clause = String::from_utf8_lossy(clause);
                // With an alias the clause ends at the parenthesis before `AS`.
                let end = clause.rfind(')').map_or(clause.len(), |at| at + 1);
                text.push_str(&clause[..end]);
            }
            if let Some(alias) = &factor.alias {
                text.push_str(&format!(" AS {}", quoted(&alias.value)));
            }
        }
        text
    }

    fn lock_of(&self, survey: &Survey<'_>, place: &Place<'_>) -> String {
        let lock = place.used.block.and_then(|block| survey.blocks[block].lock);
        lock.map_or_else(String::new, |lock| self.lock_text(lock))
    }

    /// A locking clause without the tables it is restricted to.
    fn lock_text(&self, lock: Span) -> String {
        let text = String::from_utf8_lossy(lock.of(self.text)).to_uppercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let has = |word: &str| words.contains(&word);
        let mut clause = match (has("UPDATE"), has("MODE")) {
            (true, _) => " FOR UPDATE",
            (false, true) => " LOCK IN SHARE MODE",
            (false, false) => " FOR SHARE",
        }
        .to_owned();
        if has("NOWAIT") {
            clause.push_str(" NOWAIT");
        } else if has("SKIP") {
            clause.push_str(" SKIP LOCKED");
        } else if let Some(at) = words.iter().position(|word| *word == "WAIT") {
            clause.push_str(&format!(" WAIT {}", words.get(at + 1).copied().unwrap_or("0")));
        }
        clause
    }
}

/// A name that occurs more than once.
fn repeated(names: &[&str]) -> Option<String> {
    let is_repeated = |(index, name): &(usize, &&str)| {
        names[..*index].iter().any(|earlier| earlier.eq_ignore_ascii_case(name))
    };
    names.iter().enumerate().find(is_repeated).map(|(_, name)| (*name).to_owned())
}

/// Puts a copy in the place of a table, under the name by which its columns are qualified.
fn replace_table(place: &Place<'_>, copy: &str, draft: &mut Draft) {
    match place.used.factor {
        Some(factor) => {
            let text = format!("{} AS {}", quoted(copy), quoted(place.used.alias()));
            draft.replace(factor.span, SpliceText::Fixed(text));
        }
        None => draft.replace(place.used.name.span(), SpliceText::Fixed(quoted(copy))),
    }
}

/// A copy as relabelling knows it.
fn copy_node(name: &str) -> Arc<[DataNode]> {
    Arc::from([DataNode { unit: UnitId(0), unit_name: "".into(), actual_table: name.into() }])
}
