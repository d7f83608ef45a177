/**
 * Rule: which requests are admitted: key, network, load
 */
import type { RequestHandler, Response } from 'express';
import { errors } from '../../domain/errors';
import type { Family, Feature } from '../../domain/orders/families';
import type { OrderCreation } from '../../ordering/placement/order-creation';
import { isAllowedAddress } from '../../domain/clients/networks';
import { clientOf } from './caller';

declare module 'express-serve-static-core' {
  interface Locals {
    createsOrder?: boolean;
    isRehearsed?: boolean;
  }
}

/**
 * Runs before feature, body and catalogue are checked, so a request that it rejects costs little. Throws 403 if the client has
 * not allowed the address, and 503 if the service cannot place the order in time.
 * docs/decisions/0003-fence-every-order-request.md.
 */
export function admitOrderRequest(creation: OrderCreation, family: Family): RequestHandler {
  return (request, response, next) => {
    response.locals.createsOrder = true;
    const client = clientOf(response);
    if (!isAllowedAddress(request.ip, client.allowedCidrs)) throw errors.addressNotAllowed();
    creation.checkCapacity(client.id, family);
    next();
  };
}

/** Whether the request is an order request that has reached admission. An unexpected error then leaves its outcome unknown. */
export function isOrderRequest(response: Response): boolean {
  return response.locals.createsOrder === true;
}

/** Marks a failure that a client of a sandbox asked for. It says nothing about the service, so metrics count it separately. */
export function markRehearsed(response: Response): void {
  response.locals.isRehearsed = true;
}

export function isRehearsed(response: Response): boolean {
  return response.locals.isRehearsed === true;
}

/** Rejects clients without the product family: 400 INVALID_FEATURE. */
export function requireFeature(feature: Feature): RequestHandler {
  return (_request, response, next) => {
    if (!clientOf(response).features.includes(feature)) throw errors.invalidFeature();
    next();
  };
}
