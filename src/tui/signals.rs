//! Signals: a thread waits for them and passes them on to the loop, which handles them.
//!
//! Every signal that would end the process and can be handled asks the loop to leave, so that the terminal is restored.
//! If a terminal that takes no output blocks the loop, the thread ends the process after a short time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, process, thread};

use crossbeam_channel::{Receiver, unbounded};
use rustix::process::{Signal, kill_current_process_group};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP,
    SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU,
};
use signal_hook::iterator::Signals;
use signal_hook::low_level::raise;

use super::terminal;

/// A request that a signal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignalRequest {
    /// Leave, with this exit status: 128 and the signal's number.
    Leave(i32),
    /// Stop until continued.
    Stop,
    /// The process was continued.
    Continue,
    /// The terminal has another size.
    Resize,
}

/// The signals that would end the process.
const ENDS: [i32; 11] = [
    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2,
    SIGXCPU,
];
/// The most time for the loop to leave: the writing of labels may wait two seconds for a lock.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Whether another program has the terminal, so that signals from the terminal's keys are for that program.
static LENT: AtomicBool = AtomicBool::new(false);

/// Notes whether another program has the terminal.
pub(super) fn lend(is_lent: bool) {
    LENT.store(is_lent, Ordering::SeqCst);
}

/// Starts the thread.
pub(super) fn listen() -> io::Result<Receiver<SignalRequest>> {
    let mut signals = Signals::new([SIGTSTP, SIGCONT, SIGWINCH].iter().chain(&ENDS))?;
    let (sender, receiver) = unbounded();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if LENT.load(Ordering::SeqCst) {
                match signal {
                    SIGINT | SIGQUIT | SIGCONT => continue,
                    // The shell gets the terminal only when all processes of the pipeline stop.
                    SIGTSTP => {
                        let _ = stop();
                        continue;
                    }
                    _ => {}
                }
            }
            let request = match signal {
                SIGTSTP => SignalRequest::Stop,
                SIGCONT => SignalRequest::Continue,
                SIGWINCH => SignalRequest::Resize,
                other => SignalRequest::Leave(128 + other),
            };
            if sender.send(request).is_err() {
                break;
            }
            if let SignalRequest::Leave(status) = request {
                thread::sleep(PATIENCE);
                // The loop waits for a terminal that takes no output: restores the parts that need no output.
                terminal::unraw();
                process::exit(status);
            }
        }
    })?;
    Ok(receiver)
}

/// Does what ^Z does on a terminal that is not raw: asks all processes of the pipeline to stop, including this one.
pub(super) fn ask_to_stop() -> io::Result<()> {
    Ok(kill_current_process_group(Signal::TSTP)?)
}

/// Stops this process; returns when it is continued.
pub(super) fn stop() -> io::Result<()> {
    raise(SIGSTOP)
}
