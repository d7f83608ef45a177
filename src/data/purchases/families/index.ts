/** How each family's orders are stored and read: the one place that knows all of them. */
import type { Family } from '../../../domain/orders/families';
import type { OrderRow } from '../../orders/order-rows';
import { esimStorage, type EsimOrderRow, type MailableEsim } from './esim';
import type { FamilyStorage } from './family-storage';
import { topupStorage, type MailableTopup, type TopupOrderRow } from './topup';
import { voucherStorage, type MailableVouchers, type VoucherOrderRow } from './voucher';

export const familyStorage: Readonly<Record<Family, FamilyStorage>> = {
  VOUCHER: voucherStorage,
  TOPUP: topupStorage,
  ESIM: esimStorage,
};

/** An order of each family as its client's lists show it. */
export interface RowOf extends Record<Family, OrderRow> {
  TOPUP: TopupOrderRow;
  ESIM: EsimOrderRow;
}

/** An order of each family as a read of that order shows it. */
export interface SingleOf extends RowOf {
  VOUCHER: VoucherOrderRow;
}

interface MailableOrders {
  VOUCHER: MailableVouchers;
  TOPUP: MailableTopup;
  ESIM: MailableEsim;
}

/** An ended order with the content of its mail. */
export type OrderToMail = MailableOrders[Family];
