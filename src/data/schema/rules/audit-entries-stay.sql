-- Rule: audit entries never change, and who may write and delete them

-- Audit entries never change. They are deleted when their retention is over (`src/data/audit/audit-entries.ts`).
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
