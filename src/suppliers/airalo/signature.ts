/** Airalo's signatures, the bodies that they cover, and its webhooks. */
import { createHmac, randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { RequestBody } from '../kit/exchange';
import { isSigned, parseJson, read, text } from '../kit/messages';
import type { PushHint, ReceivedPush } from '../../domain/suppliers/port';

/** The fields of a request. */
export type SignedFields = Readonly<Record<string, string>>;

/** A URL-encoded form, which Airalo documents for tokens. */
export function form(fields: SignedFields): RequestBody {
  return {
    contentType: 'application/x-www-form-urlencoded',
    bytes: Buffer.from(new URLSearchParams(fields).toString()),
  };
}

/** A multipart form, which Airalo documents for orders. */
export function multipart(fields: SignedFields): RequestBody {
  const boundary = `----${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
}

/** The header that signs a request. Airalo's libraries sign the fields as JSON with text values, however the request sends them. */
export function signatureHeader(secret: string, fields: SignedFields): Readonly<Record<string, string>> {
  const signature = createHmac('sha512', secret).update(signedText(fields)).digest('hex');
  return { 'airalo-signature': signature };
}

/** JSON as Airalo's libraries write it: without white space, and with escaped slashes. */
function signedText(value: unknown): string {
  return JSON.stringify(value).replaceAll('/', '\\/');
}

const pushSchema = Joi.alternatives<{ iccid: string } | { description: string }>(
  // Little data is left.
  Joi.object({ iccid: text.pattern(/^\d{18,20}F*$/i).required(), level: text.required() }),
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
 * The hint of a webhook with a valid `airalo-signature`: of the raw body, as Airalo documents it, or of the parsed and re-serialised
 * body, as Airalo's libraries sign it. A large body needs the former. The hint is read from the signed text.
 */
export function verifyPush(secret: string, { headers, rawBody }: ReceivedPush): PushHint | undefined {
  const received = headers['airalo-signature'] ?? '';
  if (!signatureFormat.test(received)) return undefined;
  const raw = rawBody.toString('utf8');
  const candidates = rawBody.length <= MAX_REWRITTEN_BYTES ? [raw, ...rewritten(raw)] : [raw];
  const signed = candidates.find((candidate) =>
    isSigned({ algorithm: 'sha512', secret, signed: [candidate], received, encoding: 'hex' }),
  );
  const push = signed === undefined ? undefined : read(pushSchema, parseJson(signed));
  if (!push) return undefined;
  return 'iccid' in push ? { kind: 'esim', iccid: push.iccid } : { kind: 'purchase', reference: push.description };
}

/** The JSON as Airalo's libraries would write it, without and with PHP's escapes beyond ASCII. Empty if it is not JSON. */
function rewritten(raw: string): string[] {
  try {
    const plain = signedText(JSON.parse(raw));
    const code = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0');
    return [plain, plain.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${code(unit)}`)];
  } catch {
    return [];
  }
}
