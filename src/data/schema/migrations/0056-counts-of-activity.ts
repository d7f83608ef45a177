import type { InTransaction } from './migration';

/** The numbers of entries that clients read as their activity, and how soon the tables that change most are vacuumed. */
export const countsOfActivity: InTransaction = {
  name: '0056-counts-of-activity',
  sql: `
-- How many entries of the audit a client reads as its activity: a total, and one row for each change since, which maintenance adds to it.
CREATE TABLE activity_counts (
  client_id integer NOT NULL,
  change    bigint NOT NULL,
  is_total  boolean NOT NULL DEFAULT false
);
CREATE INDEX activity_counts_of_client ON activity_counts (client_id) INCLUDE (change);
CREATE UNIQUE INDEX activity_counts_totals ON activity_counts (client_id) WHERE is_total;
CREATE INDEX activity_counts_changes ON activity_counts (client_id) WHERE NOT is_total;

-- The functions as src/data/schema/rules/audit-entries-stay.sql has them: no placeholder, because sessions begin meanwhile.
CREATE FUNCTION is_activity(entry audit_entries) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT entry.actor_kind = 'CLIENT'
      OR entry.object LIKE 'api\\_key/%' OR entry.object LIKE 'member/%' OR entry.object LIKE 'webhook\\_endpoint/%'
      OR entry.action IN ('sessions.ended', 'client.closed')
      OR (entry.action = 'client.changed' AND entry.after ? 'allowed_cidrs')
$$;
CREATE FUNCTION count_activity() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry audit_entries := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF entry.client_id IS NOT NULL AND is_activity(entry) THEN
    INSERT INTO activity_counts (client_id, change) VALUES (entry.client_id, CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_activity AFTER INSERT OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION count_activity();
INSERT INTO activity_counts (client_id, change, is_total)
SELECT client_id, count(*), true FROM audit_entries entry WHERE client_id IS NOT NULL AND is_activity(entry) GROUP BY client_id;

-- After a fiftieth of the rows instead of a fifth: of a hundred million orders, a fifth is the traffic of months.
ALTER TABLE orders SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE supplier_purchases SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE transactions SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE order_reservations SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
`,
};
