#!/bin/sh
# Installs the peers that the benchmarks compare with, apart from the project's own environment, and runs them.
# Usage: tests/bench/run.sh [benchmark ...]
set -eu
cd "$(dirname "$0")/../.."
DYNALITE_VERSION=4.0.0
PEERS=.venv-bench
if [ ! -f "$PEERS/.ready" ] || [ tests/bench/requirements.lock -nt "$PEERS/.ready" ]; then
  .venv/bin/python -m venv "$PEERS"
  .venv/bin/uv pip install --quiet --python "$PEERS/bin/python" --require-hashes -r tests/bench/requirements.lock
  npm install --silent --no-audit --no-fund --prefix "$PEERS/node" "dynalite@$DYNALITE_VERSION"
  touch "$PEERS/.ready"
fi
DYNALITE="$PWD/$PEERS/node/node_modules/.bin/dynalite"
export DYNALITE
exec .venv/bin/python tests/bench/run.py "$@"
