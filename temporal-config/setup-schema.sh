#!/bin/sh
# Creates Temporal's two databases and brings their tables to the version of the program temporal-sql-tool. Repeatable. It reads the
# settings of the Temporal server: DB, POSTGRES_SEEDS, DB_PORT, POSTGRES_USER, POSTGRES_PWD, and for TLS SQL_TLS_ENABLED and SQL_CA.
set -eu

export SQL_PLUGIN="$DB" SQL_HOST="$POSTGRES_SEEDS" SQL_PORT="$DB_PORT" SQL_USER="$POSTGRES_USER" SQL_PASSWORD="$POSTGRES_PWD"
export SQL_TLS="${SQL_TLS_ENABLED:-false}" SQL_TLS_CA_FILE="${SQL_CA:-}"

prepare() {
  temporal-sql-tool --database "$1" create-database
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}
prepare temporal temporal
prepare temporal_visibility visibility
