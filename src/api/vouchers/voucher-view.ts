/** The vouchers of an order, decrypted. docs/specification.md#voucher-order. */
import { storedVouchers } from '../../data/orders/voucher-bytes';
import { codesInJson, openCodesForView, parseCodes } from '../../data/orders/voucher-codes';
import { timeAt } from '../../domain/time';
import type { Sealer } from '../../security/sealing';

export type VoucherView = ReturnType<typeof voucherView>;

/** `vouchers`: as in `VoucherOrderRow`. */
export function voucherViews(sealer: Sealer, orderId: number, vouchers: string): VoucherView[] {
  return storedVouchers(vouchers).map(({ unit, sealedCodes, expiresAt }) =>
    voucherView(openCodesForView(sealer, { orderId, unit }, sealedCodes), expiresAt),
  );
}

function voucherView(json: string, expiresAt: number | null) {
  const codes = parseCodes(json);
  return {
    card_number: codes.cardNumber ?? null,
    pin_code: codes.pinCode ?? null,
    claim_url: codes.claimUrl ?? null,
    expires_at: expiresAt === null ? null : timeText(expiresAt),
    voucher_reference_number: codes.referenceNumber ?? null,
  };
}

/** The JSON of `voucherViews`, for many vouchers. */
export function voucherViewsJson(sealer: Sealer, orderId: number, vouchers: string): string {
  const texts = storedVouchers(vouchers).map(({ unit, sealedCodes, expiresAt }) =>
    voucherViewJson(openCodesForView(sealer, { orderId, unit }, sealedCodes), expiresAt),
  );
  return `[${texts.join()}]`;
}

/** Copies the strings of the stored JSON. Parsing and serialising them would take a sixth of the CPU of a large read. */
function voucherViewJson(json: string, expiresAt: number | null): string {
  const codes = codesInJson(json);
  if (!codes) return JSON.stringify(voucherView(json, expiresAt));
  const expiry = expiresAt === null ? 'null' : `"${timeText(expiresAt)}"`;
  return `{"card_number":${codes.cardNumber},"pin_code":${codes.pinCode},"claim_url":${codes.claimUrl},"expires_at":${expiry},"voucher_reference_number":${codes.referenceNumber}}`;
}

let last = { ms: 0, text: new Date(0).toISOString() };

/** Keeps the last text: vouchers of an order often expire together, and formatting a time takes a tenth as long as opening a voucher. */
function timeText(ms: number): string {
  if (last.ms !== ms) last = { ms, text: timeAt(ms).toISOString() };
  return last.text;
}
