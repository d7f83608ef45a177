import { triggerFunctions, type InTransaction } from './migration';

/** Every credit of a supplier, also a replaced one. docs/decisions/0092-close-months-from-sums.md. */
export const supplierCredits: InTransaction = {
  name: '0035-supplier-credits',
  sql: `
-- What suppliers credited for claimed goods, as it was recorded: added to, never changed. A claim has its newest credit.
CREATE TABLE supplier_credits (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  claim_id    bigint NOT NULL REFERENCES claims,
  credit      numeric(24, 4) NOT NULL CHECK (credit > 0),
  currency    text NOT NULL REFERENCES currencies (code),
  -- In the wallet's currency, at the rate of the moment in which the credit was recorded.
  value       numeric(24, 4) NOT NULL,
  -- The value less that of the credit that it replaces.
  change      numeric(24, 4) NOT NULL,
  recorded_at timestamptz NOT NULL
);
CREATE INDEX supplier_credits_of_claim ON supplier_credits (claim_id, id);
CREATE INDEX supplier_credits_by_time ON supplier_credits (recorded_at);

-- Before the rows are read, because the trigger waits for credits that are being recorded.
${triggerFunctions('keep_supplier_credit')}
CREATE TRIGGER keep_supplier_credit AFTER UPDATE OF supplier_credit, supplier_credit_currency, supplier_credit_value ON claims
  FOR EACH ROW WHEN (NEW.supplier_credit IS NOT NULL
    AND (OLD.supplier_credit, OLD.supplier_credit_currency, OLD.supplier_credit_value)
        IS DISTINCT FROM (NEW.supplier_credit, NEW.supplier_credit_currency, NEW.supplier_credit_value))
  EXECUTE FUNCTION keep_supplier_credit();

-- The newest credit of each claim. If it was recorded in an open month, the audit has those that it replaced: the books of closed months
-- may have posted them. Closed months have posted the newest of their own.
WITH newest AS (
  SELECT claim.id AS claim_id, to_jsonb(claim) AS known,
         claim.supplier_credited_at >= coalesce((SELECT max(month) + interval '1 month' FROM book_months) AT TIME ZONE 'UTC', '-infinity') AS is_open
    FROM claims claim WHERE claim.supplier_credit IS NOT NULL
), replaced AS (
  -- An audit entry has only the columns that changed. The others are those of the next change.
  SELECT newest.claim_id, entry.id AS entry, newest.known || (
           SELECT jsonb_object_agg(part.key, part.value ORDER BY later.id DESC)
             FROM audit_entries later CROSS JOIN LATERAL jsonb_each(later.before) part
            WHERE later.object = entry.object AND later.id >= entry.id) AS known
    FROM newest JOIN audit_entries entry ON entry.object = 'claim/' || newest.claim_id
   WHERE newest.is_open AND entry.before ->> 'supplier_credited_at' IS NOT NULL
), recorded AS (
  SELECT claim_id, entry, known FROM replaced UNION ALL SELECT claim_id, NULL, known FROM newest
)
INSERT INTO supplier_credits (claim_id, credit, currency, value, change, recorded_at)
SELECT claim_id, supplier_credit, supplier_credit_currency, supplier_credit_value,
       supplier_credit_value - lag(supplier_credit_value, 1, 0::numeric) OVER (PARTITION BY claim_id ORDER BY entry NULLS LAST),
       supplier_credited_at
  FROM recorded CROSS JOIN LATERAL jsonb_to_record(known) AS of_claim (
         supplier_credit numeric, supplier_credit_currency text, supplier_credit_value numeric, supplier_credited_at timestamptz)
 ORDER BY claim_id, entry NULLS LAST;
`,
};
