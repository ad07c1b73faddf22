//! A network of its own, in which nothing answers and every attempt to reach something is counted (R31).

use std::{fs, process::Command};

/// Variable that says that this process is in such a network.
const INSIDE: &str = "RECITE_OWN_NETWORK";

/// Ways to get one: as root, and as a user where the kernel lets users.
const WAYS: [&[&str]; 2] = [&["--net"], &["--user", "--map-current-user", "--keep-caps", "--net"]];

/// Where a test runs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a network of its own: go on.
    Own,
    /// It ran there, and passed: nothing is left to do.
    Done,
    /// This system allows none, which was said: go on without.
    Shared,
}

/// Runs a test, by its full name, in a network of its own.
pub(crate) fn enter(test: &str) -> Place {
    if std::env::var_os(INSIDE).is_some() {
        return Place::Own;
    }
    let unshare = |way: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(way).args(["--", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"]);
        command
    };
    let possible = |way: &&&[&str]| {
        unshare(way).arg("true").output().is_ok_and(|output| output.status.success())
    };
    let Some(way) = WAYS.iter().find(possible) else {
        eprintln!(
            "not run: this system gives a test no network of its own; only this machine's ports are watched"
        );
        return Place::Shared;
    };
    let status = unshare(way)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .status()
        .unwrap();
    assert!(status.success(), "{test} failed in a network of its own");
    Place::Done
}

/// What was tried to be reached from this network, by the kernel's count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tried {
    /// Packets for addresses to which no way leads: everything but this machine.
    pub(crate) elsewhere: u64,
    /// Datagrams, as questions to a name server are.
    pub(crate) datagrams: u64,
}

/// Counts so far.
pub(crate) fn tried() -> Tried {
    let four = fs::read_to_string("/proc/self/net/snmp").unwrap();
    let six = fs::read_to_string("/proc/self/net/snmp6").unwrap_or_default();
    let four = |protocol: &str, name: &str| -> u64 {
        let mut lines = four.lines().filter(|line| line.starts_with(protocol));
        let (names, values) = (lines.next().unwrap(), lines.next().unwrap());
        let at = names.split(' ').position(|word| word == name).unwrap();
        values.split(' ').nth(at).unwrap().parse().unwrap()
    };
    let six = |name: &str| -> u64 {
        let line = six.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
    };
    Tried {
        elsewhere: four("Ip:", "OutNoRoutes") + six("Ip6OutNoRoutes"),
        datagrams: four("Udp:", "OutDatagrams") + six("Udp6OutDatagrams"),
    }
}

/// Asserts that the kernel counts: an attempt of our own shows.
pub(crate) fn assert_counted() {
    let before = tried();
    // An address that nobody has (RFC 5737).
    let reached = std::net::TcpStream::connect("192.0.2.1:80");
    assert!(reached.is_err(), "this network reaches the outside");
    assert!(tried().elsewhere > before.elsewhere, "an attempt is not counted");
}
