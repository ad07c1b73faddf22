//! Addresses: which ones a user may be asked about, and as what they are shown.

use serde::Serialize;
use url::{Host, Url};

use crate::hidden::hidden;
use crate::name::doubt;

/// Bytes of an address, as written and in ASCII.
pub const MAX_URL_BYTES: usize = 2048;
/// Characters of an address in [`Link::shown`].
const MAX_SHOWN: usize = 120;
/// Characters of its end, when it is shortened.
const SHOWN_TAIL: usize = 24;
/// Bytes of a host name and of one of its labels (RFC 1035 §2.3.4).
const MAX_HOST: usize = 253;
const MAX_LABEL: usize = 63;

/// An address that may be opened outside after the user agreed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The host in ASCII (punycode), with the port when it is not the scheme's own.
    pub ascii_host: String,
    /// The whole address in ASCII: what is opened.
    pub ascii_url: String,
    /// The address as the confirmation shows it: ASCII, the host whole, the rest shortened.
    pub shown: String,
    /// The host in its own letters, when it is an internationalised name.
    pub unicode_host: Option<String>,
    /// A label of the host mixes scripts or looks Latin without being so.
    pub mixed_scripts: bool,
}

/// Why an address is not offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing there.
    #[error("no address")]
    Empty,
    /// Longer than [`MAX_URL_BYTES`].
    #[error("longer than {MAX_URL_BYTES} bytes")]
    TooLong,
    /// A control, line break, bidi control, zero-width or tag character.
    #[error("hidden characters in the address")]
    Hidden,
    /// Without a scheme, so relative to something that is not here.
    #[error("relative address")]
    Relative,
    /// A scheme other than http and https (seed §4).
    #[error("not http or https")]
    Scheme,
    /// Not of the form `scheme://host/…`: browsers repair such addresses in different ways.
    #[error("malformed address")]
    Form,
    /// A user name or password before the host, which hides the host.
    #[error("user name in the address")]
    UserInfo,
    /// The host cannot be read or is no name that DNS could hold.
    #[error("unreadable host")]
    Host,
}

impl Refused {
    /// A stable word for hosts and tests.
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too-long",
            Self::Hidden => "hidden",
            Self::Relative => "relative",
            Self::Scheme => "scheme",
            Self::Form => "form",
            Self::UserInfo => "user-info",
            Self::Host => "host",
        }
    }
}

/// Reads an address from untrusted text (seed §4: links only for `http` and `https`; quality R32).
///
/// # Errors
/// [`Refused`] for everything that is not a plain `http://host…` or `https://host…`.
pub fn link(url: &str) -> Result<Link, Refused> {
    let url = url.trim_matches(' ');
    if url.is_empty() {
        return Err(Refused::Empty);
    }
    if url.len() > MAX_URL_BYTES {
        return Err(Refused::TooLong);
    }
    if url.chars().any(|c| c.is_control() || hidden(c).is_some()) {
        return Err(Refused::Hidden);
    }
    let rest = after_scheme(url)?;
    let authority = authority(rest)?;
    if authority.contains('@') {
        return Err(Refused::UserInfo);
    }
    let parsed = Url::parse(url).map_err(|_| Refused::Host)?;
    let (ascii, unicode) = host(&parsed)?;
    let ascii_url = String::from(parsed.clone());
    if !ascii_url.is_ascii() || !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(Refused::Form);
    }
    if ascii_url.len() > MAX_URL_BYTES {
        return Err(Refused::TooLong);
    }
    let ascii_host = match parsed.port() {
        Some(port) => format!("{ascii}:{port}"),
        None => ascii,
    };
    let mixed_scripts =
        unicode.as_deref().is_some_and(|host| host.split('.').any(|l| doubt(l).is_some()));
    let shown = shorten(&ascii_url, parsed.scheme().len() + "://".len() + ascii_host.len());
    Ok(Link { ascii_host, ascii_url, shown, unicode_host: unicode, mixed_scripts })
}

/// What follows `http:` or `https:`.
fn after_scheme(url: &str) -> Result<&str, Refused> {
    let Some((scheme, rest)) = url.split_once(':') else { return Err(Refused::Relative) };
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    if !named {
        // `a/b:c` is a relative path; ` &colon;` and the like are nothing at all.
        return Err(if scheme.contains(['/', '?', '#']) {
            Refused::Relative
        } else {
            Refused::Form
        });
    }
    if scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
        Ok(rest)
    } else {
        Err(Refused::Scheme)
    }
}

/// The part between `//` and the path.
fn authority(rest: &str) -> Result<&str, Refused> {
    let after = rest.strip_prefix("//").ok_or(Refused::Form)?;
    if after.contains('\\') {
        return Err(Refused::Form);
    }
    let authority = after.split(['/', '?', '#']).next().unwrap_or("");
    if authority.is_empty() { Err(Refused::Form) } else { Ok(authority) }
}

/// The host in ASCII and, when that is punycode, in its own letters.
fn host(parsed: &Url) -> Result<(String, Option<String>), Refused> {
    let ascii = match parsed.host() {
        Some(Host::Domain(domain)) => domain.to_owned(),
        Some(Host::Ipv4(address)) => return Ok((address.to_string(), None)),
        Some(Host::Ipv6(address)) => return Ok((format!("[{address}]"), None)),
        None => return Err(Refused::Host),
    };
    let name = ascii.strip_suffix('.').unwrap_or(&ascii);
    let fits = name.len() <= MAX_HOST
        && name.split('.').all(|label| !label.is_empty() && label.len() <= MAX_LABEL);
    if !fits || !name.is_ascii() {
        return Err(Refused::Host);
    }
    if !name.split('.').any(|label| label.starts_with("xn--")) {
        return Ok((ascii, None));
    }
    let (unicode, valid) = idna::domain_to_unicode(&ascii);
    if valid.is_err() || unicode.chars().any(|c| hidden(c).is_some()) {
        return Err(Refused::Host);
    }
    Ok((ascii, Some(unicode)))
}

/// Shortens an ASCII address in its middle, never within its first `origin` bytes.
fn shorten(url: &str, origin: usize) -> String {
    if url.len() <= MAX_SHOWN {
        return url.to_owned();
    }
    let head = origin.max(MAX_SHOWN - SHOWN_TAIL - 1);
    match (url.get(..head), url.get(url.len() - SHOWN_TAIL..)) {
        (Some(head_text), Some(tail)) if head + SHOWN_TAIL < url.len() => {
            format!("{head_text}…{tail}")
        }
        _ => url.to_owned(),
    }
}
