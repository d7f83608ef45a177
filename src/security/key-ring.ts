/** The service's secret keys: one ring from the configuration, one derived key for each purpose. */
import { hkdfSync } from 'node:crypto';

/** What a derived key is for. Keys of different purposes tell nothing about each other. */
export type KeyPurpose = 'seal' | 'lookup' | 'token' | 'payload';

export interface Key {
  /** Named in everything the key seals or signs, so that it can be found after a rotation. */
  id: string;
  secret: Buffer;
}

export class KeyRing {
  private readonly keys: readonly Key[];
  private readonly derived = new Map<string, Buffer>();

  /** `ring`: `id:base64` pairs, newest first (setting `SECRET_KEYS`). */
  constructor(ring: string) {
    this.keys = ring.split(',').map((pair) => {
      const colon = pair.indexOf(':');
      return { id: pair.slice(0, colon), secret: Buffer.from(pair.slice(colon + 1), 'base64') };
    });
    if (this.keys.length === 0) throw new Error('SECRET_KEYS holds no key');
  }

  /** The key that seals and signs from now on. */
  current(purpose: KeyPurpose): Key {
    return this.derive(purpose, this.keys[0] as Key);
  }

  /** The key with the id, or undefined when it has left the ring. */
  find(purpose: KeyPurpose, id: string): Key | undefined {
    const key = this.keys.find((candidate) => candidate.id === id);
    return key && this.derive(purpose, key);
  }

  /** Every key of the ring, newest first. */
  all(purpose: KeyPurpose): Key[] {
    return this.keys.map((key) => this.derive(purpose, key));
  }

  private derive(purpose: KeyPurpose, key: Key): Key {
    const name = `${purpose}/${key.id}`;
    const known = this.derived.get(name);
    const secret = known ?? Buffer.from(hkdfSync('sha256', key.secret, '', purpose, 32));
    if (!known) this.derived.set(name, secret);
    return { id: key.id, secret };
  }
}
