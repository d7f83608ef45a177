/** The mail that tells how an order ended: what goes into it, and that it was sent. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { OrderKey } from '../../domain/orders/order-flow';
import type { Family } from '../../domain/orders/families';
import type { OrderStatus } from '../../domain/orders/orders';
import { clearAttention, raiseAttention } from '../operations/attention';
import { firstRow, rows, type Database } from '../database/database';
import { familyStorage, type OrderToMail } from '../purchases/families';
import type { OwnColumns } from '../purchases/families/family-storage';

/** What every family's mail is made of. `sealedEmail` is bound to `nonce`. */
export interface MailableOrder extends OrderKey {
  clientName: string;
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

const orderToMail = ({ columns, join }: OwnColumns) => `
  SELECT o.id AS "orderId", o.nonce, o.family, c.name AS "clientName", o.product_name AS "productName",
          o.status, o.failure_code AS "failureCode", o.quantity,
         EXISTS (SELECT FROM transactions t WHERE t.order_id = o.id AND t.kind = 'REFUND') AS refunded,
         o.delivered_quantity AS delivered, o.unit_amount AS "faceValue", o.base_currency AS currency,
         m.minor_unit AS "minorUnit", o.placed_at AS "placedAt", o.sealed_email AS "sealedEmail",
         ${['c.codes_in_mail AS "codesInMail"', ...columns].join(', ')}
    FROM orders o
    JOIN clients c ON c.id = o.client_id
    JOIN currencies m ON m.code = o.base_currency ${join}
   WHERE o.id = $orderId AND o.nonce = $nonce AND o.family = $family
     AND o.sealed_email IS NOT NULL AND o.completed_at IS NOT NULL`;

/** The order if its mail is due: it has ended, an address is attached, and no mail was sent. */
export async function findOrderToMail(
  database: Database,
  family: Family,
  { orderId, nonce }: OrderKey,
): Promise<OrderToMail | undefined> {
  const due = `${orderToMail(familyStorage[family].mail)} AND o.mailed_at IS NULL`;
  return firstRow<OrderToMail>(database, due, { orderId, nonce, family });
}

/** The order if it could be mailed, whether it was or not: it has ended, and an address is attached. */
export async function findMailableOrder(
  database: Database,
  family: Family,
  { orderId, nonce }: OrderKey,
): Promise<OrderToMail | undefined> {
  return firstRow<OrderToMail>(database, orderToMail(familyStorage[family].mail), { orderId, nonce, family });
}

/** Notes that the order's mail was sent. The first time counts. Nobody needs to look after it any more. */
export async function markMailed(database: Database, orderId: number, now: Date): Promise<void> {
  await database.transaction(async (transaction) => {
    const mark = 'UPDATE orders SET mailed_at = $now WHERE id = $orderId AND mailed_at IS NULL';
    await rows(database, mark, { orderId, now }, transaction);
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
    const unmailed = `SELECT FROM orders WHERE id = $orderId AND mailed_at IS NULL AND sealed_email IS NOT NULL
                         AND completed_at IS NOT NULL FOR NO KEY UPDATE`;
    if (!(await firstRow(database, unmailed, { orderId }, transaction))) return;
    const reason = 'The notification mail could not be sent';
    await raiseAttention(database, { orderId }, 'MAIL_UNDELIVERABLE', reason, transaction);
  });
}
