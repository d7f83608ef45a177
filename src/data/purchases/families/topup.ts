/** Top-up orders: one unit, of which only the delivery is stored. */
import type { InputField } from '../../../domain/orders/customer-input';
import { firstRow } from '../../database/database';
import type { OrderRow, MailableOrder } from '../../orders/order-rows';
import { outcomeBinds, storingStatements, wrongKind, type FamilyStorage, type StoredPurchase } from './family-storage';

/** A top-up order as its client reads it. */
export interface TopupOrderRow extends OrderRow {
  variantName: string;
  /** Null once the recipient was erased. */
  sealedInput: Buffer | null;
}

/** The content of a mail about a top-up. */
export interface MailableTopup extends MailableOrder {
  family: 'TOPUP';
  variantName: string;
  sealedInput: Buffer;
  inputFields: InputField[] | null;
}

// A top-up has no goods: only its delivery is counted. A report without a usable unit delivers nothing, whatever its state.
const { store, storeAndEnd } = storingStatements('TOPUP', {
  units: `
present_units AS (
  SELECT CASE WHEN $state = 'DELIVERED' AND $hasUnit THEN 1 ELSE 0 END AS count
)`,
  delivered: { quantity: '1', when: '(SELECT count FROM present_units) = 1 AND o.delivered_quantity = 0' },
  present: `(SELECT CASE count WHEN 1 THEN ARRAY[1] ELSE '{}' END FROM present_units)`,
});

export const topupStorage: FamilyStorage = {
  read: {
    columns: ['d.variant_name AS "variantName"', 'd.sealed_input AS "sealedInput"'],
    join: 'JOIN topup_orders d ON d.order_id = o.id',
  },
  mail: {
    columns: ['d.variant_name AS "variantName"', 'd.sealed_input AS "sealedInput"', 'p.input_fields AS "inputFields"'],
    join: 'JOIN topup_orders d ON d.order_id = o.id LEFT JOIN topup_products p ON p.id = o.product_id',
  },
  unnamedGoods: () => [{ kind: 'topup' }],

  unitFault: ({ kind }) => (kind === 'topup' ? undefined : wrongKind),

  storeUnits: ({ database }, purchase, outcome, units, mayEnd = false) =>
    firstRow<StoredPurchase>(database, mayEnd ? storeAndEnd : store, {
      ...outcomeBinds(purchase, outcome),
      hasUnit: units.length > 0,
    }),
};
