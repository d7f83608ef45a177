import { triggerFunctions, type InTransaction, type OfIndexes } from './migration';

/** SQL: the form in which references are compared, as `reference_key` of this release computes it. */
const keyOf = (reference: string) =>
  String.raw`lower(btrim(regexp_replace(normalize(${reference}, NFKC), '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g')))`;

/** The unit that each refund is for, and one form of each reference of an operator. docs/decisions/0078-refund-the-paid-unit-of-a-bad-replacement.md. */
export const unitsAndReferences: InTransaction = {
  name: '0017-units-and-references',
  sql: `
-- The unit that the refund is for: the named one, that of its claim, or the only one. Null if it is for no unit in particular.
ALTER TABLE order_refunds ADD COLUMN for_unit integer CHECK (for_unit > 0);
UPDATE order_refunds SET for_unit = unit WHERE unit IS NOT NULL;
UPDATE order_refunds refund SET for_unit = 1 FROM orders o
 WHERE o.id = refund.order_id AND o.quantity = 1 AND refund.unit IS NULL AND refund.units = 1;
-- Refunds by an amount through a claim. One beyond the price of its unit was for more than the unit.
UPDATE order_refunds refund SET for_unit = coalesce(claim.unit, 1) FROM claims claim, orders o
 WHERE claim.order_id = refund.order_id AND claim.refund_number = refund.number AND o.id = refund.order_id
   AND refund.units IS NULL AND refund.amount <= o.total_payable / o.quantity
   AND NOT EXISTS (SELECT FROM order_refunds whole WHERE whole.order_id = refund.order_id AND whole.for_unit = coalesce(claim.unit, 1))
   AND NOT EXISTS (SELECT FROM orders replacement WHERE replacement.replaces_order_id = refund.order_id
                      AND replacement.replaces_unit = coalesce(claim.unit, 1) AND replacement.status NOT IN ('FAILED', 'CANCELLED'));
CREATE UNIQUE INDEX order_refunds_unit_once ON order_refunds (order_id, for_unit) WHERE units IS NOT NULL;
ALTER TABLE order_refunds ADD CONSTRAINT order_refunds_named_unit CHECK (unit IS NULL OR for_unit = unit);

-- The order of the refund. A claim about an order that replaces a unit refunds the order that was paid.
ALTER TABLE claims ADD COLUMN refund_order_id bigint;
UPDATE claims SET refund_order_id = order_id WHERE refund_number IS NOT NULL;
ALTER TABLE claims DROP CONSTRAINT claims_order_id_refund_number_fkey;
ALTER TABLE claims ADD CONSTRAINT claims_refund FOREIGN KEY (refund_order_id, refund_number) REFERENCES order_refunds;
ALTER TABLE claims ADD CONSTRAINT claims_refund_has_order CHECK ((refund_order_id IS NULL) = (refund_number IS NULL));
CREATE UNIQUE INDEX claims_of_refund ON claims (refund_order_id, refund_number) WHERE refund_number IS NOT NULL;

-- Keyed hash of the mailbox of the address, if the address is not the plain form of its mailbox.
ALTER TABLE orders ADD COLUMN mailbox_hash bytea;

-- The references of operators in the form in which they are compared (rules/equal-references.sql): those of fundings and adjustments in
-- their wallet, and those of refunds after delivery in their order. Of older references with one form, the oldest has the row.
CREATE TABLE operator_references (
  key       text NOT NULL CHECK (key <> ''),
  wallet_id integer REFERENCES wallets,
  order_id  bigint REFERENCES orders,
  -- As it was first given.
  reference text NOT NULL,
  UNIQUE NULLS NOT DISTINCT (key, wallet_id, order_id),
  CHECK (num_nonnulls(wallet_id, order_id) = 1)
);
INSERT INTO operator_references (key, wallet_id, reference)
SELECT DISTINCT ON (key, wallet_id) key, wallet_id, reference_number
  FROM (SELECT id, wallet_id, reference_number, ${keyOf('reference_number')} AS key FROM transactions WHERE order_id IS NULL) entry
 WHERE key <> '' ORDER BY key, wallet_id, id;
INSERT INTO operator_references (key, order_id, reference)
SELECT DISTINCT ON (key, order_id) key, order_id, reference
  FROM (SELECT order_id, number, reference, ${keyOf('reference')} AS key FROM order_refunds) refund
 WHERE key <> '' ORDER BY key, order_id, number;

${triggerFunctions('keep_entry_reference', 'keep_refund_reference', 'count_supplier_credit')}
CREATE TRIGGER keep_entry_reference AFTER INSERT ON transactions
  FOR EACH ROW WHEN (NEW.order_id IS NULL) EXECUTE FUNCTION keep_entry_reference();
CREATE TRIGGER keep_refund_reference AFTER INSERT ON order_refunds
  FOR EACH ROW EXECUTE FUNCTION keep_refund_reference();
-- See rules/counted-operations.sql.
CREATE TRIGGER count_supplier_credit AFTER UPDATE OF supplier_credit, supplier_credit_currency ON claims
  FOR EACH ROW WHEN (NEW.supplier_credit IS NOT NULL AND current_setting('app.accountable', true) <> ''
    AND (OLD.supplier_credit, OLD.supplier_credit_currency) IS DISTINCT FROM (NEW.supplier_credit, NEW.supplier_credit_currency))
  EXECUTE FUNCTION count_supplier_credit();
`,
};

/** Follows the column of its index. */
export const indexOfMailboxes: OfIndexes = {
  name: '0017b-index-of-mailboxes',
  indexes: [{ name: 'orders_by_mailbox', on: 'orders (mailbox_hash, id DESC) WHERE mailbox_hash IS NOT NULL' }],
};
