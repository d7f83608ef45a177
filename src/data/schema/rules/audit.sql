-- Rule: audit entries never change, and who may write and delete them

-- Audit entries never change. They are deleted when their retention is over (`src/data/audit/audit.ts`).
CREATE OR REPLACE FUNCTION audit_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed';
END $$;

-- The role that deletes expired entries and writes entries about operators' calls in Temporal. It does not exist if all programs
-- run as the owner of the schema.
CREATE OR REPLACE FUNCTION retention_role() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT current_database() || '_retention'
$$;

-- The role of the operators' process, which names the person in each transaction.
CREATE OR REPLACE FUNCTION operator_role() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT current_database() || '_operator'
$$;

-- The role of the operators' sign-in, which writes entries only by `record_event`.
CREATE OR REPLACE FUNCTION operator_identity_role() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT current_database() || '_operator_identity'
$$;

-- The retention of an entry: a year, with some time to review it. docs/operators/maintenance.md#retention.
CREATE OR REPLACE FUNCTION audit_retention() RETURNS interval LANGUAGE sql IMMUTABLE AS $$
  SELECT interval '400 days'
$$;

-- Only the operators' process, its sign-in, the retention role and the owner of the schema (local commands) write entries of operators, also by
-- a further login that is a member of such a role. The service role cannot, regardless of its session settings. The session has its role
-- also in a function that runs as the owner, such as `create_api_key`. The operators' process names a person in each entry. The catalogues
-- have the name of their schema, because a temporary table of the same name would hide them.
CREATE OR REPLACE FUNCTION audit_entries_written() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  roles text[];
BEGIN
  IF NEW.actor_kind <> 'OPERATOR'
     OR pg_has_role(session_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RETURN NEW;
  END IF;
  roles := ARRAY(SELECT rolname FROM pg_catalog.pg_roles
                  WHERE rolname IN (operator_role(), operator_identity_role(), retention_role()) AND pg_has_role(session_user, oid, 'MEMBER'));
  IF roles = '{}' THEN
    RAISE EXCEPTION 'role % writes no audit entries of operators', session_user
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.operator IS NULL AND operator_role() = ANY (roles) THEN
    RAISE EXCEPTION 'an audit entry of the operators'' process needs its person' USING ERRCODE = 'not_null_violation';
  END IF;
  RETURN NEW;
END $$;

-- Only the retention role deletes an entry, and only after its retention by the clock of the database. Without that role, the
-- owner does.
CREATE OR REPLACE FUNCTION audit_entries_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.at >= clock_timestamp() - audit_retention() THEN
    RAISE EXCEPTION 'audit entries are kept for % (entry %)', audit_retention(), OLD.id;
  END IF;
  IF current_user <> retention_role() AND EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = retention_role()) THEN
    RAISE EXCEPTION 'only role % deletes audit entries', retention_role() USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;

-- Whether the entry is one that its client reads as activity. Entries of operators name internal objects and values, so clients see only
-- those about their own access.
CREATE OR REPLACE FUNCTION is_activity(entry audit_entries) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT entry.actor_kind = 'CLIENT'
      OR entry.object LIKE 'api\_key/%' OR entry.object LIKE 'member/%' OR entry.object LIKE 'webhook\_endpoint/%'
      OR entry.action IN ('sessions.ended', 'client.closed')
      OR (entry.action = 'client.changed' AND entry.after ? 'allowed_cidrs')
$$;

-- The trigger that counts the activity of clients, so that no page counts it. It only adds rows, so that calls never wait for each other.
-- Runs as the owner of the schema, because every role that writes the audit changes the counts.
CREATE OR REPLACE FUNCTION count_activity() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry audit_entries := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF entry.client_id IS NOT NULL AND is_activity(entry) THEN
    INSERT INTO activity_counts (client_id, change) VALUES (entry.client_id, CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END);
  END IF;
  RETURN NULL;
END $$;

-- Writes an action of an operator, whom the transaction names (`src/data/database/acting-person.ts`).
CREATE OR REPLACE FUNCTION audit_operator(
  in_client_id integer, in_action text, in_object text, in_before jsonb, in_after jsonb
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries
    (actor_kind, client_id, operator, database_role, door, command, reason, approver, action, object, before, after)
  VALUES ('OPERATOR', in_client_id, nullif(current_setting('app.operator', true), ''), session_user,
    nullif(current_setting('app.door', true), ''), nullif(current_setting('app.command', true), ''), nullif(current_setting('app.reason', true), ''),
    nullif(current_setting('app.approver', true), ''), in_action, in_object, in_before, in_after)
$$;

-- The values of a row for the audit. Sealed, wrapped and hashed values have the type bytea and are shown as "hidden". Times
-- have the form of the API. Stock, counts and the times of the service's own writes are omitted.
CREATE OR REPLACE FUNCTION audited_values(of_table oid, changed jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT (changed
      || coalesce((SELECT jsonb_object_agg(attname, CASE WHEN atttypid = 'bytea'::regtype THEN 'hidden'
                                                         ELSE rfc3339((changed ->> attname)::timestamptz) END)
                     FROM pg_attribute
                    WHERE attrelid = of_table AND atttypid IN ('bytea'::regtype, 'timestamptz'::regtype)
                      AND changed ->> attname IS NOT NULL), '{}'))
      - ARRAY['created_at', 'updated_at', 'stock', 'stock_at', 'hydrated_at', 'listed_at', 'mirrored', 'mirror_after', 'encrypted_values']
$$;

-- Writes a change of a row by an operator: the whole inserted or deleted row, or the changed columns. Arguments: the name of
-- such rows in the audit, and the columns of their key.
CREATE OR REPLACE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was     jsonb := to_jsonb(OLD);
  now_is  jsonb := to_jsonb(NEW);
  one     jsonb := coalesce(to_jsonb(NEW), to_jsonb(OLD));
  differs text[];
  key     text;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    differs := ARRAY(SELECT name FROM jsonb_object_keys(now_is) name WHERE now_is -> name IS DISTINCT FROM was -> name);
    -- A changed secret is shown as "hidden" before and "changed" after.
    now_is := audited_values(TG_RELID, now_is);
    was := audited_values(TG_RELID, was);
    SELECT jsonb_object_agg(name, was -> name),
           jsonb_object_agg(name, CASE now_is -> name WHEN '"hidden"' THEN '"changed"' ELSE now_is -> name END)
      INTO was, now_is FROM unnest(differs) name WHERE now_is ? name OR was ? name;
    IF now_is IS NULL THEN RETURN NULL; END IF;
  ELSE
    was := audited_values(TG_RELID, was);
    now_is := audited_values(TG_RELID, now_is);
  END IF;
  SELECT string_agg(one ->> name, '/') INTO key FROM unnest(string_to_array(TG_ARGV[1], ',')) name;
  PERFORM audit_operator(
    (CASE TG_TABLE_NAME WHEN 'clients' THEN one ->> 'id' ELSE one ->> 'client_id' END)::integer,
    TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.created' WHEN 'UPDATE' THEN '.changed' ELSE '.deleted' END,
    TG_ARGV[0] || '/' || key, was, now_is);
  RETURN NULL;
END $$;
