-- The entries of changes by operators, which triggers write. docs/operators/audit.md.
-- Rule: what an entry of the audit shows of a change by an operator

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
