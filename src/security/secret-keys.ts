/** Key-encryption keys as the setting SECRET_KEYS, or the file it names, lists them. docs/operators/keys.md. */

/** A key-encryption key: 32 bytes that only ever wrap data keys. */
export interface SecretKey {
  /** Named in everything it wraps. */
  id: string;
  secret: Buffer;
}

const pair = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/;

/** 32 random bytes hold some 30 different ones; fewer than so many is a pattern, not a key. */
const LEAST_DIFFERENT_BYTES = 16;

/** Reads `id:base64` pairs, newest first, by commas or line breaks. Throws what is wrong with them. */
export function readSecretKeys(text: string): SecretKey[] {
  const keys = text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((entry) => {
      const [, id, secret] = pair.exec(entry) ?? [];
      if (id === undefined || secret === undefined)
        throw new Error('must be id:base64 pairs of 32-byte keys, separated by commas');
      return { id, secret: Buffer.from(secret, 'base64') };
    });
  const twice = repeated(keys.map(({ id }) => id));
  if (twice !== undefined) throw new Error(`must not hold two keys with the id ${twice}`);
  const weak = keys.find(({ secret }) => new Set(secret).size < LEAST_DIFFERENT_BYTES);
  if (weak) throw new Error(`must hold random keys: ${weak.id} is not one (openssl rand -base64 32)`);
  if (repeated(keys.map(({ secret }) => secret.toString('base64'))) !== undefined)
    throw new Error('must not hold the same key under two ids');
  return keys;
}

function repeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) < index);
}
