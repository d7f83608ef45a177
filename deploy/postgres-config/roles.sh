#!/bin/sh
# The roles of a database server, each with only the rights that it needs. A new server runs this script once, and it
# can be repeated by hand. Temporal's server gets TEMPORAL_PASSWORD. The service's server gets OWNER_PASSWORD,
# SERVICE_PASSWORD, OPERATOR_PASSWORD, RETENTION_PASSWORD, OPERATOR_IDENTITY_PASSWORD and MEMBER_IDENTITY_PASSWORD. One server can get all of them. The
# rights of the roles in the schema are in src/data/schema/grants.sql, which `migrate` applies.
set -eu

role() {
  # All users of the machine see the arguments of a process, so the password is in the environment.
  ROLE_PASSWORD="$2" psql --quiet --username postgres --dbname postgres --set ON_ERROR_STOP=1 \
    --set name="$1" --set attributes="$3" <<'SQL'
\getenv password ROLE_PASSWORD
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
SELECT format('ALTER ROLE %I LOGIN %s PASSWORD %L', :'name', :'attributes', :'password') \gexec
SQL
}

service_roles() {
  role digital_goods_owner "$OWNER_PASSWORD" NOCREATEDB
  role digital_goods_service "$SERVICE_PASSWORD" NOCREATEDB
  role digital_goods_retention "$RETENTION_PASSWORD" NOCREATEDB
  role digital_goods_operator "$OPERATOR_PASSWORD" NOCREATEDB
  role digital_goods_operator_identity "$OPERATOR_IDENTITY_PASSWORD" NOCREATEDB
  role digital_goods_member_identity "$MEMBER_IDENTITY_PASSWORD" NOCREATEDB

  # The database's owner owns its schema.
  psql --quiet --username postgres --dbname digital_goods --set ON_ERROR_STOP=1 <<'SQL'
ALTER DATABASE digital_goods OWNER TO digital_goods_owner;
REVOKE CONNECT ON DATABASE digital_goods FROM PUBLIC;
GRANT CONNECT ON DATABASE digital_goods TO digital_goods_service, digital_goods_retention, digital_goods_operator,
  digital_goods_operator_identity, digital_goods_member_identity;
SQL
}

# Without `exit`: the image may run this script as a part of its own.
if [ -n "${OWNER_PASSWORD:-}" ]; then service_roles; fi
# Temporal creates its own two databases: temporal-config/setup-schema.sh.
if [ -n "${TEMPORAL_PASSWORD:-}" ]; then role temporal "$TEMPORAL_PASSWORD" CREATEDB; fi
