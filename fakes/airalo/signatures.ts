/** The header `airalo-signature`: hex HMAC-SHA512 of JSON, with the client secret as key. */
import { createHmac } from 'node:crypto';

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
 * Whether the signature fits the fields, in the order in which they came. A form has no numbers, so the signed `quantity` can
 * be a number or a text.
 */
export function isSignatureOf(
  fields: Readonly<Record<string, unknown>>,
  secret: string,
  shown: string,
): boolean {
  const forms = [
    fields,
    { ...fields, ...('quantity' in fields && { quantity: Number(fields['quantity']) }) },
  ];
  return forms.some((form) => signatureOf(phpText(JSON.stringify(form)), secret) === shown.toLowerCase());
}
