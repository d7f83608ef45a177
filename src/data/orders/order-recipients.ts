/** Who gets the goods of an order, sealed. */
import { firstRow, type Database } from '../database/database';

export interface SealedRecipient {
  clientId: number;
  /** The email address and the input are bound to it. */
  nonce: string;
  sealedEmail: Buffer | null;
  /** What the customer entered, as JSON. */
  sealedInput: Buffer | null;
  /** Sealed for `profileOrderId`: the order that came with the profile. */
  sealedIccid: Buffer | null;
  profileOrderId: number;
}

/** Returns undefined if there is no order with the id. */
export function findSealedRecipient(database: Database, orderId: number) {
  return firstRow<SealedRecipient>(
    database,
    `SELECT o.client_id AS "clientId", o.nonce, o.sealed_email AS "sealedEmail", topup.sealed_input AS "sealedInput",
            coalesce(profile.iccid, esim.iccid) AS "sealedIccid", coalesce(profile.order_id, o.id) AS "profileOrderId"
       FROM orders o LEFT JOIN topup_orders topup ON topup.order_id = o.id LEFT JOIN esim_orders esim ON esim.order_id = o.id
       LEFT JOIN esim_orders profile ON profile.order_id = esim.recharges_order_id AND esim.activation_status IS NOT NULL
      WHERE o.id = $orderId`,
    { orderId },
  );
}
