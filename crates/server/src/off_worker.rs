//! Work that writes to disk or waits for others: done on a thread of its own, so that the sessions of
//! a worker go on meanwhile.

use kernel::error::StatementError;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// Runs `work` on a thread with a runtime of its own and waits for its result.
///
/// # Errors
/// There is no thread to be had, or `work` panicked (1041).
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce(&Runtime) -> T + Send + 'static,
) -> Result<T, StatementError> {
    let (sender, receiver) = oneshot::channel();
    let body = move || match Builder::new_current_thread().enable_all().build() {
        // The session may be gone by then.
        Ok(runtime) => drop(sender.send(work(&runtime))),
        Err(error) => tracing::error!(%error, "no runtime for a change"),
    };
    let thread = std::thread::Builder::new().name("change".to_owned()).spawn(body);
    if let Err(error) = thread {
        tracing::error!(%error, "no thread for a change");
    }
    receiver.await.map_err(|_| {
        StatementError::new(
            1041,
            "HY000",
            "The proxy has no thread for this statement: see its log",
        )
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;
    use std::sync::mpsc;

    #[test]
    fn others_go_on_meanwhile_and_the_result_comes_back() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (release, held) = mpsc::channel::<()>();
        let went_on = Rc::new(Cell::new(false));
        let other = Rc::clone(&went_on);
        let tasks = tokio::task::LocalSet::new();
        tasks.spawn_local(async move {
            other.set(true);
            release.send(()).unwrap();
        });
        let work = super::run(move |runtime| {
            held.recv().unwrap();
            runtime.block_on(async { 7 })
        });
        let result = tasks.block_on(&runtime, work);
        assert_eq!(result.unwrap(), 7);
        assert!(went_on.get());
    }

    #[test]
    fn a_panic_is_an_error() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(super::run(|_| -> u8 { panic!("on purpose") }));
        assert_eq!(result.unwrap_err().code, 1041);
    }
}
