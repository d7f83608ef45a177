/** `search`: whatever one value names, or begins to name. */
import {
  clientsOfWords,
  membersOfAddress,
  ordersOfNumber,
  ordersOfReference,
  productsOfWords,
} from '../../../data/orders/beginnings';
import {
  findClientOfKey,
  findTransactions,
  type NamedClient,
  type NamedTransaction,
} from '../../../data/orders/value-search';
import { findOrders, type FoundOrder, type OperatorOrderFilter } from '../../../data/orders/order-search';
import type { Family } from '../../../domain/orders/families';
import { isAmong, recipientReaders } from '../../../domain/operators/roles';
import { workflowOfPurchase } from '../../../domain/orders/order-ids';
import { flag, inTerminal, InvalidArgument, requiredSecret, type Kind } from '../arguments';
import type { Context } from '../context';
import { everyRole, operation, type Plain } from '../operation';
import { table } from '../text';
import { findOrdersOfCode, hashesOf, noRecipients, recipientText, type SearchedRecipient } from './find';

/** What a value may be. */
type ValueKind =
  | 'order id'
  | 'client reference'
  | 'transaction'
  | 'our reference'
  | "supplier's id"
  | 'e-mail address'
  | 'phone number'
  | 'ICCID'
  | 'voucher code'
  | 'API key'
  | 'client'
  | 'product'
  | 'member'
  | 'operator';

interface Hit {
  by: ValueKind;
  kind: 'order' | 'client' | 'wallet' | 'product' | 'member' | 'operator';
  /** Null for an operator, who has an address only. */
  id: number | null;
  /** The name of the product, or the address of the member or operator. */
  name: string | null;
  /** Of the product. */
  family: Family | null;
  order: FoundOrder | null;
  /** The client itself, or that of the transaction or member. */
  client: NamedClient | null;
  transaction: Omit<NamedTransaction, 'client'> | null;
}

const noHit = { id: null, name: null, family: null, order: null, client: null, transaction: null } as const;

interface Found {
  found: Hit[];
  /** What the role may not search by, and why. */
  not_searched: { by: string; why: string }[];
}

/** The maximum number of hits of one kind. */
const MAX_FOUND = 50;
const MAX_SUGGESTED = 5;

/** A value to search for. `limit`: the maximum number of hits of one kind. */
interface Searched {
  text: string;
  limit: number;
}

/** More than the longest code. */
const MAX_VALUE_CHARACTERS = 4_096;

const value: Kind<string> = {
  placeholder: 'value',
  schema: { type: 'string', maxLength: MAX_VALUE_CHARACTERS },
  read(written) {
    const text = written.trim();
    if (text !== '' && text.length <= MAX_VALUE_CHARACTERS) return text;
    throw new InvalidArgument(`Give a value of at most ${MAX_VALUE_CHARACTERS} characters.`);
  },
};

export const search = operation({
  name: 'search',
  about:
    "What one value names. Found by the beginning, in any case: an order's id or reference, a word of a client's or product's name, the address of a member or operator. Found whole: a transaction, our reference at a supplier or its id, a recipient, a code, an API key",
  roles: everyRole,
  effect: 'reads',
  arguments: {
    value: inTerminal(
      requiredSecret(value, 'the value. Recipients and codes are found whole'),
      'the value, which the command reads from standard input. Recipients and codes are found by their keyed hashes',
    ),
    suggest: flag(`only what is found by its beginning, at most ${MAX_SUGGESTED} of each kind`),
  },
  columns: {
    by: 'text',
    kind: 'text',
    id: 'number',
    name: 'text',
    client: 'text',
    status: 'text',
    transaction: 'number',
  },
  async run(context, { value: text, suggest }): Promise<Found> {
    const begun = [ofOrder, ofReference, ofClient, ofProduct, ofMember, ofOperator];
    const whole = suggest ? [] : [ofTransaction, ofPurchase, ofKey];
    const searched = { text, limit: suggest ? MAX_SUGGESTED : MAX_FOUND };
    const found: Hit[] = [];
    for (const one of [...begun, ...whole]) found.push(...(await one(context, searched)));
    if (suggest) return { found, not_searched: [] };
    if (!isAmong(recipientReaders, context.role))
      return { found, not_searched: [{ by: 'recipients and voucher codes', why: noRecipients }] };
    found.push(...(await ofCustomer(context, text)));
    return { found, not_searched: [] };
  },
  rows: ({ found }) => found.map(rowOf),
  text: (data, { tableColumns }) =>
    [table(data.found.map(rowOf), tableColumns), ...data.not_searched.map(({ why }) => why)].join('\n'),
});

function rowOf({ by, kind, id, name, order, client, transaction }: Plain<Hit>): object {
  const owner = order?.client ?? client?.name ?? null;
  return {
    by,
    kind,
    id,
    name: name ?? order?.product_name ?? null,
    client: owner,
    status: order?.status ?? (kind === 'client' ? client?.status : null) ?? null,
    transaction: transaction?.id ?? null,
  };
}

async function orders({ database }: Context, by: ValueKind, filter: OperatorOrderFilter): Promise<Hit[]> {
  return hitsOf(by, await findOrders(database, filter, MAX_FOUND));
}

function hitsOf(by: ValueKind, found: readonly FoundOrder[]): Hit[] {
  return found.map((order) => ({ ...noHit, by, kind: 'order', id: order.id, order }));
}

/** The number that the text is, if an id can be so large. */
function idIn(text: string, maximum: number): number | undefined {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= maximum ? number : undefined;
}

/** The largest value of PostgreSQL's integer. */
const MAX_INTEGER = 2 ** 31 - 1;

/** The orders in the sequence of the ids. */
async function ordersOfIds(
  { database }: Context,
  by: ValueKind,
  orderIds: readonly number[],
): Promise<Hit[]> {
  if (orderIds.length === 0) return [];
  const found = new Map((await findOrders(database, { orderIds }, MAX_FOUND)).map((one) => [one.id, one]));
  return hitsOf(
    by,
    orderIds.flatMap((id) => found.get(id) ?? []),
  );
}

async function ofOrder(context: Context, { text, limit }: Searched): Promise<Hit[]> {
  const number = idIn(text.replace(/^#/, ''), Number.MAX_SAFE_INTEGER);
  if (number === undefined) return [];
  return ordersOfIds(context, 'order id', await ordersOfNumber(context.database, { number, limit }));
}

async function ofReference(context: Context, searched: Searched): Promise<Hit[]> {
  return ordersOfIds(context, 'client reference', await ordersOfReference(context.database, searched));
}

async function ofTransaction({ database }: Context, { text, limit }: Searched): Promise<Hit[]> {
  const wanted = { id: idIn(text, MAX_INTEGER), reference: text, limit };
  return (await findTransactions(database, wanted)).map(({ client, ...transaction }) => {
    const { order_id: orderId, wallet_id: walletId } = transaction;
    const subject =
      orderId === null
        ? ({ kind: 'wallet', id: walletId } as const)
        : ({ kind: 'order', id: orderId } as const);
    return { ...noHit, by: 'transaction', ...subject, client, transaction };
  });
}

function ofPurchase(context: Context, { text }: Searched): Promise<Hit[]> {
  const by = workflowOfPurchase(text) === undefined ? "supplier's id" : 'our reference';
  return orders(context, by, { supplierOrder: text });
}

function clientHits(by: ValueKind, found: readonly NamedClient[]): Hit[] {
  return found.map((client) => ({ ...noHit, by, kind: 'client', id: client.id, client }));
}

async function ofKey({ database }: Context, { text }: Searched): Promise<Hit[]> {
  return clientHits('API key', await findClientOfKey(database, text));
}

async function ofClient({ database }: Context, searched: Searched): Promise<Hit[]> {
  return clientHits('client', await clientsOfWords(database, searched));
}

async function ofProduct({ database }: Context, searched: Searched): Promise<Hit[]> {
  const found = await productsOfWords(database, searched);
  return found.map((product) => ({ ...noHit, by: 'product', kind: 'product', ...product }));
}

async function ofMember({ database }: Context, searched: Searched): Promise<Hit[]> {
  const found = await membersOfAddress(database, searched);
  return found.map(({ id, email, client }) => ({
    ...noHit,
    by: 'member',
    kind: 'member',
    id,
    name: email,
    client,
  }));
}

/** Nothing for a role that does not see who may sign in. */
async function ofOperator(context: Context, { text, limit }: Searched): Promise<Hit[]> {
  if (!context.operationNamed('people list')?.isAllowed) return [];
  const found = await context.people().listed({ search: text });
  return found
    .filter(({ email }) => email.toLowerCase().startsWith(text.toLowerCase()))
    .slice(0, limit)
    .map(({ email }) => ({ ...noHit, by: 'operator', kind: 'operator', name: email }));
}

const nameOfRecipient = {
  email: 'e-mail address',
  phone: 'phone number',
  iccid: 'ICCID',
} as const satisfies Record<SearchedRecipient['kind'], ValueKind>;

/** Finds what only customers know, by keyed hashes. */
async function ofCustomer(context: Context, text: string): Promise<Hit[]> {
  const codes = hitsOf('voucher code', await findOrdersOfCode(context, text, {}, MAX_FOUND));
  const recipient = recipientIn(text);
  if (!recipient) return codes;
  const { kind, text: normalised } = recipient;
  const hashes = await hashesOf(context, normalised);
  return [...(await orders(context, nameOfRecipient[kind], { recipient: { kind, hashes } })), ...codes];
}

function recipientIn(text: string): SearchedRecipient | undefined {
  try {
    return recipientText.read(text);
  } catch (error) {
    if (error instanceof InvalidArgument) return undefined;
    throw error;
  }
}
