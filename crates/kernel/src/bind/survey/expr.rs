//! The walk over expressions.

use sql::ast::{Expr, ExprKind, Function, SystemVariable, WindowSpec};

use super::Survey;

impl<'a> Survey<'a> {
    /// Several expressions.
    pub(in crate::bind) fn exprs(&mut self, exprs: impl Iterator<Item = &'a Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    /// An expression with everything in it.
    pub(in crate::bind) fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Default => {}
            ExprKind::Param(_) => self.param_spans.push(expr.span),
            ExprKind::Column(column) => self.columns.push(column),
            ExprKind::UserVariable(name) => {
                self.effects.reads_user_variables.push(name.to_ascii_lowercase());
            }
            ExprKind::SystemVariable(variable) => self.system_variable(variable),
            ExprKind::Unary(_, inner)
            | ExprKind::Nested(inner)
            | ExprKind::Is { expr: inner, .. }
            | ExprKind::Cast { expr: inner, .. }
            | ExprKind::ConvertUsing { expr: inner, .. }
            | ExprKind::Collate { expr: inner, .. }
            | ExprKind::Interval { expr: inner, .. } => self.expr(inner),
            ExprKind::Binary(left, _, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::InList { expr, list, .. } => {
                self.expr(expr);
                self.exprs(list.iter());
            }
            ExprKind::InSubquery { expr, query, .. } => {
                self.expr(expr);
                self.query(query);
                self.link(expr, query);
            }
            ExprKind::Quantified { expr, query, .. } => {
                self.expr(expr);
                self.query(query);
            }
            ExprKind::Between { expr, low, high, .. } => {
                self.exprs([&**expr, &**low, &**high].into_iter());
            }
            ExprKind::Like { expr, pattern, escape, .. } => {
                self.expr(expr);
                self.expr(pattern);
                self.exprs(escape.iter().map(|escape| &**escape));
            }
            ExprKind::Regexp { expr, pattern, .. } => {
                self.expr(expr);
                self.expr(pattern);
            }
            ExprKind::Row(items) => self.exprs(items.iter()),
            ExprKind::Function(function) => self.function(function, expr),
            ExprKind::Case { operand, branches, otherwise } => {
                self.exprs(operand.iter().map(|operand| &**operand));
                self.exprs(branches.iter().flat_map(|(when, then)| [when, then]));
                self.exprs(otherwise.iter().map(|otherwise| &**otherwise));
            }
            ExprKind::Exists(query) | ExprKind::Subquery(query) => self.query(query),
            ExprKind::Match { columns, against } => {
                self.has_match = true;
                self.columns.extend(columns);
                self.expr(against);
            }
            ExprKind::Assign { variable, value } => {
                self.effects.needs_primary = true;
                self.effects.assigns_user_variables.push(variable.to_ascii_lowercase());
                self.expr(value);
            }
        }
    }

    fn system_variable(&mut self, variable: &SystemVariable) {
        self.effects.needs_primary = true;
        match variable.name.as_str() {
            "identity" | "last_insert_id" => self.effects.reads_last_insert_id = true,
            "warning_count" | "error_count" => self.effects.reads_diagnostics = true,
            _ => {}
        }
    }

    fn function(&mut self, function: &'a Function, call: &'a Expr) {
        self.functions.push((function, call.span));
        self.exprs(function.args.iter());
        self.exprs(function.order_by.iter().map(|item| &item.expr));
        if let Some(window) = &function.window {
            self.window(window);
        }
        self.has_windows |= function.is_windowed;
        if !function.is_complete {
            self.opaque.push(call.span);
        }
        let name = function.name.value.as_str();
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        let effects = &mut self.effects;
        effects.needs_primary |= !super::pure_function::is_pure(function);
        if is("LAST_INSERT_ID") {
            if function.args.is_empty() {
                effects.reads_last_insert_id = true;
            } else {
                effects.sets_last_insert_id = true;
            }
        }
        effects.reads_found_rows |= is("FOUND_ROWS");
        effects.reads_row_count |= is("ROW_COUNT");
        if is("GET_LOCK") {
            effects.pins = Some("GET_LOCK");
        }
    }

    pub(super) fn window(&mut self, window: &'a WindowSpec) {
        self.exprs(window.partition_by.iter());
        self.exprs(window.order_by.iter().map(|item| &item.expr));
    }
}
