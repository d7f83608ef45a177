import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { findByReference } from '../../data/orders/order-reads';
import { errors } from '../../domain/errors';
import { orderPath } from '../../domain/orders/orders';

/**
 * Throws `Duplicate client_reference` with the path of the order that holds the reference, whatever its
 * family. A create asks before it looks into the catalogue, so that a retry is told of its order even
 * where the product has left the catalogue since.
 * docs/decisions/0021-check-the-reference-before-the-catalogue.md.
 */
export async function rejectDuplicate(
  database: Database,
  client: Client,
  clientReference: string | undefined,
): Promise<void> {
  if (clientReference === undefined) return;
  const earlier = await findByReference(database, client.id, clientReference);
  if (earlier) throw errors.duplicateReference(orderPath(earlier.family, earlier.id));
}
