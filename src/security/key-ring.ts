/** The data keys that a process holds, in memory. Where they come from: `src/data/keys/`. */

/** The purposes of data keys. Each key has one. */
export const keyPurposes = ['seal', 'lookup', 'token', 'payload', 'credential'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

export interface Key {
  /** Stored with everything that the key seals or signs, so that the key is found after a rotation. */
  id: string;
  /** 32 bytes. */
  secret: Buffer;
}

/** Keys by purpose. The first key of each purpose is the promoted one. */
export type KeySet = Readonly<Partial<Record<KeyPurpose, readonly Key[]>>>;

export class KeyRing {
  constructor(private keys: KeySet = {}) {}

  replace(keys: KeySet): void {
    this.keys = keys;
  }

  /** The promoted key, which seals and signs. Throws if there is none. */
  current(purpose: KeyPurpose): Key {
    const [promoted] = this.all(purpose);
    if (!promoted) throw new Error(`This process holds no ${purpose} key`);
    return promoted;
  }

  /** The key with the id; undefined if this process does not hold it. */
  find(purpose: KeyPurpose, id: string): Key | undefined {
    return this.all(purpose).find((key) => key.id === id);
  }

  /** Every key of the purpose, the promoted one first. */
  all(purpose: KeyPurpose): readonly Key[] {
    return this.keys[purpose] ?? [];
  }
}

/** Restores keys that another thread sent: the message has turned each buffer into an array of bytes. */
export function restoreKeys(keys: readonly Key[]): Key[] {
  return keys.map(({ id, secret }) => ({ id, secret: Buffer.from(secret) }));
}
