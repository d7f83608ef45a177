import type { InTransaction } from './migration';

/** Moves plans that cost the same as an older plan of their product to the next free minor unit. */
const moveTwins = `
DO $$
DECLARE
  twin record;
BEGIN
  FOR twin IN
    SELECT variant.id, variant.product_id, variant.amount, power(10::numeric, -currency.minor_unit) AS step
      FROM esim_variants variant JOIN currencies currency ON currency.code = variant.currency_code
     WHERE variant.active AND EXISTS (
       SELECT FROM esim_variants older
        WHERE older.product_id = variant.product_id AND older.amount = variant.amount AND older.active
          AND older.id < variant.id)
     ORDER BY variant.id
  LOOP
    UPDATE esim_variants SET listed_amount = twin.amount, amount = (
      SELECT twin.amount + n * twin.step FROM generate_series(1, 1000000) n
       WHERE NOT EXISTS (SELECT FROM esim_variants other
                          WHERE other.product_id = twin.product_id AND other.active
                            AND other.amount = twin.amount + n * twin.step)
       ORDER BY n LIMIT 1)
     WHERE id = twin.id;
    UPDATE pricing_version SET version = version + 1;
  END LOOP;
END $$;`;

/**
 * - An order names an eSIM plan by its amount, so no two plans on sale of a product may have the same one. The constraint
 *   is checked at the end of a statement, because one statement may exchange the amounts of two plans.
 * - The audit is written and deleted by the roles that may (`functions/audit.sql`).
 * - Locks are rows and tables that a role needs a right for, not advisory locks, which anybody may take.
 * - Each file of functions that this database ever had is known by its digest (`migrate.ts`).
 */
export const planAmountsAndAudit: InTransaction = {
  name: '0034-plan-amounts-and-audit',
  sql: `
-- The price that the supplier lists, rounded; null in rows of a release that did not store it.
ALTER TABLE esim_variants ADD COLUMN listed_amount numeric(24, 4);
${moveTwins}
ALTER TABLE esim_variants ADD CONSTRAINT esim_variants_distinct_amounts
  EXCLUDE USING btree (product_id WITH =, amount WITH =) WHERE (active) DEFERRABLE INITIALLY IMMEDIATE;

-- Replaced by functions/audit.sql.
CREATE FUNCTION audit_entries_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE FUNCTION audit_entries_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$;
CREATE TRIGGER audit_entries_written BEFORE INSERT ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_entries_written();
CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_entries_kept();
CREATE TRIGGER audit_entries_kept_whole BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_stay();

-- Whoever stores a code while there are two look-up keys locks the rows of its hashes.
CREATE TABLE lookup_buckets (bucket integer PRIMARY KEY);
INSERT INTO lookup_buckets SELECT generate_series(0, 63);

CREATE TABLE applied_functions (
  name       text NOT NULL,
  digest     text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, digest)
);
`,
};
