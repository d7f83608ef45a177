/** The guarantees about money besides orders. */
import { Decimal } from 'decimal.js';
import type { TransactionView } from '../actors/api';
import type { ApiUser } from '../actors/client';
import type { Finance } from '../actors/finance';
import type { Check } from './broken';
import type { Facts, MoneyFacts, RequestView } from './facts';

export const moneyGuarantees: Readonly<Record<string, Check>> = {
  'a funding request is credited once, exactly if its transfer arrived': checkRequests,
  'a month is closed once': ({ money }) =>
    money.closes > 1 ? [{ orderIds: [], detail: `${money.closes} times` }] : [],
};

/** Reads the requests of the clients. `transactions`: the ledger of each. */
export async function readMoney(
  users: readonly ApiUser[],
  transactions: ReadonlyMap<string, readonly TransactionView[]>,
  { payments, closes }: Finance,
): Promise<MoneyFacts> {
  const facts: MoneyFacts = { requests: [], payments, entries: [], closes };
  for (const { name: client, api, wallet } of users) {
    const requests = await api.readAll<RequestView>(`/api/v1/wallets/${wallet.id}/funding-requests`);
    facts.requests.push(...requests.map((request) => ({ ...request, client })));
    for (const { wallet_id: id, amount, transaction_type: type, reference_number } of transactions.get(
      client,
    ) ?? []) {
      if (id !== wallet.id || !/^(RF|conversion-)/.test(reference_number)) continue;
      facts.entries.push({ client, amount: type === 'CREDIT' ? amount : -amount, reference_number });
    }
  }
  return facts;
}

/** What funding requests and conversions moved in the wallet that orders. */
export function movedBesides({ money }: Facts, client: string): Decimal {
  return Decimal.sum(
    0,
    ...money.entries.filter((entry) => entry.client === client).map(({ amount }) => amount),
  );
}

function checkRequests({ money: { requests, payments, entries } }: Facts) {
  return requests.flatMap(({ client, reference, amount, state }) => {
    const credits = entries.filter((entry) => entry.reference_number === reference);
    const hasArrived = payments.some((one) => one.reference === reference && Number(one.amount) === amount);
    const expected = hasArrived ? { state: 'CREDITED', sums: [amount] } : { state: 'PENDING', sums: [] };
    const sums = credits.map((credit) => credit.amount);
    if (state === expected.state && String(sums) === String(expected.sums)) return [];
    return [
      { orderIds: [], detail: `${client}, ${reference}: ${state}, credited ${sums.join(', ') || 'nothing'}` },
    ];
  });
}
