/** The header `airalo-signature`: hex HMAC-SHA512 of JSON, with the client secret as key. */
import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import { businessError } from './errors';
import type { Fields } from './requests';

/** JSON text as PHP writes it: with `\/`, and with escapes for everything outside ASCII. */
export function phpText(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function signatureOf(text: string, secret: string): string {
  return createHmac('sha512', secret).update(text).digest('hex');
}

/**
 * Throws code 14 if the request has a wrong signature. The signature covers the fields in the order of the request. A form has no
 * numbers, so `quantity` may be signed as a number or as text. Airalo does not say whether a signature is required, so it may be
 * absent.
 */
export function checkSignature(request: Request, secret: string): void {
  const shown = request.get('airalo-signature')?.toLowerCase();
  if (shown === undefined) return;
  const fields = request.body as Fields;
  const forms = [fields, { ...fields, ...('quantity' in fields && { quantity: Number(fields['quantity']) }) }];
  const isRight = forms.some((form) => signatureOf(phpText(JSON.stringify(form)), secret) === shown);
  if (!isRight) throw businessError(14);
}
