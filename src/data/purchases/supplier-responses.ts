/**
 * What suppliers said of purchases in their own words, sealed: it may repeat what the customer entered.
 * docs/decisions/0031-seal-raw-supplier-responses.md.
 */
import { rows, type Database } from '../database/database';

/** Keeps the last words about a purchase, in place of earlier ones. */
export async function keepSupplierWords(
  database: Database,
  reference: string,
  sealed: Buffer,
): Promise<void> {
  await rows(
    database,
    'UPDATE supplier_purchases SET sealed_words = $sealed, words_at = now() WHERE reference = $reference',
    { reference, sealed },
  );
}

/** The last words about a purchase, sealed, and when they came. */
export interface SupplierWords {
  reference: string;
  sealed: Buffer;
  at: Date;
}

/** What was said of the purchases of an order, in their order. */
export async function listSupplierWords(database: Database, orderId: number): Promise<SupplierWords[]> {
  return rows<SupplierWords>(
    database,
    `SELECT reference, sealed_words AS sealed, words_at AS at
       FROM supplier_purchases WHERE order_id = $orderId AND sealed_words IS NOT NULL ORDER BY batch`,
    { orderId },
  );
}
