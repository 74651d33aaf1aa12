//! A progress bar on standard error while an analysis runs; gone when it ends.

use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::analysis::{Job, Stage};

const EVERY: Duration = Duration::from_millis(100);

/// Draws the job's stage and progress until the other end of `ended` is dropped.
pub(super) fn watch(job: &Job, ended: &Receiver<()>) {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
        let (done, total) = job.progress.get();
        bar.set_style(style(job.stage(), total));
        bar.set_message(job.stage().name());
        bar.set_length(total);
        bar.set_position(done.min(total.max(done)));
        bar.tick();
    }
    bar.finish_and_clear();
}

/// Bytes are shown as bytes; a total that is not known makes no bar.
fn style(stage: Stage, total: u64) -> ProgressStyle {
    let template = match (stage, total) {
        (Stage::Read, 0) => "{msg} {bytes}",
        (Stage::Read, _) => "{msg} [{bar:30}] {bytes} of {total_bytes}",
        (_, 0) => "{msg} {human_pos}",
        _ => "{msg} [{bar:30}] {human_pos} of {human_len}",
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}
