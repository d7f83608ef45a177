/** Signatures of pushes. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What is signed, with which key, and what the push shows as its signature. */
export interface SignedPush {
  algorithm: 'sha256' | 'sha512';
  secret: string;
  /** The parts that were signed, one after the other; the body as its raw bytes. */
  signed: readonly (string | Buffer)[];
  shown: string;
  encoding: 'hex' | 'base64';
}

/**
 * Whether the HMAC holds, and nothing else is shown; compared in constant time, as text: decoded, it would be as good
 * with something behind it. Hexadecimal digits may be large.
 */
export function isSigned({ algorithm, secret, signed, shown, encoding }: SignedPush): boolean {
  const hmac = createHmac(algorithm, secret);
  for (const part of signed) hmac.update(part);
  const expected = Buffer.from(hmac.digest(encoding));
  const given = Buffer.from(encoding === 'hex' ? shown.toLowerCase() : shown);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
