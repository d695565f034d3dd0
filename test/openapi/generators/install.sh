#!/usr/bin/env bash
# Installs what generates clients from docs/openapi.json, into a folder of its own: install.sh FOLDER. Python 3.11 or later, and Go.
# Where no Python package can be fetched, it says so and installs the others.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cp "$here/package.json" "$here/bun.lock" "$1/"
(cd "$1" && npx --yes bun@1.4.5 install --frozen-lockfile --silent)
python3 -m venv "$1/venv"
pip=("$1/venv/bin/pip" --quiet --disable-pip-version-check)
if "${pip[@]}" download --no-deps --dest "$1/wheels" wheel 2>/dev/null; then
  "${pip[@]}" install --requirement "$here/requirements.txt"
else
  echo "no Python package can be fetched: the tests of generated Python clients are left out" >&2
  rm -rf "$1/venv"
fi
# Built once a machine, as the packages that its client needs and Go's own are kept in Go's caches.
codegen=${XDG_CACHE_HOME:-$HOME/.cache}/jurisprudencia/oapi-codegen-v2.8.2
go=$("$here/../../../.ci/go")
export GOTOOLCHAIN=auto
[ -x "$codegen/oapi-codegen" ] || GOBIN=$codegen "$go" install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
(cd "$here" && "$go" mod download)
ln -s "$codegen/oapi-codegen" "$go" "$1/"
