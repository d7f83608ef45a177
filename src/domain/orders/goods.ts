/** What suppliers deliver, as text in the clear: it is sealed before it is stored. */
import type { Family } from './families';
import type { SafeText } from '../safe-text';

/** One gift voucher. A supplier fills what its product has; every value is text as received. */
export interface VoucherGoods {
  kind: 'voucher';
  cardNumber?: string;
  pinCode?: string;
  claimUrl?: string;
  /** RFC 3339. */
  expiresAt?: string;
  referenceNumber?: string;
}

/** Proof that a recharge reached the recipient. */
export interface TopupGoods {
  kind: 'topup';
  operatorReference?: string;
}

/** One eSIM profile: its serial (19 or 20 digits) and LPA string (GSMA SGP.22, section 4.1). */
export interface EsimGoods {
  kind: 'esim';
  iccid: string;
  activationCode: string;
}

interface GoodsByFamily {
  VOUCHER: VoucherGoods;
  TOPUP: TopupGoods;
  ESIM: EsimGoods;
}

/** The members of `T`, which must have one for each family. */
type OfEveryFamily<T extends Record<Family, unknown>> = T[keyof T];

/** One unit of any family. */
export type Goods = OfEveryFamily<GoodsByFamily>;

/** A unit that the supplier shows but that cannot be read. */
export interface UnreadableGoods {
  kind: 'unreadable';
  /** Why, without its contents. */
  fault: SafeText;
  /** What the supplier sent, as JSON. */
  contents: string;
}

/** One unit of a report. */
export type ReportedUnit = Goods | UnreadableGoods;
