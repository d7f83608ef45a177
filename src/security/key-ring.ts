/** The data keys that a process holds, in memory. Where they come from: `src/data/keys/`. */

/** What a data key is for. No key has two purposes. */
export const keyPurposes = ['seal', 'lookup', 'token', 'payload', 'credential'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

export interface Key {
  /** Named in everything the key seals or signs, so that it is found after a rotation. */
  id: string;
  /** 32 bytes. */
  secret: Buffer;
}

/** Keys by purpose, the promoted one of each first. */
export type KeySet = Readonly<Partial<Record<KeyPurpose, readonly Key[]>>>;

export class KeyRing {
  constructor(private keys: KeySet = {}) {}

  /** Holds these keys from now on, and no others. */
  replace(keys: KeySet): void {
    this.keys = keys;
  }

  /** The promoted key: it seals and signs. */
  current(purpose: KeyPurpose): Key {
    const [promoted] = this.all(purpose);
    if (!promoted) throw new Error(`This process holds no ${purpose} key`);
    return promoted;
  }

  /** The key with the id, promoted or not; undefined if it is not held. */
  find(purpose: KeyPurpose, id: string): Key | undefined {
    return this.all(purpose).find((key) => key.id === id);
  }

  /** Every key held, the promoted one first. */
  all(purpose: KeyPurpose): readonly Key[] {
    return this.keys[purpose] ?? [];
  }
}

/** Keys that came from another thread: on the way a buffer becomes an array of bytes. */
export function arrivedKeys(keys: readonly Key[]): Key[] {
  return keys.map(({ id, secret }) => ({ id, secret: Buffer.from(secret) }));
}
