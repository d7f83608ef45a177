/**
 * AES-256-GCM, the one way everything here is encrypted. Layout: 12 bytes nonce, 16 bytes tag, ciphertext.
 */
import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;
// Without it Node takes a tag cut down to 4 bytes, which can be guessed.
const options = { authTagLength: TAG_BYTES };

const NO_HEAD = Buffer.alloc(0);

/**
 * Encrypts under a 32-byte key, bound to the context: it opens only where the same is given. `head` is put before it
 * in the clear, because copying thousands of short values once more shows.
 */
export function encrypt(
  secret: Buffer,
  context: string,
  plain: string | Uint8Array,
  head: Buffer = NO_HEAD,
): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv(ALGORITHM, secret, nonce, options).setAAD(Buffer.from(context));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  // It makes the tag and gives no bytes: the ciphertext is as long as the text.
  cipher.final();
  return Buffer.concat([head, nonce, cipher.getAuthTag(), body]);
}

/** Random bytes for the next nonces: asking for those of each by itself takes longer than to encrypt a short value. */
const nonces = Buffer.alloc(256 * NONCE_BYTES);
let used = nonces.length;

/** A random nonce that was given to nobody else. It must be copied before the next is asked for. */
function nextNonce(): Buffer {
  if (used === nonces.length) {
    randomFillSync(nonces);
    used = 0;
  }
  used += NONCE_BYTES;
  return nonces.subarray(used - NONCE_BYTES, used);
}

/** Opens what `encrypt` made with the same key and context. Throws where anything does not fit. */
export function decrypt(secret: Buffer, context: string, box: Buffer): Buffer {
  if (box.length < HEAD_BYTES) throw new Error('The encrypted value is truncated');
  const decipher = createDecipheriv(ALGORITHM, secret, box.subarray(0, NONCE_BYTES), options)
    .setAAD(Buffer.from(context))
    .setAuthTag(box.subarray(NONCE_BYTES, HEAD_BYTES));
  const plain = decipher.update(box.subarray(HEAD_BYTES));
  // It has nothing left to give in this mode: it throws where the tag does not fit.
  decipher.final();
  return plain;
}
