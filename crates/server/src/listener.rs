//! The listener: workers are started, connections handed to them in turn, and all of it is stopped.

use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;

use admin::NodeInfo;
use governance::Governance;
use governance::yaml::{ServerOptions, TlsMode};
use protocol::auth::RsaKey;
use storage::connect::ConnectOptions;
use storage::pool::SharedLimits;
use storage::replication::watcher::Watcher;
use storage::stream::{Stream, tune};
use telemetry::METRICS;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};

use crate::command_loop;
use crate::login::{LoginSecrets, NoSession, log_in};
use crate::registry::{Registry, Request};
use crate::tls;
use crate::worker::{Shared, Worker};

/// Connections that wait for a worker.
const HANDOVER_QUEUE: usize = 1024;

/// How long a shutdown waits for statements that run.
const GRACE: Duration = Duration::from_secs(10);

/// How often host names of storage units are looked up: the least life that name services give.
const NAMES_PAUSE: Duration = Duration::from_secs(5);

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: std::io::Error },
    /// The TLS files or keys do not work.
    #[error("TLS: {0}")]
    Tls(String),
    /// A worker's runtime cannot be made.
    #[error("cannot start a worker: {0}")]
    Worker(std::io::Error),
}

/// How storage units are connected to.
///
/// # Errors
/// The file of the authorities cannot be used.
pub fn connect_options(options: &ServerOptions) -> Result<ConnectOptions, ServerError> {
    let authorities = match &options.backend.ca {
        Some(path) => Some(Arc::new(tls::authorities(path).map_err(ServerError::Tls)?)),
        None => None,
    };
    Ok(ConnectOptions {
        timeout: Duration::from_millis(options.backend.connect_timeout_milliseconds),
        max_prepared_statements: options.backend.max_prepared_statements as usize,
        authorities,
    })
}

/// Checks the files that options name.
///
/// # Errors
/// One of them cannot be used.
pub fn check_options(options: &ServerOptions) -> Result<(), ServerError> {
    if options.tls.mode != TlsMode::Off && options.tls.certificate.is_some() {
        let nowhere = std::path::Path::new("");
        tls::acceptor(&options.tls, nowhere).map_err(ServerError::Tls)?;
    }
    connect_options(options).map(drop)
}

/// What a server is made of.
pub struct ServerSetup {
    /// Where rules live.
    pub governance: Arc<Governance>,
    /// Limits, TLS, workers.
    pub options: ServerOptions,
    /// Where to listen.
    pub address: SocketAddr,
    /// Where the certificate and the RSA key made at first start are kept.
    pub data: std::path::PathBuf,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    workers: Vec<mpsc::Sender<(std::net::TcpStream, SocketAddr)>>,
    threads: Vec<JoinHandle<()>>,
    /// The version of the snapshot whose groups the watcher knows.
    watched_version: Option<u64>,
}

impl Server {
    /// Binds the address and starts the workers.
    ///
    /// # Errors
    /// See [`ServerError`].
    pub async fn start(setup: ServerSetup) -> Result<Self, ServerError> {
        let ServerSetup { governance, mut options, address, data } = setup;
        if options.workers == 0 {
            options.workers = std::thread::available_parallelism().map_or(1, usize::from);
        }
        let listener = TcpListener::bind(address)
            .await
            .map_err(|source| ServerError::Listen { address, source })?;
        let tls = match options.tls.mode {
            TlsMode::Off => None,
            _ => Some(tls::acceptor(&options.tls, &data).map_err(ServerError::Tls)?),
        };
        let rsa: RsaKey = tls::rsa_key(&data).map_err(ServerError::Tls)?;
        let connect = connect_options(&options)?;
        let bound = listener.local_addr().unwrap_or(address);
        let node = NodeInfo {
            id: format!("{:016x}", rand::random::<u64>()),
            host: bound.ip().to_string(),
            port: bound.port(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let gathers = options.limits.max_gathers as usize;
        let limits = SharedLimits::new(options.workers, connect.clone());
        let intervals = crate::groups::intervals(&options.replication);
        let watcher = Watcher::new(Arc::new(connect), Arc::clone(&limits), intervals);
        let shared = Arc::new(Shared {
            limits,
            watcher: Arc::new(watcher),
            registry: Arc::new(Registry::new()),
            gathers: Arc::new(Semaphore::new(gathers)),
            secrets: LoginSecrets { tls, rsa },
            snowflakes: crate::keys::Snowflakes::default(),
            node,
            governance,
            options,
        });
        let (workers, threads) = (Vec::new(), Vec::new());
        let mut server = Self { listener, shared, workers, threads, watched_version: None };
        // Before the first statement: nothing is read from a replica that was not looked at.
        server.tell_watcher();
        for index in 0..server.shared.options.workers {
            server.start_worker(index).map_err(ServerError::Worker)?;
        }
        Ok(server)
    }

    fn start_worker(&mut self, index: usize) -> std::io::Result<()> {
        let (sender, receiver) = mpsc::channel(HANDOVER_QUEUE);
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new()
            .name(format!("worker-{index}"))
            // The deepest statement the parser accepts needs 1.5 MiB in a debug build.
            .stack_size(4 << 20)
            .spawn(move || {
                let options = tokio::runtime::LocalOptions::default();
                let runtime =
                    tokio::runtime::Builder::new_current_thread().enable_all().build_local(options);
                match runtime {
                    Ok(runtime) => runtime.block_on(run_worker(index, shared, receiver)),
                    Err(error) => tracing::error!(%error, "a worker's runtime cannot be made"),
                }
            })?;
        self.workers.push(sender);
        self.threads.push(thread);
        Ok(())
    }

    /// Where it listens.
    ///
    /// # Errors
    /// Those of the socket.
    pub fn address(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is done, then ends all sessions and workers.
    pub async fn run(mut self, stop: impl Future<Output = ()>) {
        tokio::pin!(stop);
        let following = follow_names(Arc::clone(&self.shared.limits));
        tokio::pin!(following);
        let watcher = Arc::clone(&self.shared.watcher);
        let watching = watcher.watch();
        tokio::pin!(watching);
        tokio::select! {
            () = &mut watching => {}
            () = watcher.looked() => {}
        }
        let mut next = 0;
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                () = &mut stop => break,
                _ = tick.tick() => self.tick(),
                () = &mut following => {}
                () = &mut watching => {}
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, peer)) => {
                        next = (next + 1) % self.workers.len();
                        self.hand_over(next, stream, peer).await;
                    }
                    Err(error) => {
                        // Most likely out of file descriptors: give sessions a moment to end.
                        tracing::warn!(%error, "accept");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                },
            }
        }
        self.stop().await;
    }

    /// What happens about once a second, here rather than on a worker's event loop.
    fn tick(&mut self) {
        self.tell_watcher();
        self.shared.limits.tick();
        let limit = self.shared.options.limits.idle_timeout_milliseconds.div_ceil(1000);
        self.shared.registry.tick(limit);
    }

    /// The watcher is told of the groups in force, when the rules have changed.
    fn tell_watcher(&mut self) {
        let snapshot = self.shared.governance.current();
        if self.watched_version != Some(snapshot.version) {
            self.watched_version = Some(snapshot.version);
            let options = &self.shared.options.replication;
            self.shared.watcher.replace_groups(crate::groups::of_snapshot(&snapshot, options));
        }
    }

    async fn hand_over(&self, worker: usize, stream: TcpStream, peer: SocketAddr) {
        if tune(&stream).is_err() {
            return;
        }
        if let Ok(stream) = stream.into_std() {
            let _ = self.workers[worker].send((stream, peer)).await;
        }
    }

    async fn stop(self) {
        let Self { listener, shared, workers, threads, watched_version: _ } = self;
        drop(listener);
        drop(workers);
        shared.registry.close_when_idle();
        let deadline = tokio::time::Instant::now() + GRACE;
        while shared.registry.len() > 0 && tokio::time::Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for handle in shared.registry.all() {
            handle.ask(Request::Close);
        }
        let joined = tokio::task::spawn_blocking(move || {
            for thread in threads {
                let _ = thread.join();
            }
        });
        let _ = tokio::time::timeout(Duration::from_secs(5), joined).await;
    }
}

/// Host names of storage units may come to lead elsewhere. Never ends.
async fn follow_names(limits: Arc<SharedLimits>) {
    loop {
        tokio::time::sleep(NAMES_PAUSE).await;
        limits.follow_names().await;
    }
}

async fn run_worker(
    index: usize,
    shared: Arc<Shared>,
    mut connections: mpsc::Receiver<(std::net::TcpStream, SocketAddr)>,
) {
    let worker = Worker::new(index, shared);
    let pools = worker.pools.clone();
    let keeper = tokio::task::spawn_local(async move { pools.keep().await });
    let mut sessions = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            connection = connections.recv() => {
                let Some((stream, peer)) = connection else { break };
                let Ok(stream) = TcpStream::from_std(stream) else { continue };
                sessions.spawn_local(serve(Rc::clone(&worker), stream, peer));
            }
            Some(_) = sessions.join_next() => {}
        }
    }
    while sessions.join_next().await.is_some() {}
    keeper.abort();
}

/// One client from its first byte to its last.
async fn serve(worker: Rc<Worker>, stream: TcpStream, peer: SocketAddr) {
    let entered = worker.shared.registry.enter(peer.to_string());
    let _open = METRICS.client_connections.hold();
    METRICS.client_connections_total.increment();
    let address: IpAddr = peer.ip().to_canonical();
    let limits = &worker.shared.options.limits;
    let time_out = Duration::from_millis(limits.handshake_timeout_milliseconds);
    if crate::login::is_full(&worker) {
        crate::login::refuse_full(Stream::Plain(stream)).await;
        return;
    }
    let handle = Arc::clone(entered.handle());
    let mut login = Box::pin(log_in(&worker, entered, Stream::Plain(stream), address));
    let login = std::future::poll_fn(|cx| {
        handle.set_waker(cx.waker());
        match handle.request() >= Request::CloseWhenIdle {
            true => Poll::Ready(Err(NoSession::Broken("the server stops".to_owned()))),
            false => login.as_mut().poll(cx),
        }
    });
    match tokio::time::timeout(time_out, login).await {
        Ok(Ok(session)) => command_loop::run(session).await,
        Ok(Err(NoSession::Refused(error))) => {
            tracing::info!(%peer, code = error.code, "login refused");
        }
        Ok(Err(NoSession::Broken(reason))) => tracing::debug!(%peer, reason, "no login"),
        Err(_) => tracing::debug!(%peer, "no login in time"),
    }
}
