#!/bin/sh
# Writes the requests about recipients of a service elsewhere into a file of this machine, for a restore. Run it each night, in a
# checkout of the release. It prints nothing if it succeeds. docs/operators/production.md#managed-postgresql
# Usage: deploy/requests.sh <file with OPS_URL, OPS_TOKEN and REQUESTS, which is the path of the file to write>
set -eu
# shellcheck disable=SC1090
. "${1:?Name the file with OPS_URL, OPS_TOKEN and REQUESTS}"
export OPS_URL OPS_TOKEN
cd "$(dirname "$0")/.."

# The first command in a checkout installs packages and builds, and says so.
npm run ops --silent -- --version >/dev/null
npm run ops --silent -- privacy requests export --json > "$REQUESTS.part" && mv "$REQUESTS.part" "$REQUESTS"
