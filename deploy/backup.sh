#!/bin/sh
# Backs up an installation with docker compose, and deletes what is older than the runbook keeps. Run it each night. It prints nothing
# if it succeeds. Usage: deploy/backup.sh [requests], which writes only the requests about recipients.
# docs/operators/production.md#backups-with-docker-compose
set -eu
cd "$(dirname "$0")/.."

# Runs shell commands as PostgreSQL's user, where ARCHIVE and BACKUPS name the folders.
on_database_host() {
  docker compose exec --no-TTY --user postgres postgres sh -euc "$1"
}

# shellcheck disable=SC2016 # The container has these variables.
[ "${1:-}" = requests ] || on_database_host '
  pg_basebackup --pgdata="$BACKUPS/$(date -u +%FT%H%M%S)" --checkpoint=fast
  find "$BACKUPS" -mindepth 1 -maxdepth 1 -mtime +0 ! -exec test -f "{}/backup_manifest" \; -exec rm -r {} +
  find "$BACKUPS" -mindepth 1 -maxdepth 1 -mtime +13 -exec rm -r {} +
  find "$ARCHIVE" -type f -mtime +14 -delete
' </dev/null

# A restore brings back recipients that were erased later, so that these requests are kept apart.
requests=$(docker compose --progress quiet run --rm --no-TTY --no-deps ops privacy requests export --json </dev/null)
# shellcheck disable=SC2016
printf '%s\n' "$requests" | on_database_host 'cat >"$REQUESTS.part" && mv "$REQUESTS.part" "$REQUESTS"'
