/** The body of a supplier's response: how much of it is read, and when it is JSON that can be worked with. */
import { SupplierUnavailable } from '../port';

const KiB = 1_024;
const MiB = 1_024 * KiB;

/** How an eSIM stands, our balance, the result of a control. */
export const MAX_STATUS_BYTES = 64 * KiB;
/** One page of a list. */
export const MAX_PAGE_BYTES = MiB;
/** All plans of one eSIM product. */
export const MAX_PLANS_BYTES = 4 * MiB;

/** One purchase with its goods. So far above what goods need that a purchased order is never unreadable because of its size. */
export function maxPurchaseBytes(units: number): number {
  return 64 * KiB + units * 32 * KiB;
}

/** The body is longer than its limit; the rest of it was not read. */
export class BodyTooLong extends Error {
  readonly code = 'RESPONSE_TOO_LONG';
}

/** What a call that buys nothing throws then: what the supplier shows is more than there can be. */
export class ResponseTooLong extends SupplierUnavailable {}

/** The text of the body. Throws `BodyTooLong`, and ends the connection, as soon as it is longer than `maxBytes`. */
export async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyTooLong();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** No message of a supplier is nested as deeply: recursive readers of it would run out of stack. */
const MAX_DEPTH = 32;

/** The value of JSON text; undefined for any other text, and for JSON that is nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isShallow(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, maxDepth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return maxDepth > 0 && Object.values(value).every((member) => isShallow(member, maxDepth - 1));
}
