//! Session state.

use protocol::command::Command;

use crate::wire::Wire;

/// COM_CHANGE_USER, with the password for whatever the server asks.
pub fn change_user(client: &mut Wire, user: &str, password: &str, database: &str) {
    use protocol::auth::{ClientAuth, ClientStep};
    let mut auth =
        ClientAuth::new(b"caching_sha2_password", [1; 20], password.as_bytes(), false, true);
    let mut body = user.as_bytes().to_vec();
    // An empty proof makes the server ask with a fresh nonce.
    body.extend_from_slice(&[0, 0]);
    body.extend_from_slice(database.as_bytes());
    body.extend_from_slice(&[0, 45, 0]);
    body.extend_from_slice(b"mysql_clear_password\0");
    client.send(Command::ChangeUser as u8, &body);
    loop {
        let packet = client.read();
        match auth.receive(&packet).unwrap() {
            ClientStep::Send(payload) => client.write(&payload),
            ClientStep::Wait => {}
            ClientStep::Accepted => return,
            ClientStep::Refused => panic!("{packet:?}"),
        }
    }
}
