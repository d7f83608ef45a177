/** The statement of a wallet as lines. docs/specification.md#statements. */
import type { Period, Statement } from '../data/wallets/wallet-statement';

export const walletColumns = [
  ...(['at', 'kind', 'type', 'amount', 'balance'] as const),
  ...(['order_id', 'transaction_id', 'reference', 'remarks'] as const),
];

export type WalletLine = Record<(typeof walletColumns)[number], string | number | null>;

const noEntry = { type: '', amount: '', order_id: null, transaction_id: null, reference: '', remarks: '' };

/** The opening balance, the entries and the closing balance, read on demand. A file with CLOSING is complete. */
export async function* walletLines(statement: Statement, { from, to }: Period): AsyncGenerator<WalletLine> {
  const { openingBalance, closingBalance } = statement;
  yield { ...noEntry, at: from.toISOString(), kind: 'OPENING', balance: openingBalance };
  for await (const entry of statement.entries()) {
    const { at, kind, type, amount, balanceAfter: balance, orderId, id, reference, remarks } = entry;
    const references = { order_id: orderId, transaction_id: id, reference, remarks };
    yield { at: at.toISOString(), kind, type, amount, balance, ...references };
  }
  yield { ...noEntry, at: to.toISOString(), kind: 'CLOSING', balance: closingBalance };
}
