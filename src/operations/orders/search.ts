/** `search`: whatever one value names. */
import {
  findClientByName,
  findClientOfKey,
  findTransactions,
  type NamedClient,
  type NamedTransaction,
} from '../../data/orders/value-search';
import { findOrders, type FoundOrder, type OperatorOrderFilter } from '../../data/orders/order-search';
import { isAmong, recipientReaders } from '../../domain/operators/roles';
import { workflowOfPurchase } from '../../domain/orders/order-ids';
import { InvalidArgument, requiredSecret, type Kind } from '../arguments';
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
  | 'client';

interface Hit {
  by: ValueKind;
  kind: 'order' | 'client' | 'wallet';
  /** Of the order, the client or the wallet. */
  id: number;
  order: FoundOrder | null;
  /** Of the client, or of the transaction. */
  client: NamedClient | null;
  transaction: Omit<NamedTransaction, 'client'> | null;
}

interface Found {
  found: Hit[];
  /** What the role may not search by, and why. */
  not_searched: { by: string; why: string }[];
}

/** The maximum number of orders that a value finds as one kind. */
const MAX_FOUND = 50;

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
    "What one value names: an order's id or reference, a transaction, our reference at a supplier or its id, a recipient, a code, an API key or a client",
  roles: everyRole,
  effect: 'reads',
  arguments: {
    value: requiredSecret(
      value,
      'the value, which the command reads from standard input. Recipients and codes are found by their keyed hashes',
    ),
  },
  columns: { by: 'text', kind: 'text', id: 'number', client: 'text', status: 'text', transaction: 'number' },
  async run(context, { value: text }): Promise<Found> {
    const searches = [ofOrder, ofReference, ofTransaction, ofPurchase, ofClient];
    const found: Hit[] = [];
    for (const one of searches) found.push(...(await one(context, text)));
    if (!isAmong(recipientReaders, context.role))
      return { found, not_searched: [{ by: 'recipients and voucher codes', why: noRecipients }] };
    found.push(...(await ofCustomer(context, text)));
    return { found, not_searched: [] };
  },
  rows: ({ found }) => found.map(rowOf),
  text: (data) => [table(data.found.map(rowOf)), ...data.not_searched.map(({ why }) => why)].join('\n'),
});

function rowOf({ by, kind, id, order, client, transaction }: Plain<Hit>): object {
  const owner = order?.client ?? client?.name ?? null;
  return {
    by,
    kind,
    id,
    client: owner,
    status: order?.status ?? (kind === 'client' ? client?.status : null) ?? null,
    transaction: transaction?.id ?? null,
  };
}

async function orders({ database }: Context, by: ValueKind, filter: OperatorOrderFilter): Promise<Hit[]> {
  return hitsOf(by, await findOrders(database, filter, MAX_FOUND));
}

function hitsOf(by: ValueKind, found: readonly FoundOrder[]): Hit[] {
  return found.map((order) => ({ by, kind: 'order', id: order.id, order, client: null, transaction: null }));
}

/** The number that the text is, if an id can be so large. */
function idIn(text: string, maximum: number): number | undefined {
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  return number > 0 && number <= maximum ? number : undefined;
}

/** The largest value of PostgreSQL's integer. */
const MAX_INTEGER = 2 ** 31 - 1;

async function ofOrder(context: Context, text: string): Promise<Hit[]> {
  const orderId = idIn(text, Number.MAX_SAFE_INTEGER);
  return orderId === undefined ? [] : orders(context, 'order id', { orderId });
}

function ofReference(context: Context, text: string): Promise<Hit[]> {
  return orders(context, 'client reference', { clientReference: text });
}

async function ofTransaction({ database }: Context, text: string): Promise<Hit[]> {
  const wanted = { id: idIn(text, MAX_INTEGER), reference: text, limit: MAX_FOUND };
  return (await findTransactions(database, wanted)).map(({ client, ...transaction }) => {
    const { order_id: orderId, wallet_id: walletId } = transaction;
    const subject =
      orderId === null
        ? ({ kind: 'wallet', id: walletId } as const)
        : ({ kind: 'order', id: orderId } as const);
    return { by: 'transaction', ...subject, order: null, client, transaction };
  });
}

function ofPurchase(context: Context, text: string): Promise<Hit[]> {
  const by = workflowOfPurchase(text) === undefined ? "supplier's id" : 'our reference';
  return orders(context, by, { supplierOrder: text });
}

async function ofClient({ database }: Context, text: string): Promise<Hit[]> {
  const hit = (by: ValueKind) => (client: NamedClient) =>
    ({ by, kind: 'client', id: client.id, order: null, client, transaction: null }) as const;
  const byKey = await findClientOfKey(database, text);
  return [...byKey.map(hit('API key')), ...(await findClientByName(database, text)).map(hit('client'))];
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
