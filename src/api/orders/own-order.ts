/** The order that a path names. */
import type { Response } from 'express';
import { findOrder } from '../../data/orders/order-reads';
import type { SingleOf } from '../../data/purchases/families';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { found } from '../shared/validation';

/** The error for a path whose id is not a positive integer. */
export const invalidOrderId = () => errors.validation('Invalid order ID', 'id');

/** The caller's order of the family. Throws 404 `Order not found` without one. `param`: the name of the id in the path, if not `id`. */
export async function ownOrder<F extends Family>(
  { database }: Pick<Dependencies, 'database'>,
  family: F,
  response: Response,
  id: number,
  param?: string,
): Promise<SingleOf[F]> {
  return found(await findOrder(database, family, clientOf(response).id, id), 'Order', param);
}
