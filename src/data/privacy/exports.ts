/** What the database holds about a recipient, for the person who asks for it. */
import { rows, type Database } from '../database/database';
import type { Family } from '../../domain/orders/families';
import { ordersOf, type HashedRecipient } from './erasures';

/** An order of the recipient, with the sealed values that an erasure would remove. */
export interface RecipientOrder {
  id: number;
  nonce: string;
  client: string;
  family: Family;
  product: string;
  status: string;
  placedAt: Date;
  completedAt: Date | null;
  sealedEmail: Buffer | null;
  sealedInput: Buffer | null;
}

/** Records the request, and returns the orders of the recipient, oldest first. */
export async function exportRecipient(
  database: Database,
  { kind, hashes, requestHash }: HashedRecipient,
  clientId: number | null,
): Promise<RecipientOrder[]> {
  await rows(
    database,
    `INSERT INTO privacy_requests (action, client_id, kind, recipient_hash) VALUES ('EXPORT', $clientId, $kind, $requestHash)`,
    { clientId, kind, requestHash },
  );
  return rows<RecipientOrder>(
    database,
    `SELECT o.id, o.nonce, client.name AS client, o.family, o.product_name AS product, o.status, o.placed_at AS "placedAt",
            o.completed_at AS "completedAt", o.sealed_email AS "sealedEmail", topup.sealed_input AS "sealedInput"
       FROM (${ordersOf[kind]}) o JOIN clients client ON client.id = o.client_id
       LEFT JOIN topup_orders topup ON topup.order_id = o.id ORDER BY o.id`,
    { clientId, hashes },
  );
}

/** A text about an order, sealed for its nonce. */
export interface SealedOrderText {
  orderId: number;
  nonce: string;
  sealed: Buffer;
  at: Date;
}

/** The texts that people wrote about the orders, oldest first. */
export function listOrderTexts(database: Database, orderIds: readonly number[]) {
  return rows<SealedOrderText>(
    database,
    `SELECT order_id AS "orderId", nonce, sealed_text AS sealed, written_at AS at FROM order_texts
      WHERE order_id = ANY ($orderIds::bigint[]) AND sealed_text IS NOT NULL ORDER BY id`,
    { orderIds },
  );
}

/** The texts of the claims about the orders, oldest first, sealed for the nonces of the orders. */
export function listClaimTexts(database: Database, orderIds: readonly number[]) {
  return rows<Pick<SealedOrderText, 'orderId' | 'sealed'>>(
    database,
    `SELECT order_id AS "orderId", sealed_text AS sealed FROM claims
      WHERE order_id = ANY ($orderIds::bigint[]) AND sealed_text IS NOT NULL ORDER BY id`,
    { orderIds },
  );
}
