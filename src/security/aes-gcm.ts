/** AES-256-GCM, the service's only encryption. Layout: 12 bytes nonce, 16 bytes tag, ciphertext. */
import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;
// Without this option, Node accepts a tag of 4 bytes, which can be guessed.
const options = { authTagLength: TAG_BYTES };

const NO_HEAD = Buffer.alloc(0);

/**
 * Encrypts under a 32-byte key. `decrypt` needs the same context, and the result without `head`. `head`: plain bytes to put in
 * front. Passing them here saves a copy, which is measurable for thousands of short values.
 */
export function encrypt(secret: Buffer, context: string, plain: string | Uint8Array, head: Buffer = NO_HEAD): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, secret, nonce, options).setAAD(Buffer.from(context));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  // Computes the tag. Returns no bytes, because GCM does not pad.
  cipher.final();
  return Buffer.concat([head, nonce, cipher.getAuthTag(), body]);
}

/**
 * The number of values that one key may encrypt (NIST SP 800-38D, section 8.3). With more, the risk is too high that two random
 * nonces are equal, which reveals both values.
 */
export const MAX_VALUES = 2 ** 32;

/** Random bytes for the next nonces. Generating each nonce separately takes longer than encrypting a short value. */
const nonces = Buffer.alloc(256 * NONCE_BYTES);
let used = nonces.length;

/** Returns a new random nonce. The next call may overwrite it. */
function nextNonce(): Buffer {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  used += NONCE_BYTES;
  return nonces.subarray(used - NONCE_BYTES, used);
}

/**
 * Decrypts the result of `encrypt`, which begins at `from`. Throws if key, context or content differ. `from` instead of a part of
 * the box saves an object, which is measurable for thousands of short values.
 */
export function decrypt(secret: Buffer, context: string, box: Buffer, from = 0): Buffer {
  const tagAt = from + NONCE_BYTES;
  const bodyAt = from + HEAD_BYTES;
  if (box.length < bodyAt) throw new Error('The encrypted value is truncated');
  const decipher = createDecipheriv(ALGORITHM, secret, box.subarray(from, tagAt), options)
    .setAAD(Buffer.from(context))
    .setAuthTag(box.subarray(tagAt, bodyAt));
  const plain = decipher.update(box.subarray(bodyAt));
  // Throws if the tag does not match.
  decipher.final();
  return plain;
}
