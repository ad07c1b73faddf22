# Shared by the scripts beside it. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# stop SENTENCE: the one line that says what is missing.
stop() {
    printf 'recite: %s\n' "$1" >&2
    exit 1
}

# step SENTENCE: what happens now.
step() {
    printf '\n== %s\n' "$1"
}

# Root needs no sudo; others use it only when it asks no question.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
    command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
}

# packages NAME...: installs the Debian packages of the list that are missing, or says which are.
packages() {
    local missing=() name
    command -v dpkg-query >/dev/null || return 0
    for name in "$@"; do
        dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    may_install || stop "these system packages are missing: ${missing[*]} (install them, for example: sudo apt-get install ${missing[*]})"
    step "Installing system packages: ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# cargo_tool COMMAND CRATE: installs a cargo tool that is missing.
cargo_tool() {
    command -v "$1" >/dev/null || { step "Installing $2"; cargo install --locked --quiet "$2"; }
}
