/** Gathers the facts of a run. */
import { Decimal } from 'decimal.js';
import { orderOf, type EventView } from '../../stack/webhook-receiver';
import { goodsOf, type OrderView, type TransactionView } from '../actors/api';
import type { ApiUser } from '../actors/client';
import type { Finance } from '../actors/finance';
import type { Operators } from '../actors/operators';
import type { Bought } from '../actors/supplier';
import type { Suppliers } from '../actors/suppliers';
import { collections, type Family } from '../plan/orders';
import type { SupplierName } from '../plan/suppliers';
import { keyOf } from '../references';
import { readAfterSale } from './after-sale-facts';
import { readPrices } from './fraud';
import { withInherited } from './inherited';
import { readMoney } from './money';
import { contradicts } from '../stack/changed-answers';
import type { Descriptions } from '../stack/supplier-proxy';
import { type OrderFact, type MailFact, type Facts } from './facts';

export interface Sources {
  users: readonly ApiUser[];
  operators: Operators;
  suppliers: Suppliers;
  finance: Finance;
  /** The references of purchases that a supplier itself answered. */
  answered: ReadonlySet<string>;
  /** How the supplier described the sale under a reference; undefined if no response did. */
  described: (supplier: SupplierName, reference: string) => Descriptions | undefined;
  mailboxUrl: string;
  databaseUrl: string;
}

const endings = ['DELIVERED', 'FAILED', 'CANCELLED'];

export function hasEnded({ status }: { status: string }): boolean {
  return endings.includes(status);
}

/** Every order of a client, from the lists. */
export async function listOrders(user: ApiUser): Promise<(OrderView & { family: Family })[]> {
  const families = Object.entries(collections) as [Family, string][];
  const lists = families.map(async ([family, path]) =>
    (await user.api.readAll<OrderView>(path)).map((order) => ({ ...order, family })),
  );
  return (await Promise.all(lists)).flat();
}

/** A client's order events, oldest first, by order. */
export async function listEvents(user: ApiUser): Promise<Map<number, EventView[]>> {
  const events = (await user.api.readAll<EventView>('/api/v1/webhooks/events')).reverse();
  return groupBy(events, orderOf);
}

export async function gather(sources: Sources): Promise<Facts> {
  const { users, operators, suppliers, answered, described, mailboxUrl, databaseUrl } = sources;
  const listed = groupBy([...(await operators.listedOrders()), ...operators.credited], ({ order_id: id }) => id);
  const sold = await suppliers.bought();
  const soldByOrder = groupBy(sold, ({ order_id: id }) => id ?? undefined);
  const refused = ordersRefused([...answered, ...(await suppliers.failedLater())], sold);
  const orders: OrderFact[] = [];
  const ledgers = new Map<string, TransactionView[]>();
  for (const user of users) {
    const events = await listEvents(user);
    const transactions = await user.api.readAll<TransactionView>('/api/v1/transactions');
    ledgers.set(user.name, transactions);
    const byOrder = groupBy(transactions, ({ reference_number: text }) => text);
    for (const { id, family } of await listOrders(user)) {
      const view = await user.api.read<OrderView>(`${collections[family]}/${id}`);
      orders.push({
        ...describe(user, family, view),
        ...moneyOf(byOrder.get(`order-${id}`) ?? []),
        ...refundsOf(id, transactions),
        ...salesOf(soldByOrder.get(id) ?? []),
        ...describedIn(soldByOrder.get(id) ?? [], family, described),
        isUnusable: operators.unusable.has(id),
        isRefused: refused.has(id),
        isDecided: operators.decided.has(id),
        isCancelled: operators.cancelled.has(id),
        listed: listed.get(id) ?? [],
        events: events.get(id) ?? [],
      });
    }
  }
  const ids = new Set(orders.map(({ id }) => id));
  return {
    orders: withInherited(orders),
    users,
    attempts: users.flatMap(({ attempts }) => attempts),
    lookedUp: await lookUpOpenAttempts(users),
    balances: await readBalances(users),
    mails: await readMails(mailboxUrl),
    listedSuppliers: await operators.listedSuppliers(),
    strays: sold.filter(({ order_id: id }) => id === null || !ids.has(id)),
    afterSale: await readAfterSale(operators.afterSale, databaseUrl),
    prices: await readPrices(databaseUrl),
    money: await readMoney(users, ledgers, sources.finance),
  };
}

function salesOf(sales: Bought[]) {
  return { sales, sold: sales.reduce((sum, { units }) => sum + units, 0) };
}

function describedIn(sales: readonly Bought[], family: Family, described: Sources['described']) {
  const known = sales.map((sale) => ({ ...sale, ...described(sale.supplier, sale.reference) }));
  const changed = known.map(({ changes = [], isHonest = true, ...sale }) => ({
    ...sale,
    always: isHonest ? [] : [...changes],
  }));
  const misdescribed = changed.filter(
    ({ supplier, always }) => always.length > 0 && always.every((change) => contradicts(supplier, change, family)),
  );
  const misstated = changed.filter(
    ({ always }) => always.length > 0 && always.every((change) => change.endsWith('cost')),
  );
  return {
    changes: new Set(known.flatMap(({ changes = [] }) => [...changes])),
    misdescribed: misdescribed.reduce((sum, { units }) => sum + units, 0),
    misstatedBy: misstated.map(({ supplier }) => supplier),
  };
}

/** The orders with a purchase that a supplier answered or ended without selling anything. */
function ordersRefused(ended: readonly string[], sold: readonly Bought[]): ReadonlySet<number> {
  const selling = new Set(sold.map(({ reference }) => reference));
  const refused = ended.filter((reference) => !selling.has(reference));
  return new Set(refused.flatMap((reference) => keyOf(reference)?.orderId ?? []));
}

function describe(user: ApiUser, family: Family, view: OrderView) {
  const { id, status, client_reference: reference = '', product_name: product, quantity = 1 } = view;
  const codes = goodsOf(view);
  const readable = readableUnits(family, view);
  const redeemed = user.redemptions.get(reference) ?? 0;
  const isExpired = view.activation_status === 'EXPIRED';
  const placed = user.attempts.find((attempt) => attempt.reference === reference);
  const { supplier = 'simulator', scenario = '' } = placed ?? {};
  const isErased = user.erased.has(id);
  const hasRecipient = Boolean(view.email) || Object.keys(view.input_data ?? {}).length > 0;
  const goods = { codes, readable, isExpired, redeemed, isErased, hasRecipient };
  const claimed = user.claimed.get(id);
  const item = {
    supplier,
    scenario,
    product,
    quantity,
    recharges: view.recharges?.order_id,
    iccid: view.iccid ?? undefined,
  };
  return { id, family, client: user.name, reference, status, claimed, ...item, ...goods, ...replacementIn(view) };
}

function replacementIn({
  charged_amount: charged,
  transaction_id: transaction,
  replaces,
  replacements = [],
}: OrderView) {
  const unitOf = ({ order_id: orderId, unit }: { order_id: number; unit: number | null }) => ({
    orderId,
    unit: unit ?? 1,
  });
  return {
    charged,
    hasTransaction: transaction !== undefined,
    replaces: replaces && unitOf(replaces),
    replacements: replacements.map(unitOf),
  };
}

/** The number of units that its client can read. */
export function readableUnits(family: Family, { status, vouchers = [], iccid }: OrderView): number {
  switch (family) {
    case 'VOUCHER':
      return vouchers.length;
    case 'TOPUP':
      return status === 'DELIVERED' ? 1 : 0;
    case 'ESIM':
      return iccid ? 1 : 0;
  }
}

function moneyOf(transactions: TransactionView[]) {
  const sum = (type: TransactionView['transaction_type']) =>
    transactions
      .filter(({ transaction_type: kind }) => kind === type)
      .reduce((total, { amount }) => total.plus(amount), new Decimal(0));
  const debits = transactions.filter(({ transaction_type: type }) => type === 'DEBIT').length;
  return { debited: sum('DEBIT'), credited: sum('CREDIT'), debits };
}

function refundsOf(orderId: number, transactions: TransactionView[]) {
  const own = transactions.filter(({ reference_number: text }) => text.startsWith(`order-${orderId}-r`));
  return {
    refunds: own.map(({ reference_number: text }) => text),
    refunded: own.reduce((total, { amount }) => total.plus(amount), new Decimal(0)),
  };
}

/** Lookups by reference of order requests without a response or with OUTCOME_UNKNOWN. */
async function lookUpOpenAttempts(users: readonly ApiUser[]): Promise<Map<string, OrderView | undefined>> {
  const found = new Map<string, OrderView | undefined>();
  for (const { api, attempts } of users) {
    for (const { family, reference, status } of attempts) {
      if (status === 200) continue;
      found.set(reference, await api.findOrder(family, reference));
    }
  }
  return found;
}

async function readBalances(users: readonly ApiUser[]): Promise<Map<string, Decimal>> {
  const balances = new Map<string, Decimal>();
  for (const { name, api, wallet } of users) {
    const { balance } = await api.read<{ balance: number }>(`/api/v1/wallets/${wallet.id}`);
    balances.set(name, new Decimal(balance));
  }
  return balances;
}

async function readMails(mailboxUrl: string): Promise<MailFact[]> {
  const response = await fetch(`${mailboxUrl}/messages`);
  const mails = (await response.json()) as { to: string; headers: Record<string, string> }[];
  return mails.map(({ to, headers }) => ({ to, messageId: headers['message-id'] ?? '' }));
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key | undefined): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
