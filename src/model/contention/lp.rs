//! Small linear programs: `min c x` such that `A x <= b` and `x >= 0`, for costs `c >= 0`.
//!
//! The dual simplex method: with such costs the start `x = 0` is optimal except for the rows that it violates. A loop has few
//! devices and fewer shared capacities, so a tableau has some ten rows and columns.

/// The solution of a program.
pub struct Solution {
    pub values: Vec<f64>,
    /// For each row: how much the least cost falls per unit by which the row's bound is raised.
    pub prices: Vec<f64>,
}

/// Smaller numbers are taken for rounding errors.
const TINY: f64 = 1e-11;

/// Minimises `cost` under rows that end with their bound. `None` if no point satisfies all rows, or if rounding errors keep the
/// method from ending.
pub fn minimise(cost: &[f64], mut rows: Vec<Vec<f64>>) -> Option<Solution> {
    let columns = cost.len();
    let height = rows.len();
    let mut cost = cost.to_vec();
    // Names of the nonbasic variables by column and of the basic ones by row: variables first, then the slack of each row.
    let mut at_zero: Vec<usize> = (0..columns).collect();
    let mut basic: Vec<usize> = (columns..columns + height).collect();
    let most = 50 + 20 * (columns + height);
    for step in 0.. {
        if step == most {
            return None;
        }
        // The most violated row; later the first by name, which cannot cycle.
        let broken = (0..height).filter(|&r| rows[r][columns] < -TINY);
        let row = if step < most / 2 {
            broken.min_by(|&p, &q| rows[p][columns].total_cmp(&rows[q][columns]))
        } else {
            broken.min_by_key(|&r| basic[r])
        };
        let Some(row) = row else { break };
        // The column that repairs the row at the least cost.
        let column = (0..columns).filter(|&c| rows[row][c] < -TINY).min_by(|&p, &q| {
            let ratio = |c: usize| cost[c] / -rows[row][c];
            ratio(p).total_cmp(&ratio(q)).then(at_zero[p].cmp(&at_zero[q]))
        })?;
        pivot(&mut rows, &mut cost, row, column);
        std::mem::swap(&mut basic[row], &mut at_zero[column]);
    }
    let mut solution = Solution { values: vec![0.0; columns], prices: vec![0.0; height] };
    for (row, &name) in rows.iter().zip(&basic) {
        if name < columns {
            solution.values[name] = row[columns].max(0.0);
        }
    }
    for (price, &name) in cost.iter().zip(&at_zero) {
        if name >= columns {
            solution.prices[name - columns] = *price;
        }
    }
    let sound = solution.values.iter().chain(&solution.prices).all(|value| value.is_finite());
    sound.then_some(solution)
}

/// Swaps the variable of the row with the variable of the column.
fn pivot(rows: &mut [Vec<f64>], cost: &mut [f64], row: usize, column: usize) {
    let by = rows[row][column];
    let columns = cost.len();
    let mut pivoted = std::mem::take(&mut rows[row]);
    for value in &mut pivoted {
        *value /= by;
    }
    pivoted[column] = 1.0 / by;
    for other in rows.iter_mut().filter(|other| !other.is_empty()) {
        let times = other[column];
        if times != 0.0 {
            for (value, own) in other.iter_mut().zip(&pivoted) {
                *value -= times * own;
            }
            other[column] = -times / by;
        }
    }
    let times = cost[column];
    for (value, own) in cost.iter_mut().zip(&pivoted[..columns]) {
        *value -= times * own;
    }
    cost[column] = -times / by;
    rows[row] = pivoted;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_program_is_solved_with_its_prices() {
        // min 2x + 3y, x + y >= 4, x <= 3.
        let solution = minimise(&[2.0, 3.0], vec![vec![-1.0, -1.0, -4.0], vec![1.0, 0.0, 3.0]]).unwrap();
        assert_eq!(solution.values, [3.0, 1.0]);
        assert_eq!(solution.prices, [3.0, 1.0]);
    }

    #[test]
    fn what_cannot_be_is_told() {
        assert!(minimise(&[1.0], vec![vec![1.0, 1.0], vec![-1.0, -2.0]]).is_none());
        assert!(minimise(&[1.0], vec![vec![f64::NAN, -1.0]]).is_none());
    }
}
