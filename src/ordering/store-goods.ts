/** Stores what a supplier reports of a purchase: goods sealed, state and counts in the clear. */
import type { Database } from '../data/database';
import {
  storeEsim,
  storeTopup,
  storeVouchers,
  type Purchase,
  type PurchaseOutcome,
  type SealedVoucher,
} from '../data/orders/purchases';
import { profileFault } from '../domain/esim-profile';
import type { BatchReport } from '../domain/order-flow';
import { esimField, voucherField } from '../security/places';
import type { Sealer } from '../security/sealing';
import type { EsimGoods, Goods, PurchaseReport, ReportedUnit, VoucherGoods } from '../suppliers/port';

/**
 * Stores a report and tells where the purchase stands. Repeated, nothing is stored twice. Goods that
 * are of no use are not stored: the order stays open, and operators are told what is wrong with them.
 */
export async function storeReport(
  database: Database,
  sealer: Sealer,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<BatchReport> {
  const fault = faultOf(report);
  const goods = fault === undefined ? report.goods.slice(0, purchase.units).filter(isReadable) : [];
  const outcome = outcomeOf(report, goods.length, purchase.units);
  await storeGoods(database, sealer, purchase, goods, outcome);
  if (fault !== undefined) {
    return {
      state: 'UNRESOLVED',
      reason: `The supplier delivered what cannot be used: ${fault}`,
      delivered: 0,
    };
  }
  return report.state === 'REJECTED'
    ? { state: 'REJECTED', failureCode: report.failureCode, delivered: goods.length }
    : { state: outcome.state as 'DELIVERED' | 'PENDING', delivered: goods.length };
}

function isReadable(unit: ReportedUnit): unit is Goods {
  return unit.kind !== 'unreadable';
}

/** Only eSIM profiles have a form that can be checked. */
function faultOf({ goods: [profile], state }: PurchaseReport): string | undefined {
  return profile?.kind === 'esim' && state !== 'REJECTED' ? profileFault(profile) : undefined;
}

function outcomeOf(report: PurchaseReport, stored: number, units: number): PurchaseOutcome {
  if (report.state === 'REJECTED') {
    const { state, failureCode, detail } = report;
    return { state, failureCode, detail, stored, supplierOrderId: null };
  }
  return {
    // A supplier that says "delivered" before it shows every unit is asked on.
    state: stored < units ? 'PENDING' : report.state,
    supplierOrderId: report.supplierOrderId ?? null,
    failureCode: null,
    detail: null,
    stored,
  };
}

async function storeGoods(
  database: Database,
  sealer: Sealer,
  purchase: Purchase,
  goods: Goods[],
  outcome: PurchaseOutcome,
): Promise<void> {
  switch (purchase.family) {
    case 'VOUCHER': {
      const sealed = goods.map((voucher, index) =>
        sealVoucher(sealer, purchase, purchase.firstUnit + index, voucher as VoucherGoods),
      );
      return storeVouchers(database, purchase.reference, outcome, sealed);
    }
    case 'TOPUP':
      return storeTopup(database, purchase.reference, outcome);
    case 'ESIM': {
      const profile = goods[0] ? sealProfile(sealer, purchase, goods[0] as EsimGoods) : null;
      return storeEsim(database, purchase.reference, outcome, profile);
    }
  }
}

function sealVoucher(sealer: Sealer, purchase: Purchase, unit: number, voucher: VoucherGoods): SealedVoucher {
  const seal = (field: string, text: string | undefined) =>
    sealer.sealOptional(voucherField(purchase.orderId, unit, field), text);
  return {
    unit,
    cardNumber: seal('card_number', voucher.cardNumber),
    pinCode: seal('pin_code', voucher.pinCode),
    claimUrl: seal('claim_url', voucher.claimUrl),
    referenceNumber: seal('voucher_reference_number', voucher.referenceNumber),
    expiresAt: voucher.expiresAt ?? null,
    codeHash: purchase.redeemable && voucher.cardNumber ? sealer.lookupHash(voucher.cardNumber) : null,
  };
}

function sealProfile(sealer: Sealer, purchase: Purchase, profile: EsimGoods) {
  return {
    activationCode: sealer.seal(esimField(purchase.orderId, 'activation_code'), profile.activationCode),
    iccid: sealer.seal(esimField(purchase.orderId, 'iccid'), profile.iccid),
    iccidHash: sealer.lookupHash(profile.iccid),
  };
}
