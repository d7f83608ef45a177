#!/bin/sh
# The roles of the database server, each with what it needs and no more; made once, when the server is new, and again
# by hand as often as you like. The passwords come by OWNER_PASSWORD, SERVICE_PASSWORD, CODEC_PASSWORD,
# RETENTION_PASSWORD and TEMPORAL_PASSWORD. What service, codec and retention may do in the schema: src/data/schema/grants.sql, applied by `migrate`.
set -eu

role() {
  psql --quiet --username postgres --dbname digital_goods --set ON_ERROR_STOP=1 \
    --set name="$1" --set password="$2" --set attributes="$3" <<'SQL'
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
SELECT format('ALTER ROLE %I LOGIN %s PASSWORD %L', :'name', :'attributes', :'password') \gexec
SQL
}

role digital_goods_owner "$OWNER_PASSWORD" NOCREATEDB
role digital_goods_service "$SERVICE_PASSWORD" NOCREATEDB
role digital_goods_codec "$CODEC_PASSWORD" NOCREATEDB
role digital_goods_retention "$RETENTION_PASSWORD" NOCREATEDB
# Makes its own two databases: temporal-config/setup-schema.sh.
role temporal "$TEMPORAL_PASSWORD" CREATEDB

# Whoever owns the database owns its schema.
psql --quiet --username postgres --dbname digital_goods --set ON_ERROR_STOP=1 <<'SQL'
ALTER DATABASE digital_goods OWNER TO digital_goods_owner;
REVOKE CONNECT ON DATABASE digital_goods FROM PUBLIC;
GRANT CONNECT ON DATABASE digital_goods TO digital_goods_service, digital_goods_codec, digital_goods_retention;
-- What another user made before there were roles.
SELECT format('ALTER TABLE public.%I OWNER TO digital_goods_owner', relname) FROM pg_class
 WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') \gexec
SELECT format('ALTER ROUTINE %s OWNER TO digital_goods_owner', oid::regprocedure) FROM pg_proc
 WHERE pronamespace = 'public'::regnamespace \gexec
SQL
