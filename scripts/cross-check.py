#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = ["securesystemslib[crypto]==1.6.0", "ruamel.yaml==0.19.1", "bagit==1.9.0"]
# ///
"""Compares moca-reader with independent software. For development; no part of the tests.

    cargo build -p moca-reader --bin moca-reader-adapter
    scripts/cross-check.py target/debug/moca-reader-adapter

* DSSE envelopes made by securesystemslib are verified, and fail when a byte is changed.
* YAML 1.2 core values of a frontmatter are those that ruamel.yaml reads.
* The digest is the SHA-256 of the manifest that bagit makes of the same files.

Needs the packages named above, for example by `uv run scripts/cross-check.py …`.
"""

import base64
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import bagit
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from ruamel.yaml import YAML
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner

ID = "https://example.com/cross-check"
TYPE = "application/vnd.in-toto+json"

# One YAML value a line; each is the value of a member in block style.
VALUES = """\
~
null
Null
NULL
nULL
true
True
TRUE
tRUE
yes
No
on
0
-0
+12
0o17
0x1F
017
0b11
1_000
1.
.5
+.5
-1.5e3
1e3
1E-2
.inf
-.Inf
+.INF
.nan
.NaN
2026-08-14
2026-08-14T00:00:00Z
2026-08-14 00:00:00
12:30:45
"0o17"
'it''s'
"tab\\tnl\\n \\u00e9 \\U0001F600 \\x41"
plain text: no
a#b
'a # b'
[1, two, "3", 4.5, ~]
{a: 1, "b": [x], 'c': {d: e}}
=
<<
1:2
- 1
!!str 12
!!int "12"
""".splitlines()

compared = 0
failures = 0


def check(name, ok, detail=""):
    global compared, failures
    compared += 1
    if not ok:
        failures += 1
        print(f"differs: {name} {detail}")


def conclude(adapter, root, case):
    request = json.dumps({"root": str(root), "case": {"id": "cross-check", **case}})
    done = subprocess.run([adapter], input=request, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def manifest():
    return json.dumps({"id": ID, "version": "1.0.0", "title": "Cross-check"})


def dsse(adapter, root):
    package = root / "dsse"
    write(package, {"moca.json": manifest(), "content/n.md": "---\ntype: Note\n---\nBody\n"})
    digest = conclude(adapter, root, {"target": "dsse"})["digest"].removeprefix("sha256:")
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": f"{ID}@1.0.0", "digest": {"sha256": digest}}],
        "predicateType": "https://w3id.org/moca/attestation/package/v1",
        "predicate": {},
    }
    signer = CryptoSigner.generate_ed25519()
    raw = bytes.fromhex(signer.public_key.keyval["public"])
    pem = Ed25519PublicKey.from_public_bytes(raw).public_bytes(
        Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
    )
    keys = [{"keyid": signer.public_key.keyid, "publicKey": pem.decode()}]
    write(root, {"trust-root.json": json.dumps({"keys": keys})})
    case = {"target": "dsse", "options": {"trustRoot": "trust-root.json"}}
    attestation = package / "attestations/a.dsse.json"
    for indent in (None, 2):
        envelope = Envelope(json.dumps(statement, indent=indent).encode(), TYPE, {})
        envelope.sign(signer)
        document = envelope.to_dict()
        write(package, {"attestations/a.dsse.json": json.dumps(document)})
        result = conclude(adapter, root, case)
        check("envelope of securesystemslib", "signed" in result["capabilities"], result)
        signature = document["signatures"][0]
        for part, holder in (("sig", signature), ("payload", document)):
            honest = holder[part]
            changed = bytearray(base64.b64decode(honest))
            changed[len(changed) // 2] ^= 1
            holder[part] = base64.b64encode(changed).decode()
            write(package, {"attestations/a.dsse.json": json.dumps(document)})
            result = conclude(adapter, root, case)
            check(f"changed {part}", "signed" not in result["capabilities"], result)
            holder[part] = honest
    attestation.unlink()


def plain(value):
    """A YAML value as JSON has it: infinities and not-a-number are null there."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def core_yaml():
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)

    class Core(yaml.Constructor):
        pass

    # The core schema has no timestamps: they stay the text that was written.
    Core.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: node.value)
    yaml.Constructor = Core
    return yaml


# Where ruamel.yaml is wider than the core schema of YAML 1.2, which the Reader follows exactly.
RUAMEL_IS_WIDER = {"1_000", "0b11", "=", "<<"}


def yaml_values(adapter, root):
    package = root / "yaml"
    for text in VALUES:
        if text in RUAMEL_IS_WIDER:
            continue
        block = text.startswith("- ")
        value = f"value:\n      {text}" if block else f"value: {text}"
        source = f"  - id: s\n    resource: x\n    {value}\n"
        front = f"type: Note\nsources:\n{source}moca:\n  evidence:\n    - {{source: s, selector: {{}}}}\n"
        write(package, {"moca.json": manifest(), "content/n.md": f"---\n{front}---\nBody\n"})
        case = {
            "kind": "search",
            "packages": ["yaml"],
            "options": {"now": "2026-10-01T00:00:00Z", "backend": "all"},
            "search": {"query": "x", "includeAll": True},
        }
        records = conclude(adapter, root, case)["records"]
        try:
            expected = plain(core_yaml().load(front)["sources"][0]["value"])
        except Exception as fault:
            check(f"YAML {text!r}", not records, f"ruamel: {type(fault).__name__}")
            continue
        found = records[0]["evidence"][0]["source"].get("value") if records else "no record"
        same = found == expected and type(found) is type(expected)
        number = isinstance(found, (int, float)) and isinstance(expected, (int, float))
        check(f"YAML {text!r}", same or (number and found == expected), f"{found!r}, ruamel {expected!r}")


def manifests(adapter, root):
    files = {
        "moca.json": manifest(),
        "content/n.md": "---\ntype: Note\n---\nBody\n",
        "content/ü ñ.md": "---\ntype: Note\n---\n",
        "media/100%.bin": bytes(range(256)),
        "media/line\nbreak.txt": "x",
        "media/a/b/c.txt": "",
        "Z.txt": "z",
        "media/\U0001f600.txt": "after the basic plane",
        "media/\uffee.txt": "before it in UTF-8, after it in UTF-16",
    }
    write(root / "bagged", files)
    digest = conclude(adapter, root, {"target": "bagged"})["digest"]
    bag_folder = root / "bag"
    write(bag_folder, files)
    bag = bagit.make_bag(str(bag_folder), checksums=["sha256"])
    hashes = {path.removeprefix("data/"): entry["sha256"] for path, entry in bag.payload_entries().items()}
    check("bagit lists every file", set(hashes) == set(files), sorted(hashes))

    def encode(path):
        return path.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    ordered = sorted(hashes, key=os.fsencode)
    text = "".join(f"{hashes[path]}  {encode(path)}\n" for path in ordered)
    expected = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    check("digest of bagit's manifest", digest == expected, f"{digest}, expected {expected}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    adapter = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        for compare in (dsse, yaml_values, manifests):
            compare(adapter, Path(scratch))
    print(f"{compared} comparisons, {failures} differences")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
