//! The app in a real window (WebKitGTK on a virtual screen), driven over WebDriver: few flows, each a promise.

mod window;
