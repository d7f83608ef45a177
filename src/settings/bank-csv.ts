/** `BANK_CSV`: the columns of our bank's CSV files. */
import Joi from 'joi';
import { thrownMessage } from '../domain/unknown-values';

export interface BankCsv {
  delimiter: string;
  decimal: '.' | ',';
  /** The sequence of year, month and day. */
  dates: 'YMD' | 'DMY' | 'MDY';
  /** The account and the currency of every line, if they have no column. */
  account?: string;
  currency?: string;
  /** What the column `status` says of a booked entry. Without it, every line is booked. */
  booked?: string;
  /** The name of each column in the file. A negative amount is a debit. */
  columns: {
    bookedOn: string;
    amount: string;
    text: string[];
    account?: string;
    currency?: string;
    valueOn?: string;
    status?: string;
    bankReference?: string;
    endToEndId?: string;
    payer?: string;
    payerAccount?: string;
  };
}

const name = Joi.string();
const mapping = Joi.object<BankCsv>({
  delimiter: Joi.string().length(1).default(','),
  decimal: Joi.valid('.', ',').default('.'),
  dates: Joi.valid('YMD', 'DMY', 'MDY').default('YMD'),
  account: name,
  currency: Joi.string().pattern(/^[A-Z]{3}$/),
  booked: name,
  columns: Joi.object({
    bookedOn: name.required(),
    amount: name.required(),
    text: Joi.array().items(name).min(1).single().required(),
    account: name,
    currency: name,
    valueOn: name,
    status: name,
    bankReference: name,
    endToEndId: name,
    payer: name,
    payerAccount: name,
  }).required(),
})
  .or('account', 'columns.account')
  .or('currency', 'columns.currency')
  .with('booked', 'columns.status');

/** JSON, as an environment variable carries it. */
export const bankCsv = Joi.string().custom((written: string, helpers) => {
  try {
    return Joi.attempt(JSON.parse(written), mapping);
  } catch (error) {
    return helpers.message({ custom: `{{#label}} is invalid: ${thrownMessage(error)}` });
  }
});
