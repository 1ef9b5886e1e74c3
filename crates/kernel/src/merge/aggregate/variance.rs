//! VAR_POP, STDDEV and their kin of partial results.

use eval::Scalar;

use super::super::VarianceKind;
use super::super::number::read_number;
use super::super::sources::Head;
use super::RowShape;
use crate::error::StatementError;

/// How many values there were, their mean, and the sum of the squares of their distances from it.
#[derive(Debug)]
pub(super) struct Variance {
    kind: VarianceKind,
    /// With COUNT, AVG and VAR_POP.
    columns: [usize; 3],
    count: f64,
    mean: f64,
    squares: f64,
}

impl Variance {
    pub(super) fn new(kind: VarianceKind, columns: [usize; 3]) -> Self {
        Self { kind, columns, count: 0.0, mean: 0.0, squares: 0.0 }
    }

    pub(super) fn reset(&mut self) {
        (self.count, self.mean, self.squares) = (0.0, 0.0, 0.0);
    }

    /// # Source
    /// Chan, Golub, LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample
    /// Variances" (1979): as stable as the recurrence that servers use.
    pub(super) fn add(
        &mut self,
        head: Head<'_>,
        shape: RowShape<'_>,
    ) -> Result<(), StatementError> {
        let mut partial = [0.0; 3];
        for (value, &column) in partial.iter_mut().zip(&self.columns) {
            let cell = &head.cells[column];
            match read_number(&shape.columns[column], shape.format, cell, head.row)? {
                Some(number) => *value = number.to_f64(),
                None => return Ok(()),
            }
        }
        let [count, mean, variance] = partial;
        if count == 0.0 {
            return Ok(());
        }
        let total = self.count + count;
        let distance = mean - self.mean;
        self.squares += variance * count + distance * distance * (self.count * count / total);
        self.mean += distance * (count / total);
        self.count = total;
        Ok(())
    }

    pub(super) fn result(&self) -> Option<Scalar> {
        use VarianceKind::{Population, PopulationDeviation, Sample, SampleDeviation};
        let divisor = match self.kind {
            Population | PopulationDeviation => self.count,
            Sample | SampleDeviation => self.count - 1.0,
        };
        if divisor <= 0.0 {
            return None;
        }
        let variance = self.squares / divisor;
        Some(Scalar::Double(match self.kind {
            Population | Sample => variance,
            PopulationDeviation | SampleDeviation => variance.sqrt(),
        }))
    }
}
