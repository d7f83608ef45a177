/**
 * Sealing of codes, addresses and inputs at rest: AES-256-GCM under a named key, bound to the row
 * and field it belongs to, so that a sealed value moved elsewhere does not open.
 *
 * Layout: 1 byte length of the key id, key id, then as `encrypt` has it.
 */
import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm';
import type { KeyRing, KeySet } from './key-ring';

export class Sealer {
  /** `reportUnreadable` is told of every value that `openForView` could not open. */
  constructor(
    private readonly ring: KeyRing,
    readonly reportUnreadable: (place: string, error: unknown) => void = () => undefined,
  ) {}

  /** Seals text for one place, such as `order:17:email`. */
  seal(place: string, text: string): Buffer {
    const key = this.ring.current('seal');
    return encrypt(key.secret, place, text, sealedWith(key.id));
  }

  /** Opens what `seal` made for the same place. Throws where key, place or content do not fit. */
  open(place: string, sealed: Buffer): string {
    const idEnd = 1 + (sealed[0] ?? 0);
    const id = sealed.subarray(1, idEnd).toString();
    const key = this.ring.find('seal', id);
    if (!key) throw new Error(`Sealed with the key seal/${id}, which this process does not hold`);
    return decrypt(key.secret, place, sealed.subarray(idEnd)).toString('utf8');
  }

  /** `seal` of a value that may be missing. */
  sealOptional(place: string, text: string | null | undefined): Buffer | null {
    return text === null || text === undefined ? null : this.seal(place, text);
  }

  /** `open` of a value that may be missing. */
  openOptional(place: string, sealed: Buffer | null): string | null {
    return sealed === null ? null : this.open(place, sealed);
  }

  /**
   * `openOptional` for what is shown: a value that does not open is reported and shown as missing, so
   * that it takes nothing else away from its reader.
   */
  openForView(place: string, sealed: Buffer | null): string | null {
    try {
      return this.openOptional(place, sealed);
    } catch (error) {
      this.reportUnreadable(place, error);
      return null;
    }
  }

  /** What it seals and hashes with now, for another thread of this process. */
  keys(): Required<Pick<KeySet, 'seal' | 'lookup'>> {
    return { seal: [this.ring.current('seal')], lookup: this.ring.all('lookup') };
  }

  /** What it opens with now, for another thread of this process. */
  openingKeys(): Required<Pick<KeySet, 'seal'>> {
    return { seal: this.ring.all('seal') };
  }

  /** The keyed hash under which a secret is stored for look-up; the promoted key's. */
  lookupHash(text: string): Buffer {
    return createHmac('sha256', this.ring.current('lookup').secret).update(text).digest();
  }

  /** The hashes a stored secret may have: one for each look-up key, the promoted one's first. */
  lookupHashes(text: string): Buffer[] {
    return this.ring.all('lookup').map((key) => createHmac('sha256', key.secret).update(text).digest());
  }
}

/** Made once for each key: a purchase seals thousands of values. */
const heads = new Map<string, Buffer>();

/** What every value begins with that was sealed under the key. */
export function sealedWith(keyId: string): Buffer {
  const known = heads.get(keyId);
  if (known) return known;
  const id = Buffer.from(keyId);
  const head = Buffer.concat([Buffer.of(id.length), id]);
  heads.set(keyId, head);
  return head;
}
