/** `BANK_CSV`: the columns of our bank's CSV files. docs/operators/money-in.md#csv. */
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
  /** What the column `direction`, or a word behind the amount, says of a credit and of a debit. In capital letters. */
  credit: string[];
  debit: string[];
  /** How the first line below the last entry begins, such as `Closing balance`. */
  end?: string;
  /** The name of each column in the file: `amount`, or both `paidIn` and `paidOut`. */
  columns: {
    bookedOn: string;
    /** A negative one is a debit. */
    amount?: string;
    direction?: string;
    paidIn?: string;
    paidOut?: string;
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
const words = (...standard: string[]) =>
  Joi.array().items(Joi.string().trim().uppercase()).min(1).single().default(standard);

const mapping = Joi.object<BankCsv>({
  delimiter: Joi.string().length(1).default(','),
  decimal: Joi.valid('.', ',').default('.'),
  dates: Joi.valid('YMD', 'DMY', 'MDY').default('YMD'),
  account: name,
  currency: Joi.string().pattern(/^[A-Z]{3}$/),
  booked: name,
  credit: words('C', 'CR', 'CREDIT', 'H', 'HABEN', 'BIJ', '+'),
  debit: words('D', 'DR', 'DEBIT', 'S', 'SOLL', 'AF', '-'),
  end: name,
  columns: Joi.object({
    bookedOn: name.required(),
    amount: name,
    direction: name,
    paidIn: name,
    paidOut: name,
    text: Joi.array().items(name).min(1).single().required(),
    account: name,
    currency: name,
    valueOn: name,
    status: name,
    bankReference: name,
    endToEndId: name,
    payer: name,
    payerAccount: name,
  })
    .xor('amount', 'paidIn')
    .and('paidIn', 'paidOut')
    .with('direction', 'amount')
    .required(),
})
  .or('account', 'columns.account')
  .with('booked', 'columns.status')
  .custom((value: BankCsv, helpers) => {
    const both = value.credit.find((word) => value.debit.includes(word));
    return both === undefined ? value : helpers.message({ custom: `"${both}" is both a credit and a debit` });
  });

/** JSON, as an environment variable carries it. */
export const bankCsv = Joi.string().custom((written: string, helpers) => {
  try {
    return Joi.attempt(JSON.parse(written), mapping);
  } catch (error) {
    return helpers.message({ custom: `{{#label}} is invalid: ${thrownMessage(error)}` });
  }
});
