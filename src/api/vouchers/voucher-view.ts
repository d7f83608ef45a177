/** The vouchers of an order as JSON, opened. docs/specification.md#voucher-order. */
import type { VoucherInJson } from '../../data/purchases/families/voucher';
import { voucherField, type Sealer } from '../../security/sealing';

/** The vouchers as clients see them, from the JSON in `VoucherOrderRow`. */
export function voucherViews(sealer: Sealer, orderId: number, json: string): object[] {
  return (JSON.parse(json) as VoucherInJson[]).map((voucher) => voucherView(sealer, orderId, voucher));
}

function voucherView(sealer: Sealer, orderId: number, voucher: VoucherInJson): object {
  const open = (field: string, sealed: string | null) =>
    sealer.openForView(
      voucherField(orderId, voucher.unit, field),
      sealed === null ? null : Buffer.from(sealed.slice('\\x'.length), 'hex'),
    );
  return {
    card_number: open('card_number', voucher.cardNumber),
    pin_code: open('pin_code', voucher.pinCode),
    claim_url: open('claim_url', voucher.claimUrl),
    expires_at: voucher.expiresAt && new Date(voucher.expiresAt).toISOString(),
    voucher_reference_number: open('voucher_reference_number', voucher.referenceNumber),
  };
}
