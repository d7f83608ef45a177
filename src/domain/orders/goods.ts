/** The goods of suppliers as plain text. They are sealed before they are stored. */
import type { Family } from './families';
import type { SafeText } from '../safe-text';

/** One gift voucher. Values are text as received; a field is absent if the product does not have it. */
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

/** One eSIM profile: its serial number and LPA string (GSMA SGP.22, section 4.1). */
export interface EsimGoods {
  kind: 'esim';
  iccid: string;
  /** The ICCID as its supplier writes it, with fillers and groups; absent if that is `iccid`. */
  suppliersIccid?: string;
  activationCode: string;
  /** Whether it comes from a supplier's sandbox, whose profiles share activation codes. Absent for a real profile. */
  isTest?: true;
}

/** The profile of an earlier order, with the ICCID as its supplier writes it. */
export type RechargedProfile = Pick<EsimGoods, 'iccid' | 'activationCode'>;

/** Proof that a plan was added to the profile of an earlier order. */
export interface RechargeGoods {
  kind: 'recharge';
}

interface GoodsByFamily {
  VOUCHER: VoucherGoods;
  TOPUP: TopupGoods;
  ESIM: EsimGoods | RechargeGoods;
}

/** The union of the members of `T`. Does not compile if a family has none. */
type OfEveryFamily<T extends Record<Family, unknown>> = T[keyof T];

/** One unit of any family. */
export type Goods = OfEveryFamily<GoodsByFamily>;

/** The texts by which a unit must differ from all other units. A top-up has none. */
export function uniqueTexts(goods: Goods): string[] {
  switch (goods.kind) {
    case 'voucher':
      return [goods.cardNumber, goods.claimUrl].filter((text) => text !== undefined);
    case 'topup':
    case 'recharge':
      return [];
    case 'esim':
      return goods.isTest ? [goods.iccid] : [goods.iccid, goods.activationCode];
  }
}

/** A unit in the supplier's report that cannot be parsed. */
export interface UnreadableGoods {
  kind: 'unreadable';
  /** Why it cannot be parsed, without its contents. */
  fault: SafeText;
  /** The raw unit as JSON. */
  contents: string;
}

export type ReportedUnit = Goods | UnreadableGoods;
