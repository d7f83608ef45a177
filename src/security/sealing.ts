/**
 * Sealing of codes, addresses and inputs at rest: AES-256-GCM under a named key. A sealed value is bound to its row and field
 * and cannot be decrypted elsewhere. Layout: 1 byte with the length of the key id, the key id, the result of `encrypt`.
 */
import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm';
import type { KeyRing, KeySet } from './key-ring';

export class Sealer {
  /** `openForView` calls `reportUnreadable` for every value that it cannot open. */
  constructor(
    private readonly ring: KeyRing,
    readonly reportUnreadable: (place: string, error: unknown) => void = () => undefined,
  ) {}

  /** Seals a text, or bytes, for one place: a row and field, as the functions below name it. */
  seal(place: string, content: string | Uint8Array): Buffer {
    const key = this.ring.encrypting('seal');
    return encrypt(key.secret, place, content, sealedWith(key.id));
  }

  /** Opens a sealed text. Throws if key, place or content differ. */
  open(place: string, sealed: Buffer): string {
    return this.openBytes(place, sealed).toString('utf8');
  }

  /** Opens the result of `seal`, like `open`. */
  openBytes(place: string, sealed: Buffer): Buffer {
    const idEnd = 1 + (sealed[0] ?? 0);
    const id = sealed.toString('utf8', 1, idEnd);
    const key = this.ring.find('seal', id);
    if (!key) throw new Error(`Sealed with the key seal/${id}, which this process does not hold`);
    return decrypt(key.secret, place, sealed, idEnd);
  }

  /** Like `seal`, for a value that may be missing. */
  sealOptional(place: string, text: string | null | undefined): Buffer | null {
    return text === null || text === undefined ? null : this.seal(place, text);
  }

  /** Like `open`, for a value that may be missing. */
  openOptional(place: string, sealed: Buffer | null): string | null {
    return sealed === null ? null : this.open(place, sealed);
  }

  /** Like `openOptional`, for display: reports a value that cannot be decrypted, and returns null so that the rest is shown. */
  openForView(place: string, sealed: Buffer | null): string | null {
    try {
      return this.openOptional(place, sealed);
    } catch (error) {
      this.reportUnreadable(place, error);
      return null;
    }
  }

  /** The keys that seal and hash now, for another thread of this process, which seals this number of values. */
  keysFor(values: number): Required<Pick<KeySet, 'seal' | 'lookup'>> {
    return { seal: [this.ring.encrypting('seal', values)], lookup: this.ring.all('lookup') };
  }

  /** The keys that open values now, for another thread of this process. */
  openingKeys(): Required<Pick<KeySet, 'seal'>> {
    return { seal: this.ring.all('seal') };
  }

  /** The keyed hash to store for lookups, under the promoted key. */
  lookupHash(text: string): Buffer {
    return createHmac('sha256', this.ring.current('lookup').secret).update(text).digest();
  }

  /** The hashes that a stored value may have: one for each lookup key, the promoted one's first. */
  lookupHashes(text: string): Buffer[] {
    return this.ring.all('lookup').map((key) => createHmac('sha256', key.secret).update(text).digest());
  }
}

/** Cached for each key, because a purchase seals thousands of values. */
const heads = new Map<string, Buffer>();

/** The first bytes of every value that was sealed under the key. */
export function sealedWith(keyId: string): Buffer {
  const known = heads.get(keyId);
  if (known) return known;
  const id = Buffer.from(keyId);
  const head = Buffer.concat([Buffer.of(id.length), id]);
  heads.set(keyId, head);
  return head;
}

/** A field of an order, by the order's nonce, which is known before its id. */
export const orderField = (nonce: string, field: 'email' | 'input' | 'goods' | 'claim'): string =>
  `order/${nonce}/${field}`;

/** A text that a person wrote about an order, by its own nonce. */
export const writtenText = (nonce: string): string => `text/${nonce}`;

/** The raw supplier response about a purchase, by our reference. */
export const supplierResponse = (reference: string): string => `purchase/${reference}/said`;

/** The client's text in a funding request, by our reference. */
export const purchaseOrder = (reference: string): string => `funding/${reference}/purchase-order`;

/** What a bank says about an entry of its statement, by the entry's nonce. */
export const bankStatementEntry = (nonce: string): string => `bank-entry/${nonce}`;

/** The digests by which a booking of a bank is known, by the booking's nonce. */
export const bankBookingKeys = (nonce: string): string => `bank-booking/${nonce}/keys`;

export const voucherCodes = (orderId: number, unit: number): string => `voucher/${orderId}/${unit}`;

/** A field of an order's eSIM profile. The ICCID is sealed as its supplier writes it: show it with `shownIccid`. */
export const esimField = (orderId: number, field: 'iccid' | 'activation_code'): string => `esim/${orderId}/${field}`;

/** An access token of a supplier, by `<supplier>/<name of the token>`. */
export const supplierToken = (name: string): string => `token/${name}`;

/** The signing secret of a webhook endpoint, by its nonce. */
export const webhookSecret = (nonce: string): string => `webhook/${nonce}/secret`;

/** The arguments, the reason and the preview of a proposed operation, by the nonce of the proposal. */
export const proposedCall = (nonce: string): string => `proposal/${nonce}/call`;

/** The bytes of the files among the arguments of a proposed operation, one after the other, by the nonce of the proposal. */
export const proposedFiles = (nonce: string): string => `proposal/${nonce}/files`;
