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

/** Whether the HMAC holds; compared in constant time. */
export function isSigned({ algorithm, secret, signed, shown, encoding }: SignedPush): boolean {
  const hmac = createHmac(algorithm, secret);
  for (const part of signed) hmac.update(part);
  const expected = hmac.digest();
  const given = Buffer.from(shown, encoding);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
