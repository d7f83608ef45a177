-- An audit entry stays as it was written. It is deleted when its time is over (`src/data/audit.ts`), never changed.
CREATE OR REPLACE FUNCTION audit_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed';
END $$;
