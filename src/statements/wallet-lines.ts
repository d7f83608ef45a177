/** A wallet's statement as lines: the balance before, each entry, the balance after. docs/specification.md#statements. */
import type { Period, Statement } from '../data/wallets/wallet-statement';

/** One line. The first and the last, OPENING and CLOSING, are the balances; a file with CLOSING is complete. */
export interface WalletLine {
  at: string;
  kind: string;
  type: string;
  amount: string;
  balance: string;
  order_id: number | null;
  transaction_id: number | null;
  reference: string;
  remarks: string;
}

export const walletColumns = [
  ...(['at', 'kind', 'type', 'amount', 'balance'] as const),
  ...(['order_id', 'transaction_id', 'reference', 'remarks'] as const),
] satisfies (keyof WalletLine)[];

const noEntry = { type: '', amount: '', order_id: null, transaction_id: null, reference: '', remarks: '' };

/** The lines in their order, read as they are asked for. */
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
