/** The settings of money that arrives, and of the books. */
import Joi from 'joi';
import type { AccountNumbers } from '../domain/books/postings';
import type { BankAccounts } from '../domain/funding/our-accounts';
import { bankAccounts } from './bank-accounts';
import { bankCsv, type BankCsv } from './bank-csv';
import { setting } from './declared-settings';
import { accountNumbers } from './setting-schemas';

export const financeSettings = {
  funding: {
    /** Clients can request funding in these currencies. */
    bankAccounts: setting<BankAccounts>('BANK_ACCOUNTS', bankAccounts),
    /** The columns of our bank's CSV files. Undefined: none can be imported. */
    bankCsv: setting<BankCsv | undefined>('BANK_CSV', bankCsv),
    /** The days until a funding request expires. */
    requestDays: setting<number>('FUNDING_REQUEST_DAYS', Joi.number().integer().min(1).max(365).default(30)),
  },
  books: {
    /** The numbers of the accounts in exported journals. */
    accounts: setting<AccountNumbers>('BOOK_ACCOUNTS', accountNumbers),
  },
};
