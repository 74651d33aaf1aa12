//! The pace of the frames: a key is drawn at once, the progress of a job a few times in a second.

use std::time::{Duration, Instant};

/// The time between two frames that only a job needs: 30 in a second.
const JOB_FRAMES: Duration = Duration::from_millis(33);
/// The time between two such frames over SSH, to spare the network: 10 in a second.
const REMOTE_JOB_FRAMES: Duration = Duration::from_millis(100);
/// The time between two ticks of the spinner: 8 in a second.
const TICK: Duration = Duration::from_millis(125);

/// The times when the next frame and the next tick are due. It reads no clock: the caller passes the time.
pub(super) struct FrameTimer {
    between_job_frames: Duration,
    /// The time of the next frame, if one is due.
    pub(super) due: Option<Instant>,
    drawn: Option<Instant>,
    ticked: Option<Instant>,
}

impl FrameTimer {
    /// The pace on this machine's own terminal, or over SSH.
    pub(super) fn new(remote: bool) -> Self {
        let between_job_frames = if remote { REMOTE_JOB_FRAMES } else { JOB_FRAMES };
        Self { between_job_frames, due: None, drawn: None, ticked: None }
    }

    /// Asks for a frame at this time at the latest.
    pub(super) fn draw_by(&mut self, time: Instant) {
        self.due = Some(self.due.map_or(time, |due| due.min(time)));
    }

    /// Asks for a frame as soon as the last one was visible long enough, unless one is due: a key may wait for its text.
    pub(super) fn draw_when_convenient(&mut self, now: Instant) {
        let next = self.drawn.map_or(now, |drawn| now.max(drawn + self.between_job_frames));
        self.due.get_or_insert(next);
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due.is_some_and(|due| due <= now)
    }

    pub(super) fn drawn(&mut self, now: Instant) {
        self.due = None;
        self.drawn = Some(now);
    }

    /// Whether a tick is due; if so, sets the time of the next one.
    pub(super) fn ticks(&mut self, now: Instant) -> bool {
        let ticks = self.ticked.is_none_or(|ticked| ticked + TICK <= now);
        if ticks {
            self.ticked = Some(now);
        }
        ticks
    }

    /// The time to wake up if nothing happens; `None` means never.
    pub(super) fn deadline(&self, running: bool) -> Option<Instant> {
        let tick = self.ticked.filter(|_| running).map(|ticked| ticked + TICK);
        self.due.into_iter().chain(tick).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_drawn_at_once_and_jobs_at_most_thirty_times_a_second() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut pace = FrameTimer::new(false);
        assert_eq!(pace.deadline(false), None);
        pace.drawn(at(0));
        pace.draw_when_convenient(at(5));
        assert!(!pace.is_due(at(32)) && pace.is_due(at(33)));
        pace.draw_by(at(10));
        assert!(pace.is_due(at(10)));
        pace.drawn(at(10));
        pace.draw_when_convenient(at(500));
        assert!(pace.is_due(at(500)));
        // The frame of a key that waits for its text does not come sooner because a job goes on.
        pace.drawn(at(500));
        pace.draw_by(at(616));
        pace.draw_when_convenient(at(600));
        assert!(!pace.is_due(at(615)) && pace.is_due(at(616)));
    }

    #[test]
    fn nothing_ticks_unless_a_job_runs() {
        let start = Instant::now();
        let mut pace = FrameTimer::new(false);
        assert!(pace.ticks(start) && !pace.ticks(start));
        assert_eq!((pace.deadline(true), pace.deadline(false)), (Some(start + TICK), None));
        assert!(pace.ticks(start + TICK));
    }
}
