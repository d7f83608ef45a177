/** eSIM orders as JSON. docs/specification.md#esim-order. */
import type { EsimOrderRow } from '../../data/purchases/families/esim';
import { toJsonNumber } from '../../domain/prices/money';
import { esimField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import { moneyView } from '../shared/order-money-view';
import { variantOrderView, type StatusTexts } from '../shared/variant-order-view';

const statusTexts: StatusTexts = {
  PENDING: 'The eSIM is being prepared',
  DELIVERED: 'The eSIM was delivered',
  FAILED: 'The eSIM could not be delivered',
  CANCELLED: 'The order was cancelled',
};

/** An order in a list: without the activation code. */
export function esimOrderView(sealer: Sealer, order: EsimOrderRow) {
  return {
    ...variantOrderView(order, statusTexts),
    data_amount_gb: toJsonNumber(order.dataAmountGb),
    validity_days: order.validityDays,
    is_installed: order.installedAt !== null,
    ...(order.installedAt !== null && { installed_at: order.installedAt.toISOString() }),
    ...(order.activatedAt !== null && { activated_at: order.activatedAt.toISOString() }),
    ...(order.status === 'DELIVERED' && {
      activation_status: order.activationStatus,
      iccid: sealer.openForView(esimField(order.id, 'iccid'), order.iccid),
    }),
  };
}

/** One order, created or read: with the activation code as long as no device has the profile. */
export function esimOrderDetailView(sealer: Sealer, order: EsimOrderRow) {
  const isInstallable = order.status === 'DELIVERED' && order.installedAt === null;
  return {
    ...esimOrderView(sealer, order),
    ...moneyView(order),
    ...(isInstallable && {
      activation_code: sealer.openForView(esimField(order.id, 'activation_code'), order.activationCode),
    }),
  };
}
