import type { RequestHandler } from 'express';
import { withoutPort } from '../domain/clients/networks';

/** Removes the ports from the addresses in `X-Forwarded-For`, before anything reads `request.ip`: Express reads no address with a port. */
export const forwardedAddresses: RequestHandler = ({ headers }, _response, next) => {
  const { 'x-forwarded-for': forwarded } = headers;
  if (typeof forwarded === 'string') headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(',');
  next();
};
