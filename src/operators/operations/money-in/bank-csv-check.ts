/** `bank csv-check`: how the setting `BANK_CSV` reads a file. docs/operators/money-in.md#csv. */
import type { BankStatement } from '../../../domain/funding/bank-statement';
import { accountName, ourAccount } from '../../../domain/funding/our-accounts';
import { InvalidArgument } from '../arguments';
import { file } from '../files/file-arguments';
import { operation } from '../operation';

const MAX_ROWS = 10;

export const bankCsvCheck = operation({
  name: 'bank csv-check',
  button: 'Check the columns',
  about:
    'The first lines of a CSV file of a bank as its columns are understood, with the direction of each. Nothing is compared or stored',
  roles: ['finance'],
  effect: 'reads',
  arguments: { file: file('bank', 'a CSV file of a bank') },
  columns: {
    booked_on: 'text',
    value_on: 'text',
    direction: 'text',
    amount: 'text',
    currency: 'text',
    booked: 'flag',
    payer: 'text',
    payer_account: 'text',
    bank_reference: 'text',
    end_to_end_id: 'text',
    text: 'text',
    account: 'text',
    our_account: 'text',
  },
  async run({ config }, { file: given }) {
    const { bankAccounts, bankCsv: csv } = config.funding;
    const { format, statements } = await given.read({ csv });
    if (format !== 'csv')
      throw new InvalidArgument(`${given.name} is ${format}, not CSV. Check it as a file of the bank`);
    return statements
      .flatMap((statement) => {
        const ours = ourAccount(statement.account, bankAccounts.values());
        return shownRows(statement, ours ? accountName(ours) : null);
      })
      .slice(0, MAX_ROWS);
  },
});

function shownRows({ account, bookings }: BankStatement, ours: string | null) {
  return bookings
    .slice(0, MAX_ROWS)
    .flatMap(({ parts, ...booking }) =>
      parts.map((part) => ({
        booked_on: booking.bookedOn,
        value_on: booking.valueOn || null,
        direction: booking.direction,
        amount: booking.amount,
        currency: booking.currency,
        booked: !booking.isPending,
        payer: part.payer || null,
        payer_account: part.payerAccount || null,
        bank_reference: booking.bankReference || null,
        end_to_end_id: part.endToEndId || null,
        text: part.text || null,
        account,
        our_account: ours,
      })),
    );
}
