/** What `search` finds by the beginning of a value, while a person types it. */
import {
  clientsOfWords,
  membersOfAddress,
  ordersOfNumber,
  ordersOfReference,
  productsOfWords,
} from '../../../data/orders/beginnings';
import { findNumbered, findNumberedProducts } from '../../../data/orders/value-search';
import { orderNumberIn } from '../../../domain/orders/order-ids';
import type { Context } from '../context';
import { configuredNames } from '../supplier-named';
import { clientHits, idIn, MAX_INTEGER, noHit, ordersOfIds, type Finder, type Hit, type Searched } from './hits';

async function ofOrder(context: Context, { text, limit }: Searched): Promise<Hit[]> {
  const number = idIn(orderNumberIn(text), Number.MAX_SAFE_INTEGER);
  if (number === undefined) return [];
  return ordersOfIds(context, 'order id', await ordersOfNumber(context.database, { number, limit }));
}

const numbered = /^(?:(client|wallet|claim|endpoint|product|variant)[ -])?([0-9]+)$/i;

/** What has exactly this number: `17`, or `claim-17` as the reference of its refund. */
async function ofNumber({ database }: Context, { text }: Searched): Promise<Hit[]> {
  const [, named, digits = ''] = numbered.exec(text) ?? [];
  const number = idIn(digits, MAX_INTEGER);
  if (number === undefined) return [];
  const isWanted = ({ kind }: { kind: string }) => named === undefined || kind === named.toLowerCase();
  const found = await findNumbered(database, number);
  const products = await findNumberedProducts(database, number);
  return [
    ...found.filter(isWanted).map((one): Hit => ({ ...noHit, by: 'number', id: number, ...one })),
    ...products.filter(isWanted).map((one): Hit => ({ ...noHit, by: 'number', ...one, kind: 'product' })),
  ];
}

async function ofReference(context: Context, searched: Searched): Promise<Hit[]> {
  return ordersOfIds(context, 'client reference', await ordersOfReference(context.database, searched));
}

async function ofClient({ database }: Context, searched: Searched): Promise<Hit[]> {
  return clientHits('client', await clientsOfWords(database, searched));
}

function ofSupplier({ config }: Context, { text, limit }: Searched): Promise<Hit[]> {
  const found = configuredNames(config).filter((name) => name.toLowerCase().startsWith(text.toLowerCase()));
  return Promise.resolve(found.slice(0, limit).map((name) => ({ ...noHit, by: 'supplier', kind: 'supplier', name })));
}

async function ofProduct({ database }: Context, searched: Searched): Promise<Hit[]> {
  const found = await productsOfWords(database, searched);
  return found.map((product) => ({ ...noHit, by: 'product', kind: 'product', ...product }));
}

async function ofMember({ database }: Context, searched: Searched): Promise<Hit[]> {
  const found = await membersOfAddress(database, searched);
  return found.map(({ id, email, client }) => ({ ...noHit, by: 'member', kind: 'member', id, name: email, client }));
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

export const ofBeginning: readonly Finder[] = [
  ofOrder,
  ofNumber,
  ofReference,
  ofClient,
  ofSupplier,
  ofProduct,
  ofMember,
  ofOperator,
];
