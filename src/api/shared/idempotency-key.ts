/** The `Idempotency-Key` header of a create. docs/decisions/0027-store-the-idempotency-key-in-the-reservation.md. */
import type { Request } from 'express';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import type { KeyedRequest } from '../../ordering/placement/idempotency';

const MAX_LENGTH = 255;

/**
 * What the client asks for under a key; undefined if it sent none. Requests are the same where they order of
 * the same family by the same JSON, however its keys are ordered. Throws 400 if the key cannot be one.
 */
export function keyedRequest(
  request: Request,
  clientId: number,
  family: Family,
  body: Record<string, unknown>,
): KeyedRequest | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (key.length > MAX_LENGTH) throw errors.validation('Invalid Idempotency-Key: too long');
  if (!/^[\x20-\x7e]+$/.test(key))
    throw errors.validation('Invalid Idempotency-Key: must be printable ASCII');
  return { clientId, key, request: `${family} ${canonicalJson(body)}` };
}

function canonicalJson(body: unknown): string {
  try {
    return JSON.stringify(body, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  } catch (error) {
    // Nested deeper than can be followed.
    if (error instanceof RangeError) throw errors.invalidBody();
    throw error;
  }
}
