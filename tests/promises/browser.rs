//! Headless Chromium, driven by DevTools messages over two pipes: no driver to install, and the browser ends with the test.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::skipped;

/// One browser at a time: it takes all the processors it finds.
static ONE: Mutex<()> = Mutex::new(());

pub(crate) struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    session: Value,
    calls: u64,
    /// What the browser told since it was last asked.
    told: Vec<Value>,
    _folder: TempDir,
    _one: MutexGuard<'static, ()>,
}

/// What people have set their screens to.
#[derive(Clone, Copy)]
pub(crate) enum Theme {
    Light,
    Dark,
}

impl Browser {
    /// Starts a browser; none, and it is said, where there is no Chromium.
    pub(crate) fn start() -> Option<Self> {
        let runs =
            |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
        let Some(program) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs) else {
            skipped("no browser", "install chromium");
            return None;
        };
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let made = Command::new("mkfifo").args([path("to"), path("from")]).status().unwrap();
        assert!(made.success());
        // The browser reads messages from file 3 and writes them to file 4.
        let child = Command::new("sh")
            .args([
                "-c",
                // A browser that hangs must not take the tests with it.
                "exec timeout 120 \"$0\" \"$@\" 3<\"$TO\" 4>\"$FROM\"",
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
            ])
            .args([
                "--remote-debugging-pipe",
                "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking",
            ])
            .args(["--disable-dev-shm-usage", "--hide-scrollbars", &format!("--user-data-dir={}", path("profile"))])
            .arg("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")
            .env("TO", path("to"))
            .env("FROM", path("from"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = fs::OpenOptions::new().write(true).open(path("to")).unwrap();
        let from = BufReader::new(File::open(path("from")).unwrap());
        let mut browser =
            Browser { child, to, from, session: Value::Null, calls: 0, told: Vec::new(), _folder: folder, _one: one };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attach = json!({"targetId": target, "flatten": true});
        browser.session = browser.call("Target.attachToTarget", attach)["sessionId"].clone();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.size(1280, 900);
        Some(browser)
    }

    /// Sends a message and waits for its answer.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": params});
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(b"\0").unwrap();
        loop {
            let message = self.read();
            if message["id"] == self.calls {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.told.push(message);
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Waits until the browser tells of this.
    fn wait(&mut self, event: &str) {
        while !self.told.iter().any(|message| message["method"] == event) {
            let message = self.read();
            self.told.push(message);
        }
        self.told.retain(|message| message["method"] != event);
    }

    /// Does something that leads to another page, and waits until that is there.
    pub(crate) fn leading(&mut self, act: impl FnOnce(&mut Self)) {
        self.told.retain(|message| message["method"] != "Page.loadEventFired");
        act(self);
        self.wait("Page.loadEventFired");
    }

    pub(crate) fn open(&mut self, url: &str) {
        self.leading(|browser| {
            browser.call("Page.navigate", json!({"url": url}));
        });
    }

    /// The value of an expression in the page.
    #[track_caller]
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    #[track_caller]
    pub(crate) fn text(&mut self, expression: &str) -> String {
        self.value(expression).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn until(&mut self, expression: &str) {
        for _ in 0..200 {
            if self.value(expression) == json!(true) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(25));
        }
        panic!("never true: {expression}");
    }

    /// Presses a key that is a letter or has a name.
    pub(crate) fn key(&mut self, key: &str) {
        let text = if key == "Enter" { "\r" } else { key };
        let code = if key == "Enter" { 13 } else { 0 };
        let mut down = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if text.chars().count() == 1 {
            down["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}));
    }

    pub(crate) fn type_in(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Clicks in the middle of the first element of a selector.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let click = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", click);
        }
    }

    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    pub(crate) fn theme(&mut self, theme: Theme) {
        let theme = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Pages run no script from now on.
    pub(crate) fn without_script(&mut self) {
        self.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    }

    /// A picture, where the developer named a folder for them.
    pub(crate) fn picture(&mut self, name: &str) {
        let Ok(folder) = std::env::var("UNHUSK_PICTURES") else { return };
        let data = self.call("Page.captureScreenshot", json!({"format": "png"}))["data"].clone();
        fs::write(format!("{folder}/{name}.png.b64"), data.as_str().unwrap()).unwrap();
    }

    /// Addresses that were asked for, other than this server's and those inside the browser.
    pub(crate) fn strangers(&mut self, ours: &str) -> Vec<String> {
        // An answer means that everything told before it has been read.
        self.value("1");
        let sent = self.told.iter().filter(|message| message["method"] == "Network.requestWillBeSent");
        let urls = sent.map(|message| message["params"]["request"]["url"].as_str().unwrap().to_owned());
        urls.filter(|url| !url.starts_with(ours) && !url.starts_with("data:") && !url.starts_with("about:")).collect()
    }

    /// What the browser complained of: errors of scripts, things the policy refused.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        self.value("1");
        let of = |message: &Value| match message["method"].as_str() {
            Some("Log.entryAdded") => Some(message["params"]["entry"]["text"].to_string()),
            Some("Runtime.exceptionThrown") => Some(message["params"]["exceptionDetails"].to_string()),
            _ => None,
        };
        self.told.iter().filter_map(of).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
