/** The due mails to clients about low balances. `post_entry` writes them (`rules/ledger.sql`). */
import type { DueMails } from '../maintenance/due-mails';

/** A mail, with the amounts at the moment of the debit as decimal strings. */
export interface LowBalanceMail {
  eventId: string;
  walletId: number;
  balance: string;
  available: string;
  threshold: string;
  currency: string;
  minorUnit: number;
  crossedAt: Date;
  /** The client's contact address. */
  email: string;
}

export const lowBalanceMails: DueMails<LowBalanceMail> = {
  table: 'low_balance_mails',
  key: 'event_id',
  changedAt: 'crossed_at',
  fields: {
    eventId: 'mail.event_id',
    walletId: 'mail.wallet_id',
    balance: 'mail.balance',
    available: 'coalesce(mail.available, mail.balance)',
    threshold: 'mail.threshold',
    currency: 'currency.code',
    minorUnit: 'currency.minor_unit',
    crossedAt: 'mail.crossed_at',
    email: 'client.contact_email',
  },
  joins: `
    JOIN wallets wallet ON wallet.id = mail.wallet_id
    JOIN clients client ON client.id = wallet.client_id
    JOIN currencies currency ON currency.code = wallet.currency_code`,
};
