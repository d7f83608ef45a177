/** Airalo's signatures, the bodies that they cover, and its webhooks. */
import { createHmac, randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { RequestBody } from '../kit/exchange';
import { isSigned, parseJson, read, text } from '../kit/messages';
import type { PushHint, ReceivedPush } from '../port';

/** The fields of a request. */
export type Fields = Readonly<Record<string, string>>;

/** A URL-encoded form, which Airalo documents for tokens. */
export function form(fields: Fields): RequestBody {
  return {
    contentType: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

/** A multipart form, which Airalo documents for orders. */
export function multipart(fields: Fields): RequestBody {
  const boundary = `----${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
}

/**
 * The header that signs a request. Airalo's libraries sign the fields as JSON, however the request sends them. The values of a
 * form are texts, so the signed JSON holds texts, too.
 */
export function signatureHeader(secret: string, fields: Fields): Readonly<Record<string, string>> {
  const signature = createHmac('sha512', secret).update(signedText(fields)).digest('hex');
  return { 'airalo-signature': signature };
}

/** JSON as Airalo's libraries write it: without white space, and with escaped slashes. */
function signedText(value: unknown): string {
  return JSON.stringify(value).replaceAll('/', '\\/');
}

const pushSchema = Joi.alternatives<{ iccid: string } | { description: string }>(
  // Little data is left.
  Joi.object({ iccid: text.pattern(/^\d{19,20}$/).required(), level: text.required() }),
  // The result of an asynchronous order.
  Joi.object({ description: text.max(40).required(), request_id: text.required() }),
);

/** An HMAC-SHA512 in hexadecimal digits. */
const signatureFormat = /^[0-9a-f]{128}$/i;

/**
 * The largest body that is re-serialised. Anybody can send a body, and re-serialising 64 KB blocks the event loop for some 20 ms.
 * The webhooks that we subscribe to have some 200 bytes.
 */
const MAX_REWRITTEN_BYTES = 4 * 1024;

/**
 * The hint of a webhook with a valid `airalo-signature`. According to Airalo's documentation, the signature covers the raw body.
 * Airalo's libraries sign the parsed and re-serialised body, so a signature of that text is accepted, too, unless the body is
 * large. The hint is read from the signed text.
 */
export function verifyPush(secret: string, { headers, rawBody }: ReceivedPush): PushHint | undefined {
  const received = headers['airalo-signature'] ?? '';
  if (!signatureFormat.test(received)) return undefined;
  const raw = rawBody.toString('utf8');
  const forms = rawBody.length <= MAX_REWRITTEN_BYTES ? [raw, ...rewritten(raw)] : [raw];
  const signed = forms.find((form) =>
    isSigned({ algorithm: 'sha512', secret, signed: [form], received, encoding: 'hex' }),
  );
  const push = signed === undefined ? undefined : read(pushSchema, parseJson(signed));
  if (!push) return undefined;
  return 'iccid' in push
    ? { kind: 'esim', iccid: push.iccid }
    : { kind: 'purchase', reference: push.description };
}

/**
 * The JSON text as Airalo's libraries would write it, without and with PHP's escapes of characters beyond ASCII. Empty if it is
 * not JSON.
 */
function rewritten(raw: string): string[] {
  try {
    const text = signedText(JSON.parse(raw));
    const code = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0');
    return [text, text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${code(unit)}`)];
  } catch {
    return [];
  }
}
