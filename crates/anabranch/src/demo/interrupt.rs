//! Ctrl-C and SIGTERM as a flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{SignalKind, signal};

use crate::Failure;

/// Set once somebody wants the demo to end.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt {
    flag: Arc<AtomicBool>,
}

impl Interrupt {
    /// Starts to listen. The first signal sets the flag, the second ends the process at once (the
    /// supervisors clean up after it).
    pub(crate) fn watch() -> Result<Self, Failure> {
        let flag = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&flag);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let _guard = runtime.enter();
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        drop(_guard);
        std::thread::spawn(move || {
            runtime.block_on(async {
                loop {
                    tokio::select! {
                        _ = interrupt.recv() => {}
                        _ = terminate.recv() => {}
                    }
                    if seen.swap(true, Ordering::SeqCst) {
                        std::process::exit(i32::from(super::INTERRUPTED));
                    }
                    eprintln!("\nStopping …");
                }
            });
        });
        Ok(Self { flag })
    }

    pub(crate) fn is_set(&self) -> bool {
        self.flag.load(Ordering::SeqCst)
    }

    /// An error once the flag is set.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.is_set() { Err("interrupted".into()) } else { Ok(()) }
    }
}
