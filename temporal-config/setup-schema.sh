#!/bin/sh
# Creates Temporal's two databases and brings their tables to the version of the server. Repeatable. The address
# and the credentials come by SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD.
set -eu

schema=${TEMPORAL_SCHEMA_DIRECTORY:-/etc/temporal/schema}/postgresql/v12

for name in temporal visibility; do
  [ "$name" = temporal ] && database=temporal || database=temporal_visibility
  temporal-sql-tool --database "$database" create-database
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema --schema-dir "$schema/$name/versioned"
done
