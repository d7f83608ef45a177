/** `wallets credit-limit`: by how much the balance of a wallet may be below 0. */
import type { Database } from '../../../data/database/database';
import { marked } from '../../../data/database/marked-changes';
import { setCreditLimit } from '../../../data/wallets/credit-limits';
import { operatedWallet } from '../../../data/wallets/operated-wallets';
import { Exact } from '../../../domain/prices/money';
import { word } from '../arguments';
import { decimal, id } from '../kinds';
import { neededReason, operation } from '../operation';
import { tried } from '../tried';

export const creditLimit = operation({
  name: 'wallets credit-limit',
  button: 'Set the credit limit',
  about: 'Set by how much the balance may be below 0. Below a debt, it stops debits and moves nothing',
  roles: ['finance'],
  effect: 'money',
  approval: 'CREDIT_LIMIT',
  arguments: {
    wallet: word(id, 'id'),
    amount: word(decimal, "from 0, in the wallet's currency"),
    reason: neededReason,
  },
  check: async ({ database }, { wallet: walletId }) => walletId === undefined || operatedWallet(database, walletId),
  trial: 'PREVIEW',
  async preview(context, { wallet: walletId, amount }) {
    const before = await operatedWallet(context.database, walletId);
    const after = await tried(context, ({ database }) => withCreditLimit(database, walletId, amount));
    const { client: owner, currency_code: currency } = before;
    const [from, to, holds, available] = [before.credit_limit, after.credit_limit, after.balance, after.available].map(
      (one) => new Exact(one).toFixed(),
    );
    return `Sets the credit limit of wallet ${walletId} of ${owner} from ${from} to ${to} ${currency}. It holds ${holds} ${currency}, so ${available} ${currency} will be available.`;
  },
  async basis({ database }, { wallet: walletId }) {
    const before = await operatedWallet(database, walletId);
    const { client_id: owner, currency_code: currency, credit_limit: from } = before;
    return JSON.stringify({ owner, currency, from });
  },
  run: async ({ database }, { wallet: walletId, amount }) => [await withCreditLimit(database, walletId, amount)],
});

async function withCreditLimit(database: Database, walletId: number, limit: Exact) {
  await marked(database, ['CREDIT_LIMIT'], () => setCreditLimit(database, walletId, limit));
  return operatedWallet(database, walletId);
}
