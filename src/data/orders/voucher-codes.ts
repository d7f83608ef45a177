/** The secret texts of a voucher. They are stored as one sealed value, because sealing takes as long for one field as for all. */
import type { VoucherGoods } from '../../domain/orders/goods';
import { voucherCodes, type Sealer } from '../../security/sealing';

export type VoucherCodes = Omit<VoucherGoods, 'kind' | 'expiresAt'>;

interface VoucherPlace {
  orderId: number;
  unit: number;
}

export function sealCodes(sealer: Sealer, { orderId, unit }: VoucherPlace, codes: VoucherCodes): Buffer {
  const { cardNumber, pinCode, claimUrl, referenceNumber } = codes;
  return sealer.seal(voucherCodes(orderId, unit), JSON.stringify({ cardNumber, pinCode, claimUrl, referenceNumber }));
}

/** Opens the result of `sealCodes`. Throws if key, place or content differ. */
export function openCodes(sealer: Sealer, { orderId, unit }: VoucherPlace, sealed: Buffer): VoucherCodes {
  return parseCodes(sealer.open(voucherCodes(orderId, unit), sealed));
}

/**
 * The JSON of the codes, for display. If the value cannot be decrypted, reports that and returns the JSON of no codes: the rest is
 * still shown.
 */
export function openCodesForView(sealer: Sealer, { orderId, unit }: VoucherPlace, sealed: Buffer): string {
  return sealer.openForView(voucherCodes(orderId, unit), sealed) ?? '{}';
}

export function parseCodes(json: string): VoucherCodes {
  return JSON.parse(json) as VoucherCodes;
}

const string = String.raw`("[^"\\]*(?:\\.[^"\\]*)*")`;
/** The JSON of `sealCodes`. */
const codesJson = new RegExp(
  `^{(?:"cardNumber":${string},?)?(?:"pinCode":${string},?)?(?:"claimUrl":${string},?)?(?:"referenceNumber":${string})?}$`,
);

/** Each code as the JSON of `sealCodes` contains it: a string in quotation marks, or `null`. Undefined if the JSON has another form. */
export function codesInJson(json: string): Record<keyof VoucherCodes, string> | undefined {
  const match = codesJson.exec(json);
  if (!match) return undefined;
  return {
    cardNumber: match[1] ?? 'null',
    pinCode: match[2] ?? 'null',
    claimUrl: match[3] ?? 'null',
    referenceNumber: match[4] ?? 'null',
  };
}
