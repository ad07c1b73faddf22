//! The app in a real window (WebKitGTK on a virtual screen), driven over WebDriver: few flows, each a promise.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod accessible;
mod citations;
mod hostile;
mod kill;
mod large;
mod network;
mod recordings;
mod start;
mod text_in_its_box;
mod window;
