#!/bin/sh
# The roles of a database server, each with only the rights that it needs. A new server runs this script once, and it
# can be repeated by hand. Temporal's server gets TEMPORAL_PASSWORD. The service's server gets OWNER_PASSWORD,
# SERVICE_PASSWORD, OPERATOR_PASSWORD, RETENTION_PASSWORD, OPERATOR_IDENTITY_PASSWORD and MEMBER_IDENTITY_PASSWORD. One server can get all of them. The
# rights of the roles in the schema are in src/data/schema/grants.sql, which `migrate` applies.
#
# PGUSER (postgres) is the administrator: a superuser, or as on managed servers, a role with CREATEROLE and CREATEDB. DATABASE
# (digital_goods) is the service's database, with which the names of its roles begin: the script creates it, or gives that of the
# administrator to its owner. The script connects to PGDATABASE (postgres). psql reads PGHOST, PGPORT, PGPASSWORD and PGSSLMODE.
set -eu
database=${DATABASE:-digital_goods}

sql() {
  psql --quiet --username "${PGUSER:-postgres}" --dbname "${PGDATABASE:-postgres}" --set ON_ERROR_STOP=1 \
    --set database="$database" "$@"
}

role() {
  # All users of the machine see the arguments of a process, so the password is in the environment.
  ROLE_PASSWORD="$2" sql --set name="$1" --set attributes="$3" <<'SQL'
\getenv password ROLE_PASSWORD
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
SELECT format('ALTER ROLE %I LOGIN %s PASSWORD %L', :'name', :'attributes', :'password') \gexec
SQL
}

service_roles() {
  role "${database}_owner" "$OWNER_PASSWORD" NOCREATEDB
  role "${database}_service" "$SERVICE_PASSWORD" NOCREATEDB
  role "${database}_retention" "$RETENTION_PASSWORD" NOCREATEDB
  role "${database}_operator" "$OPERATOR_PASSWORD" NOCREATEDB
  role "${database}_operator_identity" "$OPERATOR_IDENTITY_PASSWORD" NOCREATEDB
  role "${database}_member_identity" "$MEMBER_IDENTITY_PASSWORD" NOCREATEDB

  # PostgreSQL 17 brings the rules of this locale itself, so that an update of the machine changes no index.
  sql <<'SQL'
SELECT format('CREATE DATABASE %I TEMPLATE template0 ENCODING ''UTF8'' %s', :'database',
    CASE WHEN current_setting('server_version_num')::int >= 170000
      THEN 'LOCALE_PROVIDER builtin BUILTIN_LOCALE ''C.UTF-8'' LOCALE ''C''' ELSE 'LOCALE ''C.UTF-8''' END)
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
SQL

  # The database's owner owns its schema. Without a superuser, only a member of a role gives it a database.
  sql --set owner="${database}_owner" <<'SQL'
SET client_min_messages = warning;
SELECT format('GRANT %I TO CURRENT_USER', :'owner') FROM pg_roles WHERE rolname = current_user AND NOT rolsuper \gexec
ALTER DATABASE :"database" OWNER TO :"owner";
SET ROLE :"owner";
REVOKE CONNECT ON DATABASE :"database" FROM PUBLIC;
SELECT format('GRANT CONNECT ON DATABASE %I TO %I', :'database', :'database' || suffix)
  FROM unnest(ARRAY['_service', '_retention', '_operator', '_operator_identity', '_member_identity']) suffix \gexec
SQL

  # For the age of the base backup. Only a superuser can grant it; on a managed server, the provider makes the backups.
  sql --dbname "$database" <<'SQL'
SELECT format('GRANT EXECUTE ON FUNCTION pg_ls_archive_statusdir() TO %I', :'database' || '_service')
  FROM pg_roles WHERE rolname = current_user AND rolsuper \gexec
SQL
}

# Without `exit`: the image may run this script as a part of its own.
if [ -n "${OWNER_PASSWORD:-}" ]; then service_roles; fi
# Temporal creates its own two databases: temporal-config/setup-schema.sh.
if [ -n "${TEMPORAL_PASSWORD:-}" ]; then role temporal "$TEMPORAL_PASSWORD" CREATEDB; fi
if [ -z "${OWNER_PASSWORD:-}${TEMPORAL_PASSWORD:-}" ]; then
  echo 'Nothing to do: set TEMPORAL_PASSWORD, or OWNER_PASSWORD with the other passwords of the service.' >&2
  false
fi
