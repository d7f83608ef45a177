/** `wallets statement`: the entries of a wallet over a period. docs/specification.md#statements. */
import { readWalletStatement, type Period, type Statement } from '../../../data/wallets/wallet-statement';
import { csvText, walletColumns, walletLines, type WalletLine } from '../../../statements/statements';
import { flag, inTerminal, option, requiredOption, word } from '../arguments';
import { id } from '../kinds';
import { dayOrAge } from '../time-kinds';
import { documentOperation } from '../operation';
import { inOneLine, jsonText } from '../text';

/** The width of each column of the table. The last column is not padded. */
const widths: Readonly<Record<keyof WalletLine, number>> = {
  at: 24,
  kind: 10,
  type: 6,
  amount: 16,
  balance: 18,
  order_id: 10,
  transaction_id: 14,
  reference: 24,
  remarks: 0,
};

export const walletStatement = documentOperation({
  name: 'wallets statement',
  button: 'Show the statement',
  about: 'The opening balance, every entry and the closing balance of a period, in one snapshot',
  roles: ['viewer', 'support', 'finance'],
  effect: 'reads',
  arguments: {
    wallet: word(id, 'id'),
    from: inTerminal(
      requiredOption(dayOrAge, 'the first day of the period (UTC)'),
      'the start of the period, such as 2026-11-01',
    ),
    to: option(dayOrAge, 'the end of the period, exclusive; default: now'),
    csv: inTerminal(flag('as values separated by commas, with a header'), 'print comma-separated values with a header'),
  },
  async *parts({ database }, { wallet: walletId, from, to = new Date(), csv }, form) {
    const period = { from, to };
    const found = await readWalletStatement(database, walletId, period);
    if (!found) throw new Error(`There is no wallet ${walletId}. See them with: wallets list`);
    if (csv) yield* csvText(walletColumns, walletLines(found, period));
    else yield* form === 'json' ? jsonOf(found, period) : tableOf(found, period);
  },
});

async function* jsonOf(found: Statement, period: Period): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const line of walletLines(found, period)) {
    yield `${separator}  ${jsonText(line, 0)}`;
    separator = ',\n';
  }
  yield '\n]\n';
}

async function* tableOf(found: Statement, period: Period): AsyncGenerator<string> {
  const { walletId, currencyCode: code, client: owner, clientId, count } = found;
  yield `Wallet ${walletId} (${code}) of ${owner} (client ${clientId}): ${count} entries\n`;
  yield tableLine(Object.fromEntries(walletColumns.map((name) => [name, name])));
  for await (const line of walletLines(found, period)) yield tableLine({ ...line });
}

function tableLine(line: Readonly<Record<string, string | number | null>>): string {
  const cells = walletColumns.map((name) => inOneLine(String(line[name] ?? '-')).padEnd(widths[name]));
  return `${cells.join('  ').trimEnd()}\n`;
}
