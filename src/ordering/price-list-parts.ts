/** Reads the parts of price lists from a snapshot. */
import { listedPrices, type Chunk, type ListedPrice } from '../data/catalogue/listed-prices';
import type { Client } from '../data/clients/clients';
import type { Database, Transaction } from '../data/database/database';
import { listPaymentTerms, type PaidProducts, type PaymentTerms } from '../data/wallets/paying-wallet';
import type { Family } from '../domain/orders/families';
import type { TermsByCurrency } from './priced-products';

/** What a price list depends on besides its page. */
export interface PriceListScope {
  client: Pick<Client, 'id'>;
  families: readonly Family[];
  /** The wallet that the client named, if any. */
  walletId: number | undefined;
  /** Only products whose name contains the text. */
  search?: string | undefined;
}

/** A part of a list as it is in a snapshot: some rows of a chunk. */
export interface PagePart {
  family: Family;
  hasFloor: boolean;
  chunk: Chunk;
  offset: number;
  count: number;
}

/** A part with all prices of its chunk, and how their products are paid. */
export interface ReadPagePart extends PagePart {
  prices: readonly ListedPrice[];
  terms: TermsByCurrency;
}

/** The parts with the prices of their chunks. The terms of all of them are read at once. */
export async function readParts(
  database: Database,
  { client, walletId, search }: PriceListScope,
  parts: readonly PagePart[],
  snapshot: Transaction,
): Promise<ReadPagePart[]> {
  const read: (ReadPagePart & { terms: Map<string, PaymentTerms> })[] = [];
  for (const part of parts) {
    const { family, chunk } = part;
    const listed = { clientId: client.id, family, search };
    const prices = await listedPrices(database, listed, chunk, snapshot);
    read.push({ ...part, prices, terms: new Map() });
  }
  const paid = new Map<string, PaidProducts>();
  for (const { family, prices } of read)
    for (const { currencyCode: productCurrency } of prices)
      paid.set(`${family}/${productCurrency}`, { family, productCurrency });
  const payment = { clientId: client.id, walletId };
  const found = paid.size === 0 ? [] : await listPaymentTerms(database, payment, [...paid.values()], snapshot);
  for (const { family, terms } of read)
    for (const one of found) if (one.family === family) terms.set(one.productCurrency, one);
  return read;
}
