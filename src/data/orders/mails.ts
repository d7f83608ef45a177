/** The mail that tells how an order ended: what goes into it, and that it was sent. */
import type { FailureCode } from '../../domain/failure-codes';
import type { InputField } from '../../domain/input-fields';
import type { OrderKey } from '../../domain/order-flow';
import type { Family, OrderStatus } from '../../domain/orders';
import { clearAttention, raiseAttention } from '../attention';
import { firstRow, rows, type Database } from '../database';

/** What every family's mail is made of. `sealedEmail` is bound to `nonce`. */
interface MailableOrder extends OrderKey {
  clientName: string;
  clientReference: string | null;
  productName: string;
  status: OrderStatus;
  failureCode: FailureCode | null;
  /** The wallet was credited for what was not delivered. */
  refunded: boolean;
  quantity: number;
  delivered: number;
  /** Face value of one unit in the product's currency, whose minor unit is `minorUnit`. */
  faceValue: string;
  currency: string;
  minorUnit: number;
  placedAt: Date;
  sealedEmail: Buffer;
  /** The client wants codes in its mails. */
  codesInMail: boolean;
}

interface MailableVouchers extends MailableOrder {
  family: 'VOUCHER';
  validity: string | null;
  howToUse: string | null;
}

interface MailableTopup extends MailableOrder {
  family: 'TOPUP';
  variantName: string;
  sealedInput: Buffer;
  inputFields: InputField[] | null;
}

interface MailableEsim extends MailableOrder {
  family: 'ESIM';
  dataAmountGb: string;
  validityDays: number;
  /** Present where the client wants codes in its mails and no device has the profile yet. */
  sealedActivationCode: Buffer | null;
}

/** An order that has ended and whose mail is due. */
export type OrderToMail = MailableVouchers | MailableTopup | MailableEsim;

const columnsOf: Readonly<Record<Family, { columns: string; join: string }>> = {
  VOUCHER: {
    columns: 'p.validity, p.how_to_use AS "howToUse"',
    join: 'LEFT JOIN voucher_products p ON p.id = o.product_id',
  },
  TOPUP: {
    columns:
      'd.variant_name AS "variantName", d.sealed_input AS "sealedInput", p.input_fields AS "inputFields"',
    join: 'JOIN topup_orders d ON d.order_id = o.id LEFT JOIN topup_products p ON p.id = o.product_id',
  },
  ESIM: {
    columns: `d.data_amount_gb AS "dataAmountGb", d.validity_days AS "validityDays",
      CASE WHEN c.codes_in_mail AND d.activation_status = 'NOT_INSTALLED'
           THEN d.activation_code END AS "sealedActivationCode"`,
    join: 'JOIN esim_orders d ON d.order_id = o.id',
  },
};

const orderToMail = ({ columns, join }: { columns: string; join: string }) => `
  SELECT o.id AS "orderId", o.nonce, o.family, c.name AS "clientName", o.client_reference AS "clientReference",
         o.product_name AS "productName", o.status, o.failure_code AS "failureCode", o.quantity,
         EXISTS (SELECT FROM transactions t WHERE t.order_id = o.id AND t.kind = 'REFUND') AS refunded,
         o.delivered_quantity AS delivered, o.unit_amount AS "faceValue", o.base_currency AS currency,
         m.minor_unit AS "minorUnit", o.placed_at AS "placedAt", o.sealed_email AS "sealedEmail",
         c.codes_in_mail AS "codesInMail", ${columns}
    FROM orders o
    JOIN clients c ON c.id = o.client_id
    JOIN currencies m ON m.code = o.base_currency ${join}
   WHERE o.id = $1 AND o.nonce = $2 AND o.family = $3
     AND o.sealed_email IS NOT NULL AND o.completed_at IS NOT NULL AND o.mailed_at IS NULL`;

/** The order where its mail is due: it has ended, an address is attached, and no mail was sent. */
export async function findOrderToMail(
  database: Database,
  family: Family,
  { orderId, nonce }: OrderKey,
): Promise<OrderToMail | undefined> {
  return firstRow<OrderToMail>(database, orderToMail(columnsOf[family]), [orderId, nonce, family]);
}

/** Notes that the order's mail was sent. The first time counts. Nobody needs to look after it any more. */
export async function markMailed(database: Database, orderId: number, now: Date): Promise<void> {
  await database.transaction(async (transaction) => {
    const mark = 'UPDATE orders SET mailed_at = $2 WHERE id = $1 AND mailed_at IS NULL';
    await rows(database, mark, [orderId, now], transaction);
    await clearAttention(database, { orderId }, ['MAIL_UNDELIVERABLE'], transaction);
  });
}

/**
 * Puts the order on the list of what needs a person: its mail was given up. Where it was sent after all,
 * or none is due, nothing happens.
 */
export async function reportUndeliverable(database: Database, orderId: number): Promise<void> {
  await database.transaction(async (transaction) => {
    // The lock keeps a mail that is sent at this moment from being reported after it was marked.
    const unmailed = `SELECT FROM orders WHERE id = $1 AND mailed_at IS NULL AND sealed_email IS NOT NULL
                         AND completed_at IS NOT NULL FOR NO KEY UPDATE`;
    if (!(await firstRow(database, unmailed, [orderId], transaction))) return;
    const reason = 'The notification mail could not be sent';
    await raiseAttention(database, { orderId }, 'MAIL_UNDELIVERABLE', reason, transaction);
  });
}
