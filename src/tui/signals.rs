//! Signals: a thread that waits for them and passes them on to the loop, which alone acts.

use std::{io, thread};

use crossbeam_channel::{Receiver, unbounded};
use rustix::process::{Signal, kill_current_process_group};
use signal_hook::{
    consts::{SIGCONT, SIGHUP, SIGINT, SIGSTOP, SIGTERM, SIGTSTP, SIGWINCH},
    iterator::Signals,
    low_level::raise,
};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Leave, with this exit status: 128 and the signal's number.
    Leave(i32),
    /// Stop until continued.
    Stop,
    /// The process was continued.
    Continue,
    /// The terminal has another size.
    Resize,
}

/// Starts the thread.
pub(super) fn listen() -> io::Result<Receiver<Request>> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?;
    let (sender, receiver) = unbounded();
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for signal in signals.forever() {
                let request = match signal {
                    SIGTSTP => Request::Stop,
                    SIGCONT => Request::Continue,
                    SIGWINCH => Request::Resize,
                    other => Request::Leave(128 + other),
                };
                if sender.send(request).is_err() {
                    break;
                }
            }
        })?;
    Ok(receiver)
}

/// What ^Z does where the terminal is not raw: asks everyone in the pipeline to stop, us included.
pub(super) fn ask_to_stop() -> io::Result<()> {
    Ok(kill_current_process_group(Signal::TSTP)?)
}

/// Stops this process; returns when it is continued.
pub(super) fn stop() -> io::Result<()> {
    raise(SIGSTOP)
}
