-- The guard of stored values that decide money. docs/decisions/0077-compare-changes-with-the-last-confirmed-value.md.
-- Rule: stored values that decide money change only with a guard

-- Whether operators work here: the transaction names their command, or the session has their role, also by a further login that is a member
-- of it. The owner of the schema, who migrates and seeds, is no such session.
CREATE OR REPLACE FUNCTION is_operated() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce(current_setting('app.command', true), '') <> ''
    OR EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = operator_role() AND pg_has_role(session_user, oid, 'MEMBER'))
       AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_catalog.pg_class WHERE oid = 'public.confirmed_values'::regclass), 'MEMBER');
END $$;

-- Refuses a change by operators, unless app.guarded names each kind of value of the arguments. src/data/schema/guarded-columns.ts makes the
-- triggers. It finds an operation that forgets its guard. It stops no SQL of the operators' role, which can set app.guarded, too.
CREATE OR REPLACE FUNCTION refuse_unguarded_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT is_operated() OR string_to_array(current_setting('app.guarded', true), ',') @> TG_ARGV THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'A change of % needs a guard of %: see src/operators/operations/guarded-prices.ts', TG_TABLE_NAME, array_to_string(TG_ARGV, ', ')
    USING ERRCODE = 'insufficient_privilege';
END $$;
