#!/usr/bin/env bash
# Installs what generates clients from docs/openapi.json, into a folder of its own: install.sh FOLDER. Python 3.11 or later.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
python3 -m venv "$1/venv"
"$1/venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
cp "$here/package.json" "$here/bun.lock" "$1/"
(cd "$1" && npx --yes bun@1.4.5 install --frozen-lockfile --silent)
