/** The data keys that a process holds, in memory. Where they come from: `src/data/keys/`. */

/** The purposes of data keys. Each key has one. */
export const keyPurposes = ['seal', 'lookup', 'token', 'payload', 'credential'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/** The purposes whose keys encrypt. The keys of the others hash and sign. */
const encryptingPurposes = ['seal', 'payload'] as const satisfies readonly KeyPurpose[];
type EncryptingPurpose = (typeof encryptingPurposes)[number];

/** A number of values that a key has encrypted. */
export interface EncryptedValues {
  purpose: EncryptingPurpose;
  id: string;
  values: number;
}

export interface Key {
  /** Stored with everything that the key seals or signs, so that the key is found after a rotation. */
  id: string;
  /** 32 bytes. */
  secret: Buffer;
}

/** Keys by purpose. The first key of each purpose is the promoted one. */
export type KeySet = Readonly<Partial<Record<KeyPurpose, readonly Key[]>>>;

export class KeyRing {
  /** By purpose and the key's id: the values that it encrypted and that are not stored yet. */
  private readonly encrypted: Record<EncryptingPurpose, Map<string, number>> = { seal: new Map(), payload: new Map() };

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

  /** The promoted key, to encrypt this number of values, which it counts. Throws if there is none. */
  encrypting(purpose: EncryptingPurpose, values = 1): Key {
    const key = this.current(purpose);
    this.count(purpose, key.id, values);
    return key;
  }

  /** The values that were encrypted and are not stored yet, by key. */
  counted(): EncryptedValues[] {
    return encryptingPurposes.flatMap((purpose) =>
      [...this.encrypted[purpose]].filter(([, values]) => values > 0).map(([id, values]) => ({ purpose, id, values })),
    );
  }

  /** Takes the values off the count: the database counts them from now on. */
  stored({ purpose, id, values }: EncryptedValues): void {
    this.count(purpose, id, -values);
  }

  private count(purpose: EncryptingPurpose, id: string, values: number): void {
    const counts = this.encrypted[purpose];
    counts.set(id, (counts.get(id) ?? 0) + values);
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
