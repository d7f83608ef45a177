/** The guarantees about money besides orders. */
import { Decimal } from 'decimal.js';
import type { TransactionView } from '../actors/api';
import type { ApiUser } from '../actors/client';
import type { Finance } from '../actors/finance';
import type { Check } from './broken';
import type { Facts, MoneyFacts, RequestView } from './facts';

export const moneyGuarantees: Readonly<Record<string, Check>> = {
  'a funding request is credited once, exactly if its transfer arrived': checkRequests,
  'credits of bank entries never exceed what the bank booked, and no booking is without an entry': checkBookings,
  'a month is closed once': ({ money }) =>
    money.closes > 1 ? [{ orderIds: [], detail: `${money.closes} times` }] : [],
};

/** Reads the requests of the clients. `transactions`: the ledger of each. */
export async function readMoney(
  users: readonly ApiUser[],
  transactions: ReadonlyMap<string, readonly TransactionView[]>,
  finance: Finance,
): Promise<MoneyFacts> {
  const facts: MoneyFacts = {
    requests: [],
    bookings: finance.bookings,
    bankEntries: await finance.entries(),
    entries: [],
    closes: finance.closes,
  };
  for (const { name: client, api, wallet } of users) {
    const requests = await api.readAll<RequestView>(`/api/v1/wallets/${wallet.id}/funding-requests`);
    facts.requests.push(...requests.map((request) => ({ ...request, client })));
    for (const { wallet_id: id, amount, transaction_type: type, reference_number } of transactions.get(client) ?? []) {
      if (id !== wallet.id || !/^(RF|conversion-|bank-)/.test(reference_number)) continue;
      facts.entries.push({ client, amount: type === 'CREDIT' ? amount : -amount, reference_number });
    }
  }
  return facts;
}

/** What entries of banks and conversions moved in the wallet that orders. */
export function movedBesides({ money }: Facts, client: string): Decimal {
  return Decimal.sum(0, ...money.entries.filter((entry) => entry.client === client).map(({ amount }) => amount));
}

function checkRequests({ money: { requests, bookings, entries } }: Facts) {
  return requests.flatMap(({ client, reference, amount, state }) => {
    const credits = entries.filter((entry) => entry.reference_number === reference);
    const hasArrived = bookings.some(
      (one) => one.reference === reference && !one.isReversal && one.cents === centsOf(amount),
    );
    const expected = hasArrived ? { state: 'CREDITED', sums: [amount] } : { state: 'PENDING', sums: [] };
    const sums = credits.map((credit) => credit.amount);
    if (state === expected.state && String(sums) === String(expected.sums)) return [];
    return [{ orderIds: [], detail: `${client}, ${reference}: ${state}, credited ${sums.join(', ') || 'nothing'}` }];
  });
}

/** Compares each reference in the banks' own lists with the entries that hold it, and with what these moved in the ledger. */
function checkBookings({ money: { bookings, bankEntries, entries } }: Facts) {
  return [...new Set(bookings.map(({ reference }) => reference))].flatMap((reference) => {
    const own = bankEntries.filter(({ references }) => references === reference);
    const moving = [reference, ...own.map(({ id }) => `bank-${id}`)];
    const moved = entries.filter(({ reference_number: number }) => moving.includes(number));
    const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0);
    return [false, true].flatMap((isReversal) => {
      const wanted = bookings.filter((one) => one.reference === reference && one.isReversal === isReversal);
      const direction = isReversal ? 'DEBIT' : 'CREDIT';
      const booked = sum(wanted.map(({ cents }) => cents));
      const stored = sum(own.filter((one) => one.direction === direction).map(({ amount }) => centsOf(amount)));
      const inLedger = sum(
        moved.map(({ amount }) => centsOf(amount)).map((cents) => Math.max(0, isReversal ? -cents : cents)),
      );
      if (inLedger <= booked && stored >= booked) return [];
      const detail = `${reference}, ${direction}: the bank booked ${booked}, entries have ${stored}, the ledger ${inLedger}`;
      return [{ orderIds: [], detail }];
    });
  });
}

const centsOf = (amount: number | string): number => Math.round(Number(amount) * 100);
