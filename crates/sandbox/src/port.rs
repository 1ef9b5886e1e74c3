//! Free TCP ports on the loopback address.

use std::net::{Ipv4Addr, TcpListener};

use crate::SandboxError;

/// A port on 127.0.0.1 that nothing listens on: `preferred` where it is free, else the next free
/// one above it; with `preferred` 0 any free port.
///
/// The port is free when this returns; whoever needs it binds it soon.
///
/// # Errors
/// When the system has no free port in reach.
pub fn find_free_port(preferred: u16) -> Result<u16, SandboxError> {
    if preferred == 0 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .map_err(SandboxError::io("looking for a free port"))?;
        return Ok(listener.local_addr().map_err(SandboxError::io("reading a port"))?.port());
    }
    (preferred..=preferred.saturating_add(200))
        .find(|&port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok())
        .map_or_else(|| find_free_port(0), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_passed_over() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let found = find_free_port(port).unwrap();
        assert_ne!(found, port);
        assert_ne!(found, 0);
    }
}
