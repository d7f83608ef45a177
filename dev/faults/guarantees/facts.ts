/** What can be seen from outside once everything has come to rest: the facts that promises are held against. */
import { Decimal } from 'decimal.js';
import type { OrderView, TransactionView } from '../actors/api';
import type { ApiUser, Attempt } from '../actors/client';
import type { ListedOrder, Operators } from '../actors/operators';
import type { Bought, SupplierControls } from '../actors/supplier';
import { orderOf, type EventView } from '../actors/webhook-receiver';
import { collections, type Family } from '../plan/orders';

/** An order with everything that is known of it. */
export interface OrderFact {
  id: number;
  family: Family;
  client: string;
  reference: string;
  status: string;
  quantity: number;
  /** The codes, claim URLs and ICCIDs that its client reads. */
  codes: string[];
  /** Units that its client has. */
  readable: number;
  /** Money that left its client's wallet for it, and came back. */
  debited: Decimal;
  credited: Decimal;
  debits: number;
  /** Of eSIMs: whether the profile has ended. Nothing in a run uses one up, and a run is shorter than a plan. */
  isExpired: boolean;
  /** Worth of the voucher that it was paid with; 0 where none was. */
  redeemed: number;
  /** Units that the supplier really sold for it. */
  sold: number;
  /** Why it is on the operators' list. */
  listed: ListedOrder[];
  /** Its events in the order of the log. */
  events: EventView[];
}

export interface MailFact {
  to: string;
  messageId: string;
}

export interface Facts {
  orders: OrderFact[];
  users: readonly ApiUser[];
  attempts: Attempt[];
  /** Orders by reference that a look-up by reference finds, for those attempts whose outcome was open. */
  lookedUp: Map<string, OrderView | undefined>;
  balances: Map<string, Decimal>;
  mails: MailFact[];
  /** What the supplier sold under references that name no order of these. */
  strays: Bought[];
}

export interface Sources {
  users: readonly ApiUser[];
  operators: Operators;
  supplier: SupplierControls;
  mailboxUrl: string;
}

const endings = ['DELIVERED', 'FAILED', 'CANCELLED'];

export function hasEnded({ status }: { status: string }): boolean {
  return endings.includes(status);
}

/** Every order of a client, as the lists show them. */
export async function listOrders(user: ApiUser): Promise<(OrderView & { family: Family })[]> {
  const families = Object.entries(collections) as [Family, string][];
  const lists = families.map(async ([family, path]) =>
    (await user.api.readAll<OrderView>(path)).map((order) => ({ ...order, family })),
  );
  return (await Promise.all(lists)).flat();
}

/** The events of a client that are about orders, oldest first, by order. */
export async function listEvents(user: ApiUser): Promise<Map<number, EventView[]>> {
  const events = (await user.api.readAll<EventView>('/api/v1/webhooks/events')).reverse();
  return groupBy(events, orderOf);
}

/** Gathers all facts. */
export async function gather({ users, operators, supplier, mailboxUrl }: Sources): Promise<Facts> {
  const listed = groupBy(await operators.listedOrders(), ({ order_id: id }) => id);
  const sold = await supplier.bought();
  const soldByOrder = groupBy(sold, ({ order_id: id }) => id ?? undefined);
  const orders: OrderFact[] = [];
  for (const user of users) {
    const events = await listEvents(user);
    const transactions = await user.api.readAll<TransactionView>('/api/v1/transactions');
    const byOrder = groupBy(transactions, ({ reference_number: text }) => text);
    for (const { id, family } of await listOrders(user)) {
      const view = await user.api.read<OrderView>(`${collections[family]}/${id}`);
      orders.push({
        ...describe(user, family, view),
        ...moneyOf(byOrder.get(`order-${id}`) ?? []),
        sold: (soldByOrder.get(id) ?? []).reduce((sum, { units }) => sum + units, 0),
        listed: listed.get(id) ?? [],
        events: events.get(id) ?? [],
      });
    }
  }
  const ids = new Set(orders.map(({ id }) => id));
  return {
    orders,
    users,
    attempts: users.flatMap(({ attempts }) => attempts),
    lookedUp: await lookUpOpenAttempts(users),
    balances: await readBalances(users),
    mails: await readMails(mailboxUrl),
    strays: sold.filter(({ order_id: id }) => id === null || !ids.has(id)),
  };
}

function describe(user: ApiUser, family: Family, view: OrderView) {
  const { id, status, client_reference: reference = '', quantity = 1, vouchers = [] } = view;
  const codes = [
    ...vouchers.flatMap(({ card_number: code, claim_url: url }) => [code, url]),
    view.iccid,
    view.activation_code,
  ]
    .filter((code): code is string => typeof code === 'string')
    .map((code) => code.trim());
  const readable = readableUnits(family, view);
  const redeemed = user.redemptions.get(reference) ?? 0;
  const isExpired = view.activation_status === 'EXPIRED';
  return { id, family, client: user.name, reference, status, quantity, codes, readable, isExpired, redeemed };
}

/** How many units of it its client has. */
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

/** Creates that were not answered, or with "look it up": by their reference. */
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

function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | undefined,
): Map<Key, Item[]> {
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
