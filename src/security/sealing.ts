/**
 * Sealing of codes, addresses and inputs at rest: AES-256-GCM under a named key, bound to the row
 * and field it belongs to, so that a sealed value moved elsewhere does not open.
 *
 * Layout: 1 byte length of the key id, key id, 12 bytes nonce, 16 bytes tag, ciphertext.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { KeyRing } from './key-ring';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class Sealer {
  /** `reportUnreadable` is told of every value that `openForView` could not open. */
  constructor(
    private readonly ring: KeyRing,
    private readonly reportUnreadable: (place: string, error: unknown) => void = () => undefined,
  ) {}

  /** Seals text for one place, such as `order:17:email`. */
  seal(place: string, text: string): Buffer {
    const key = this.ring.current('seal');
    const id = Buffer.from(key.id);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(id.length), id, nonce, cipher.getAuthTag(), sealed]);
  }

  /** Opens what `seal` made for the same place. Throws where key, place or content do not fit. */
  open(place: string, sealed: Buffer): string {
    const idEnd = 1 + (sealed[0] ?? 0);
    const id = sealed.subarray(1, idEnd).toString();
    const key = this.ring.find('seal', id);
    if (!key) throw new Error(`Sealed with key "${id}", which is not in SECRET_KEYS`);
    const nonceEnd = idEnd + NONCE_BYTES;
    const tagEnd = nonceEnd + TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(idEnd, nonceEnd))
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(nonceEnd, tagEnd));
    return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]).toString('utf8');
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

  /** The keyed hash under which a secret is stored for look-up; the newest key's. */
  lookupHash(text: string): Buffer {
    return createHmac('sha256', this.ring.current('lookup').secret).update(text).digest();
  }

  /** The hashes a stored secret may have: one for each key of the ring. */
  lookupHashes(text: string): Buffer[] {
    return this.ring.all('lookup').map((key) => createHmac('sha256', key.secret).update(text).digest());
  }
}
