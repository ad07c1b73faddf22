# Two commands matter: `make run` and `make test`. The rest are their parts.
.PHONY: run test setup build ui lint unit ui-test window-test bench types docs fuzz-smoke sample clean

# Opens the app on the sample archive; `make run ARGS=` opens your own.
ARGS ?= --sample

run: build
	scripts/run $(ARGS)

test: setup
	scripts/test

setup:
	scripts/setup

ui: setup
	scripts/ui build

build: ui
	cargo build --release -p recite-desktop -p recite-cli

lint: setup
	scripts/lint

unit: setup
	cargo nextest run

ui-test: setup
	scripts/ui test

window-test: ui
	scripts/window-test

bench:
	scripts/bench

types:
	scripts/types

# Signs the sample packages and makes the sample recordings again from them.
sample:
	cargo run -q -p recite-tests --bin make_sample

fuzz-smoke:
	scripts/fuzz-smoke.sh

clean:
	cargo clean
	rm -rf ui/dist ui/node_modules
