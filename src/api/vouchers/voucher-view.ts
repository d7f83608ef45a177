/** The vouchers of an order, decrypted. docs/specification.md#voucher-order. */
import type { VoucherInJson } from '../../data/purchases/families/voucher';
import { openCodesForView } from '../../data/orders/voucher-codes';
import type { Sealer } from '../../security/sealing';

export type VoucherView = ReturnType<typeof voucherView>;

/** `lines`: of `vouchers` in `VoucherOrderRow`. */
export function voucherViews(sealer: Sealer, orderId: number, lines: string): VoucherView[] {
  const vouchers = JSON.parse(`[${lines.replaceAll('\n', ',')}]`) as VoucherInJson[];
  return vouchers.map((voucher) => voucherView(sealer, orderId, voucher));
}

function voucherView(sealer: Sealer, orderId: number, { unit, sealedCodes, expiresAt }: VoucherInJson) {
  const sealed = Buffer.from(sealedCodes.slice('\\x'.length), 'hex');
  const codes = openCodesForView(sealer, { orderId, unit }, sealed);
  return {
    card_number: codes.cardNumber ?? null,
    pin_code: codes.pinCode ?? null,
    claim_url: codes.claimUrl ?? null,
    expires_at: expiresAt && new Date(expiresAt).toISOString(),
    voucher_reference_number: codes.referenceNumber ?? null,
  };
}
