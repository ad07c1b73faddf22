//! Kinds of file that are no recording, by their first bytes.

use super::CarrierError;

/// Bytes of the beginning that tell the kind.
pub(super) const HEAD_BYTES: u64 = 32;

const UNPACK: &str = "Unpack it first and import the recordings in it.";
const NO_RECORDING: &str = "Choose the file that holds the events or messages.";

/// First bytes, what they stand for, what the user can do.
const KINDS: [(&[u8], &str, &str); 17] = [
    (b"\x1f\x8b", "a gzip file inside a gzip file", UNPACK),
    (b"PK\x03\x04", "a ZIP archive", UNPACK),
    (b"PK\x05\x06", "an empty ZIP archive", NO_RECORDING),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd file", UNPACK),
    (b"BZh", "a bzip2 file", UNPACK),
    (b"\xfd7zXZ\x00", "an xz file", UNPACK),
    (b"Rar!\x1a", "a RAR archive", UNPACK),
    (
        b"SQLite format 3\x00",
        "an SQLite database",
        "Export the conversations as JSON from the program that wrote it.",
    ),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", NO_RECORDING),
    (b"\xff\xd8\xff", "a JPEG image", NO_RECORDING),
    (b"GIF8", "a GIF image", NO_RECORDING),
    (b"RIFF", "a RIFF file (WebP image, sound or film)", NO_RECORDING),
    (b"%PDF-", "a PDF document", NO_RECORDING),
    (b"\x7fELF", "a program", NO_RECORDING),
    (b"<!DOCTYPE", "an HTML page", NO_RECORDING),
    (b"<html", "an HTML page", NO_RECORDING),
];

/// The refusal of a source that begins so.
pub(super) fn other_kind(head: &[u8]) -> Option<CarrierError> {
    KINDS
        .iter()
        .find(|(magic, _, _)| head.starts_with(magic))
        .map(|&(_, found, hint)| CarrierError::OtherKind { found, hint })
}
