/** What `search` finds by a whole value only. */
import {
  findClientOfKey,
  findNamedEvent,
  findFundings,
  findRefunds,
  findRequests,
  findTransactions,
  type NamedRefund,
} from '../../../data/orders/value-search';
import { workflowOfPurchase } from '../../../domain/orders/order-ids';
import { InvalidArgument } from '../arguments';
import type { Context } from '../context';
import { cardsOfCode } from './card';
import { recipientText, type SearchedRecipient } from './find';
import { hashesOf } from './hashed-values';
import {
  clientHits,
  idIn,
  MAX_INTEGER,
  noHit,
  orderHit,
  ordersBy,
  ordersOfIds,
  type Finder,
  type Hit,
  type Searched,
  type SearchedBy,
} from './hits';

async function ofTransaction({ database }: Context, { text, limit }: Searched): Promise<Hit[]> {
  const wanted = { id: idIn(text, MAX_INTEGER), reference: text, limit };
  return (await findTransactions(database, wanted)).map(({ client, ...transaction }) => {
    const { order_id: orderId, wallet_id: walletId } = transaction;
    const subject =
      orderId === null ? ({ kind: 'wallet', id: walletId } as const) : ({ kind: 'order', id: orderId } as const);
    return { ...noHit, by: 'transaction', ...subject, client, transaction };
  });
}

async function ofFunding({ database }: Context, { text }: Searched): Promise<Hit[]> {
  return (await findFundings(database, text)).map(({ id, wallet_id: walletId, client }) => ({
    ...noHit,
    by: 'funding request',
    kind: 'wallet',
    id: walletId,
    name: `funding request ${id}`,
    client,
  }));
}

/** The refund that the text names as its ledger entry does, `order-17-r2`, or as pages do, `refund 2 of order 17`. */
function refundNamed(text: string): NamedRefund | undefined {
  const [, entryOrder, entryNumber] = /^order-([0-9]{1,15})-r([0-9]{1,9})$/i.exec(text) ?? [];
  const [, number = entryNumber, order = entryOrder] = /^refund ([0-9]{1,9}) of order ([0-9]{1,15})$/i.exec(text) ?? [];
  return order === undefined ? undefined : { order_id: Number(order), number: Number(number) };
}

/** Refunds by the reference of their operator, or by their number. */
async function ofRefund(context: Context, { text, limit }: Searched): Promise<Hit[]> {
  const refunds = await findRefunds(context.database, { named: refundNamed(text), reference: text, limit });
  const numberOf = new Map(refunds.map((refund) => [refund.order_id, refund.number]));
  const hits = await ordersOfIds(context, 'refund', [...numberOf.keys()]);
  return hits.map((hit) => ({ ...hit, name: `refund ${numberOf.get(hit.id ?? 0)}` }));
}

/** The order of a workflow, such as `order-17-<nonce>` or `esim-17-<nonce>`. */
async function ofWorkflow(context: Context, { text }: Searched): Promise<Hit[]> {
  const [, id] = /^(?:order|esim)-([0-9]{1,15})-(?!r[0-9]+$)[0-9a-z]+$/.exec(text) ?? [];
  return id === undefined ? [] : ordersOfIds(context, 'order id', [Number(id)]);
}

/** A request that placed no order is found with its client. */
async function ofRequest(context: Context, { text, limit }: Searched): Promise<Hit[]> {
  const requests = await findRequests(context.database, { requestId: text, limit });
  const placed = await ordersOfIds(
    context,
    'request id',
    requests.map(({ order_id: orderId }) => orderId),
  );
  const orderIds = placed.map(({ id }) => id);
  const others = requests.filter(({ order_id: orderId }) => !orderIds.includes(orderId));
  return [
    ...placed,
    ...others.map(({ client, state }): Hit => ({
      ...noHit,
      by: 'request id',
      kind: 'client',
      id: client.id,
      name: `order request, ${state.toLowerCase()}`,
      client,
    })),
  ];
}

/** The order of an event, or its client if it is about no order. */
async function ofEvent(context: Context, { text }: Searched): Promise<Hit[]> {
  const event = text.startsWith('evt_') && (await findNamedEvent(context.database, text));
  if (!event) return [];
  const { type, order_id: orderId, client } = event;
  const name = `event ${type}`;
  if (orderId === null) return [{ ...noHit, by: 'event id', kind: 'client', id: client.id, name, client }];
  return (await ordersOfIds(context, 'event id', [orderId])).map((hit) => ({ ...hit, name }));
}

function ofPurchase(context: Context, { text, limit }: Searched): Promise<Hit[]> {
  const by = workflowOfPurchase(text) === undefined ? "supplier's id" : 'our reference';
  return ordersBy(context, by, { supplierOrder: text }, limit);
}

async function ofKey({ database }: Context, { text }: Searched): Promise<Hit[]> {
  return clientHits('API key', await findClientOfKey(database, text));
}

export const ofWhole: readonly Finder[] = [
  ofTransaction,
  ofFunding,
  ofRefund,
  ofWorkflow,
  ofRequest,
  ofEvent,
  ofPurchase,
  ofKey,
];

const nameOfRecipient = { email: 'e-mail address', phone: 'phone number', iccid: 'ICCID' } as const satisfies Record<
  SearchedRecipient['kind'],
  SearchedBy
>;

/** Finds what only customers know, by keyed hashes. A code names its card. */
export async function ofCustomer(context: Context, { text, limit }: Searched): Promise<Hit[]> {
  const codes = (await cardsOfCode(context, text)).map(({ order, unit, state }) => ({
    ...orderHit('voucher code', order),
    unit,
    state,
  }));
  const recipient = recipientIn(text);
  if (!recipient) return codes;
  const { kind, text: normalised } = recipient;
  const hashes = await hashesOf(context, normalised);
  return [...(await ordersBy(context, nameOfRecipient[kind], { recipient: { kind, hashes } }, limit)), ...codes];
}

function recipientIn(text: string): SearchedRecipient | undefined {
  try {
    return recipientText.read(text);
  } catch (error) {
    if (error instanceof InvalidArgument) return undefined;
    throw error;
  }
}
