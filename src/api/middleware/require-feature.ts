import type { RequestHandler } from 'express';
import type { Feature } from '../../domain/orders/families';
import { errors } from '../../domain/errors';
import { clientOf } from './authenticate';

/** Refuses clients whose account does not have the product family: 400 INVALID_FEATURE. */
export function requireFeature(feature: Feature): RequestHandler {
  return (_request, response, next) => {
    if (!clientOf(response).features.includes(feature)) throw errors.invalidFeature();
    next();
  };
}
