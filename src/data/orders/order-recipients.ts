/** Who gets the goods of an order, sealed. */
import { firstRow, type Database } from '../database/database';

export interface SealedRecipient {
  clientId: number;
  /** The email address and the input are bound to it. */
  nonce: string;
  sealedEmail: Buffer | null;
  /** What the customer entered, as JSON. */
  sealedInput: Buffer | null;
  sealedIccid: Buffer | null;
}

/** Returns undefined if there is no order with the id. */
export function findSealedRecipient(database: Database, orderId: number) {
  return firstRow<SealedRecipient>(
    database,
    `SELECT o.client_id AS "clientId", o.nonce, o.sealed_email AS "sealedEmail", topup.sealed_input AS "sealedInput",
            esim.iccid AS "sealedIccid"
       FROM orders o LEFT JOIN topup_orders topup ON topup.order_id = o.id LEFT JOIN esim_orders esim ON esim.order_id = o.id
      WHERE o.id = $orderId`,
    { orderId },
  );
}
