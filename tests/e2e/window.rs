//! A window of the built app under WebDriver, with an archive of its own.

use std::{
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use fantoccini::{Client, ClientBuilder, Locator, elements::Element, wd::Capabilities};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Longest wait for something to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running app.
pub(crate) struct Window {
    /// What drives the page.
    pub(crate) page: Client,
    driver: Driver,
    folder: TempDir,
}

/// `tauri-driver` and all that it started; both end with this value.
struct Driver {
    process: Child,
    port: u16,
}

impl Window {
    /// Opens the app on an archive in a fresh folder.
    pub(crate) async fn open(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        Self::open_in(folder, arguments).await
    }

    /// Opens the app on the archive of a folder that an earlier window left.
    pub(crate) async fn open_in(folder: TempDir, arguments: &[&str]) -> Self {
        let driver = Driver::start();
        let archive = archive_in(folder.path());
        let mut all = vec!["--archive".to_owned(), archive.to_string_lossy().into_owned()];
        all.extend(arguments.iter().map(ToString::to_string));
        let mut capabilities = Capabilities::new();
        capabilities.insert(
            "tauri:options".to_owned(),
            json!({ "application": recite_tests::program("recite-desktop"), "args": all }),
        );
        // The driver listens before the one that it starts in turn does.
        let start = std::time::Instant::now();
        let page = loop {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities.clone());
            match builder.connect(&format!("http://127.0.0.1:{}", driver.port)).await {
                Ok(page) => break page,
                Err(error) => {
                    assert!(start.elapsed() < PATIENCE, "the app opens no window: {error}");
                }
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        let window = Self { page, driver, folder };
        if arguments.iter().any(|argument| !argument.starts_with("--")) {
            window.put_summary_away().await;
        }
        window
    }

    /// Files named at the start are imported, and what came of it is told in a dialog: Escape closes it.
    async fn put_summary_away(&self) {
        self.find("dialog [data-status]").await;
        self.keys("\u{e00c}").await;
        let start = std::time::Instant::now();
        while self.count("dialog").await > 0 {
            assert!(start.elapsed() < PATIENCE, "Escape closes the summary");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Path of the archive.
    pub(crate) fn archive(&self) -> PathBuf {
        archive_in(self.folder.path())
    }

    /// Waits for an element.
    pub(crate) async fn find(&self, css: &str) -> Element {
        match self.page.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await {
            Ok(element) => element,
            Err(error) => {
                self.picture("failure").await;
                panic!("nothing matches {css}: {error}");
            }
        }
    }

    /// Text of the elements that match, once there is one. Lists draw rows that the driver takes for hidden, so the
    /// page itself is asked.
    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await;
        let script = "return [...document.querySelectorAll(arguments[0])].map(found => found.textContent).join(' ')";
        let text = self.page.execute(script, vec![json!(css)]).await.expect("the script runs");
        text.as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Waits until an element's text holds `words`.
    pub(crate) async fn wait_for_text(&self, css: &str, words: &str) {
        let start = std::time::Instant::now();
        loop {
            let text = self.text(css).await;
            if text.contains(words) {
                return;
            }
            if start.elapsed() > PATIENCE {
                self.picture("failure").await;
                panic!("{css} never said {words:?}; it says {text:?}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Presses the button with these words.
    pub(crate) async fn press(&self, words: &str) {
        let path = format!("//button[contains(normalize-space(.), '{words}')]");
        let wait = self.page.wait().at_most(PATIENCE);
        let button = wait.for_element(Locator::XPath(&path)).await.expect("the button is there");
        button.click().await.expect("the button can be pressed");
    }

    /// Opens the conversation whose title begins with these words, from the list, scrolling to it.
    pub(crate) async fn open_conversation(&self, words: &str) {
        let start = std::time::Instant::now();
        let script = "const row = [...document.querySelectorAll('[data-row] a, [data-row] button, [data-row] [role=option]')]\
            .find(row => row.textContent.trim().startsWith(arguments[0]));\
            if (row) { row.click(); return true; }\
            let list = document.querySelector('[data-row]')?.parentElement;\
            while (list && !/auto|scroll/.test(getComputedStyle(list).overflowY)) list = list.parentElement;\
            if (list) list.scrollTop = list.scrollTop + list.clientHeight >= list.scrollHeight - 2 ? 0 : list.scrollTop + list.clientHeight / 2;\
            return false";
        loop {
            let found =
                self.page.execute(script, vec![json!(words)]).await.expect("the script runs");
            if found == json!(true) {
                return self.wait_for_text("h1", words).await;
            }
            if start.elapsed() > PATIENCE {
                self.picture("failure").await;
                panic!("no conversation begins with {words:?}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Scrolls a transcript until an element is drawn: a long question draws what follows it only when it comes near.
    pub(crate) async fn scroll_to(&self, css: &str) {
        let script = "let feed = document.querySelector('article[data-role]');\
            while (feed && !/auto|scroll/.test(getComputedStyle(feed).overflowY)) feed = feed.parentElement;\
            if (feed) feed.scrollTop = feed.scrollHeight";
        let start = std::time::Instant::now();
        while self.count(css).await == 0 {
            if start.elapsed() > PATIENCE {
                self.picture("failure").await;
                panic!("scrolling never draws {css}");
            }
            self.script(script).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// How many elements match.
    pub(crate) async fn count(&self, css: &str) -> usize {
        self.page.find_all(Locator::Css(css)).await.expect("the page can be searched").len()
    }

    /// Class of the element that has the focus.
    pub(crate) async fn focused(&self) -> String {
        let class = self.script("return document.activeElement?.classList[0] ?? ''").await;
        class.as_str().unwrap_or_default().to_owned()
    }

    /// Runs a script in the page.
    pub(crate) async fn script(&self, body: &str) -> Value {
        self.page.execute(body, Vec::new()).await.expect("the script runs")
    }

    /// Types keys as a person would, to whatever has the focus.
    pub(crate) async fn keys(&self, keys: &str) {
        let focused = self.page.active_element().await.expect("something has the focus");
        focused.send_keys(keys).await.expect("keys are taken");
    }

    /// Writes a screenshot to `target/screenshots/`.
    pub(crate) async fn picture(&self, name: &str) {
        let folder = recite_tests::repository().join("target/screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let png = self.page.screenshot().await.expect("a picture");
        std::fs::write(folder.join(format!("{name}.png")), png).expect("the picture is written");
    }

    /// What the window shows now: width in pixels, and red, green, blue and alpha of each.
    pub(crate) async fn pixels(&self) -> (usize, Vec<[u8; 4]>) {
        let bytes = self.page.screenshot().await.expect("a picture");
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(
            png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
        );
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a picture of known size")];
        let info = reader.next_frame(&mut pixels).expect("a whole picture");
        assert_eq!(info.color_type, png::ColorType::Rgba, "colours with alpha");
        let pixels = pixels.as_chunks::<4>().0.to_vec();
        (info.width as usize, pixels)
    }

    /// Kills the app at once, as `kill -9` does, and gives back its folder.
    pub(crate) async fn kill(self) -> TempDir {
        let Self { page, driver, folder } = self;
        let status = Command::new("pkill")
            .args(["-KILL", "-f", &archive_in(folder.path()).to_string_lossy()])
            .status()
            .expect("pkill runs");
        assert!(status.success(), "the app was running");
        // The session died with the app.
        drop(page.close().await);
        drop(driver);
        folder
    }

    /// Closes the window.
    pub(crate) async fn close(self) -> TempDir {
        let Self { page, driver, folder } = self;
        page.close().await.expect("the window closes");
        drop(driver);
        folder
    }
}

impl Driver {
    fn start() -> Self {
        let (port, native) = (free_port(), free_port());
        let process = Command::new("tauri-driver")
            .args(["--port", &port.to_string(), "--native-port", &native.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("tauri-driver is installed (scripts/window-test brings it)");
        let driver = Self { process, port };
        let start = std::time::Instant::now();
        while std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(start.elapsed() < PATIENCE, "tauri-driver does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        driver
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Already gone is as good as killed.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn archive_in(folder: &Path) -> PathBuf {
    folder.join("archive.recite")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}
