//! `anabranch serve`: configuration and store are read, storage units asked what they hold, and
//! clients served until SIGTERM or SIGINT.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use governance::Governance;
use governance::yaml::ConfigFiles;
use server::{Server, ServerSetup};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::Failure;
use crate::cli::ServeArguments;
use crate::features::FEATURES;

/// ShardingSphere's property for the port.
const PORT_PROPERTY: &str = "proxy-default-port";

/// Where nothing says another.
const DEFAULT_PORT: u16 = 3307;

/// Runs the server.
pub(crate) fn run(arguments: &ServeArguments) -> Result<ExitCode, Failure> {
    log_to_stderr();
    std::fs::create_dir_all(&arguments.data)
        .map_err(|error| format!("{}: {error}", arguments.data.display()))?;
    let files = ConfigFiles::read(&arguments.conf, FEATURES)?;
    let opened = Governance::open(&arguments.data, FEATURES, &files)?;
    if let Some(password) = &opened.new_root_password {
        println!("no users are configured: created 'root' with password {password}");
    }
    let governance = Arc::new(opened.governance);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve(arguments, governance, files));
    // Whatever does not end in time must not keep the process.
    runtime.shutdown_background();
    served?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(
    arguments: &ServeArguments,
    governance: Arc<Governance>,
    files: ConfigFiles,
) -> Result<(), Failure> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    storage::probe::configure(server::connect_options(&files.options)?);
    for failure in admin::metadata::load_all(&governance).await {
        tracing::warn!(?failure, "a storage unit cannot be read; it is tried again");
    }
    let configured = governance.current().configuration.properties.get(PORT_PROPERTY).cloned();
    let port = match (arguments.port, configured) {
        (Some(port), _) => port,
        (None, Some(text)) => text.parse().map_err(|_| format!("{PORT_PROPERTY}: {text}"))?,
        (None, None) => DEFAULT_PORT,
    };
    let setup = ServerSetup {
        governance: Arc::clone(&governance),
        options: files.options,
        address: SocketAddr::new(arguments.bind, port),
        data: arguments.data.clone(),
    };
    let server = Server::start(setup).await?;
    println!("anabranch {} ready on {}", env!("CARGO_PKG_VERSION"), server.address()?);
    let retry = retry_unread(governance);
    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
    };
    tokio::select! {
        () = server.run(stop) => {}
        () = retry => {}
    }
    Ok(())
}

/// Reads storage units that were down at start as soon as they answer.
async fn retry_unread(governance: Arc<Governance>) {
    let pause = std::time::Duration::from_secs(5);
    loop {
        tokio::time::sleep(pause).await;
        let _ = admin::metadata::load_missing(&governance).await;
    }
}

/// The program's own log; `RUST_LOG` chooses what it says.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // Only a second subscriber in one process can fail to be set; the first one logs then.
    let _ = subscriber.try_init();
}
