-- Which entries of the audit a client reads as its activity, and their number.
-- Rule: which entries of the audit a client reads

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
