import type { RequestHandler, Response } from 'express';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import type { OrderCreation } from '../../ordering/placement/order-creation';
import { isAllowedAddress } from '../../security/allowed-addresses';
import { clientOf } from './authenticate';

/**
 * For the three endpoints that create orders, before anything else of theirs: 403 if the caller's
 * address is not on the client's list. docs/decisions/0021-check-the-reference-before-the-catalogue.md.
 * 503 if the order could not be taken in: nothing more is spent on a request that would be refused for that.
 */
export function mayCreateOrders(creation: OrderCreation, family: Family): RequestHandler {
  return (request, response, next) => {
    response.locals.createsOrder = true;
    const client = clientOf(response);
    if (!isAllowedAddress(request.ip, client.allowedCidrs)) throw errors.addressNotAllowed();
    creation.checkCapacity(client.id, family);
    next();
  };
}

/** Whether the request passed `mayCreateOrders`: an unforeseen failure then leaves the outcome unknown. */
export function createsOrder(response: Response): boolean {
  return response.locals.createsOrder === true;
}
