import type { Request } from 'express';
import { businessError } from './errors';
import type { Parts } from './parts';
import { isSignatureOf } from './signatures';

/** Throws code 14 if the request's signature is wrong, or if it is absent and needed. */
export function checkSignature({ context: { settings }, needsSignature }: Parts, request: Request): void {
  const shown = request.get('airalo-signature');
  const fields: unknown = request.body;
  if (shown === undefined ? !needsSignature : isSignatureOf({ ...asObject(fields) }, settings.secret, shown))
    return;
  throw businessError(14);
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
