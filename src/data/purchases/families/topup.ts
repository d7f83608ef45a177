/** Top-up orders: one unit that leaves nothing to store but that it was delivered. */
import type { InputField } from '../../../domain/orders/customer-input';
import { firstRow } from '../../database/database';
import { readSql } from '../../database/statement-text';
import type { OrderRow, MailableOrder } from '../../orders/order-rows';
import { outcomeBinds, wrongKind, type FamilyStorage, type StoredPurchase } from './family-storage';

/** A top-up order as its client reads it. */
export interface TopupOrderRow extends OrderRow {
  variantName: string;
  sealedInput: Buffer;
}

/** What a mail about a top-up tells. */
export interface MailableTopup extends MailableOrder {
  family: 'TOPUP';
  variantName: string;
  sealedInput: Buffer;
  inputFields: InputField[] | null;
}

const storeStatement = readSql('purchases/statements/store-topup.sql');

export const topupStorage: FamilyStorage = {
  read: {
    columns: ['d.variant_name AS "variantName"', 'd.sealed_input AS "sealedInput"'],
    join: 'JOIN topup_orders d ON d.order_id = o.id',
  },
  mail: {
    columns: [
      'd.variant_name AS "variantName"',
      'd.sealed_input AS "sealedInput"',
      'p.input_fields AS "inputFields"',
    ],
    join: 'JOIN topup_orders d ON d.order_id = o.id LEFT JOIN topup_products p ON p.id = o.product_id',
  },
  unnamedGoods: [{ kind: 'topup' }],

  unitFault: ({ kind }) => (kind === 'topup' ? undefined : wrongKind),

  storeUnits: ({ database }, purchase, outcome) =>
    firstRow<StoredPurchase>(database, storeStatement, outcomeBinds(purchase, outcome)),
};
