/** The due mails to clients about refunds after delivery. `carry_out_refund` writes them (`schema/rules/refunds-after-delivery.sql`). */
import type { Family } from '../../domain/orders/families';
import type { RefundReason } from '../../domain/orders/refund-reasons';
import type { DueMails } from '../maintenance/due-mails';

export interface RefundMail {
  orderId: number;
  number: number;
  family: Family;
  clientReference: string | null;
  productName: string;
  walletId: number;
  /** A decimal string in `currency`. */
  amount: string;
  currency: string;
  minorUnit: number;
  reasonCode: RefundReason;
  /** The client's contact address. */
  email: string;
}

export const refundMails: DueMails<RefundMail> = {
  table: 'refund_mails',
  key: 'order_id, number',
  changedAt: 'credited_at',
  fields: {
    orderId: 'mail.order_id',
    number: 'mail.number',
    family: 'o.family',
    clientReference: 'o.client_reference',
    productName: 'o.product_name',
    walletId: 'o.wallet_id',
    amount: 'refund.amount',
    currency: 'currency.code',
    minorUnit: 'currency.minor_unit',
    reasonCode: 'refund.reason_code',
    email: 'client.contact_email',
  },
  joins: `
    JOIN order_refunds refund USING (order_id, number)
    JOIN orders o ON o.id = mail.order_id
    JOIN clients client ON client.id = o.client_id
    JOIN currencies currency ON currency.code = o.deduction_currency`,
};
