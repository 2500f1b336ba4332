//! Precision, recall and F1 of what was kept, whatever is counted: lines or words.

use serde::Serialize;

/// How far what was kept agrees with what is content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Of what was kept, the share that is content; none where nothing was kept.
    pub precision: Option<f64>,
    /// Of the content, the share that was kept; none where there is no content.
    pub recall: Option<f64>,
    /// Their harmonic mean; none where there is neither content nor anything kept.
    pub f1: Option<f64>,
}

impl Agreement {
    /// From three numbers: what is both, what was kept, what is content.
    pub fn of(content_kept: u64, kept: u64, content: u64) -> Self {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        Agreement {
            precision: share(content_kept, kept),
            recall: share(content_kept, content),
            f1: share(2 * content_kept, kept + content),
        }
    }
}

/// The mean of many agreements, each score over those that have it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AgreementSum([(f64, u64); 3]);

impl AgreementSum {
    pub(super) fn add(&mut self, agreement: Agreement) {
        let Agreement { precision, recall, f1 } = agreement;
        for ((sum, number), score) in self.0.iter_mut().zip([precision, recall, f1]) {
            *sum += score.unwrap_or(0.0);
            *number += u64::from(score.is_some());
        }
    }

    pub(super) fn mean(&self) -> Agreement {
        let [precision, recall, f1] = self.0.map(|(sum, number)| (number > 0).then(|| sum / number as f64));
        Agreement { precision, recall, f1 }
    }
}
