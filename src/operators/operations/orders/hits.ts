/** What `search` finds. */
import { findOrders, type FoundOrder, type OperatorOrderFilter } from '../../../data/orders/order-search';
import type { NamedClient, NamedTransaction } from '../../../data/orders/value-search';
import type { CardState } from '../../../data/orders/card-states';
import type { ClaimState } from '../../../domain/orders/claim-kinds';
import type { Family } from '../../../domain/orders/families';
import type { Context } from '../context';

/** What a value may be. */
export type SearchedBy =
  | 'order id'
  | 'client reference'
  | 'transaction'
  | 'funding request'
  | 'refund'
  | 'request id'
  | 'event id'
  | 'our reference'
  | "supplier's id"
  | 'e-mail address'
  | 'phone number'
  | 'ICCID'
  | 'voucher code'
  | 'API key'
  | 'number'
  | 'client'
  | 'supplier'
  | 'product'
  | 'member'
  | 'operator';

export interface Hit {
  by: SearchedBy;
  kind: 'order' | 'client' | 'wallet' | 'claim' | 'endpoint' | 'supplier' | 'product' | 'member' | 'operator';
  /** Null for an operator, who has an address only, and for a supplier, which has a name only. */
  id: number | null;
  /** The name of the supplier, product, refund, request or event, the address of the member or operator, the URL of the endpoint, or what a claim or a wallet is of. */
  name: string | null;
  /** Of the product. */
  family: Family | null;
  order: FoundOrder | null;
  /** The client itself, or that of the claim, the endpoint, the event, the request, the transaction, the wallet or the member. */
  client: NamedClient | null;
  transaction: Omit<NamedTransaction, 'client'> | null;
  /** The gift card of the order that has the code. */
  unit: number | null;
  /** Where this card or the claim stands. */
  state: CardState | ClaimState | null;
}

export const noHit = {
  id: null,
  name: null,
  family: null,
  order: null,
  client: null,
  transaction: null,
  unit: null,
  state: null,
} as const;

/** A value to search for. `limit`: the maximum number of hits of one kind. */
export interface Searched {
  text: string;
  limit: number;
}

export type Finder = (context: Context, searched: Searched) => Promise<Hit[]>;

export const orderHit = (by: SearchedBy, order: FoundOrder): Hit => ({
  ...noHit,
  by,
  kind: 'order',
  id: order.id,
  order,
});

export const clientHits = (by: SearchedBy, found: readonly NamedClient[]): Hit[] =>
  found.map((client) => ({ ...noHit, by, kind: 'client', id: client.id, client }));

/** The orders that match, newest first. */
export async function ordersBy(
  { database }: Context,
  by: SearchedBy,
  filter: OperatorOrderFilter,
  limit: number,
): Promise<Hit[]> {
  return (await findOrders(database, filter, limit)).map((order) => orderHit(by, order));
}

/** The orders in the sequence of the ids, each once. */
export async function ordersOfIds({ database }: Context, by: SearchedBy, orderIds: readonly number[]): Promise<Hit[]> {
  if (orderIds.length === 0) return [];
  const orders = await findOrders(database, { orderIds }, orderIds.length);
  const byId = new Map(orders.map((order) => [order.id, order]));
  return [...new Set(orderIds)].flatMap((id) => {
    const order = byId.get(id);
    return order ? [orderHit(by, order)] : [];
  });
}

/** The number that the text is, if an id can be so large. */
export function idIn(text: string, maximum: number): number | undefined {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= maximum ? number : undefined;
}

/** The largest value of PostgreSQL's integer. */
export const MAX_INTEGER = 2 ** 31 - 1;
