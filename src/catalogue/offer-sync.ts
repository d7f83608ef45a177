/**
 * Updates the offers of suppliers from their catalogues, and the sources that have their SKUs: small changes are adopted, large
 * ones wait for an operator, and an offer that is missing from two lists in a row is withdrawn.
 */
import { knownCodes, type KnownCodes } from '../data/catalogue/reference';
import { measureList, withdrawMissing } from '../data/catalogue/missing-offers';
import {
  adoptTerms,
  followTexts,
  listLinkedOffers,
  storeJudgements,
  storeOffers,
  type LinkedOffer,
} from '../data/catalogue/supplier-offers';
import { oneRow, type Database } from '../data/database/database';
import { clearAttention, raiseAttention } from '../data/operations/attention';
import { reasonNotToSell, reasonToDoubt } from '../domain/prices/offer-checks';
import { changesOf, reasonToHold, termsOf } from '../domain/prices/source-terms';
import type { Supplier, SupplierOffer } from '../suppliers/port';
import { withEachSupplier } from '../suppliers/registry';
import { recorded } from './recorded-call';

/** Offers that one transaction stores, so that no order waits long for a row. */
const BATCH = 200;
/** The number of lists in a row from which an offer must be missing before it is withdrawn. */
const LISTS = 2;

/** How offers are compared. */
export interface SyncRules {
  /** A larger change of a source waits for an operator. */
  limitPercent: number;
  /** An operator has seen that the missing offers are gone: they are withdrawn at once. */
  acceptsGone?: boolean;
}

/** The result for one supplier. `doubted`: why nothing was withdrawn; null if the list is trusted. */
export interface SyncedOffers {
  listed: number;
  added: number;
  changed: number;
  adopted: number;
  held: number;
  unsellable: number;
  gone: number;
  doubted: string | null;
}

/** Reads the catalogue of every supplier that has one. The failure of one does not stop the others; it is thrown at the end. */
export function syncAllOffers(
  database: Database,
  suppliers: ReadonlyMap<string, Supplier>,
  rules: SyncRules,
  onSynced: (supplier: string, synced: SyncedOffers) => void,
): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    const synced = await recorded(database, supplier.name, 'catalogue', () =>
      syncOffers(database, supplier, rules),
    );
    if (synced) onSynced(supplier.name, synced);
  });
}

/**
 * Stores the supplier's catalogue page by page. If the list breaks off, throws the port's errors; the pages before that only add
 * and change offers. Undefined for a supplier without a catalogue.
 */
export async function syncOffers(
  database: Database,
  supplier: Supplier,
  rules: SyncRules,
): Promise<SyncedOffers | undefined> {
  if (!supplier.catalogue) return undefined;
  const list = {
    supplier: supplier.name,
    listedAt: await now(database),
    rules,
    codes: await knownCodes(database),
  };
  const synced = { listed: 0, added: 0, changed: 0, adopted: 0, held: 0, unsellable: 0 };
  for await (const page of supplier.catalogue()) {
    for (let at = 0; at < page.length; at += BATCH) {
      const stored = await storePart(database, list, page.slice(at, at + BATCH));
      for (const [name, count] of Object.entries(stored)) synced[name as keyof typeof synced] += count;
    }
  }
  await followTexts(database, supplier.name);
  return { ...synced, ...(await withdrawGone(database, list)) };
}

interface List {
  supplier: string;
  /** When the reading of the list began, by the database's clock. */
  listedAt: Date;
  rules: SyncRules;
  codes: KnownCodes;
}

async function now(database: Database): Promise<Date> {
  return (await oneRow<{ now: Date }>(database, 'SELECT clock_timestamp() AS now')).now;
}

function storePart(database: Database, list: List, part: readonly SupplierOffer[]) {
  const { supplier, listedAt, rules, codes } = list;
  const offers = part.map((terms) => ({ terms, unsellable: reasonNotToSell(terms, codes.currencies) }));
  return database.transaction(async (transaction) => {
    const stored = await storeOffers(database, supplier, { offers, listedAt }, transaction);
    const linked = await listLinkedOffers(database, supplier, part, transaction);
    const judged = linked.map((offer) => ({ offer, ...judge(offer, rules.limitPercent) }));
    const adopted = judged.flatMap(({ offer, held, isChanged }) =>
      held === null && isChanged ? [offer] : [],
    );
    await adoptTerms(database, adopted.flatMap(adoptedBy), transaction);
    const judgements = judged.map(({ offer, held }) => ({ offerId: offer.id, held }));
    await storeJudgements(database, judgements, transaction);
    return {
      ...stored,
      listed: part.length,
      adopted: adopted.length,
      held: judged.filter(({ held }) => held !== null).length,
      unsellable: offers.filter(({ unsellable }) => unsellable !== undefined).length,
    };
  });
}

/** Compares the offer with its sources. One source that must not change holds the change of all. */
export function judge({ terms, sources }: LinkedOffer, limitPercent: number) {
  const after = termsOf(terms);
  const compared = sources.map((source) => {
    const changes = changesOf(source.terms, after);
    return { changes, held: otherCurrency(terms, source) ?? reasonToHold(changes, limitPercent) };
  });
  const held = compared.flatMap((one) => one.held ?? []);
  return {
    isChanged: compared.some(({ changes }) => changes.length > 0),
    held: held.length > 0 ? [...new Set(held)].join('; ') : null,
  };
}

/**
 * Why the source can never have the terms: another currency would sell another value under the same number. Undefined if it can.
 */
export function otherCurrency(
  { family, currency }: LinkedOffer['terms'],
  { itemCurrency }: LinkedOffer['sources'][number],
): string | undefined {
  if (family === 'ESIM' || itemCurrency === currency) return undefined;
  return `Currency: the item has ${itemCurrency}, the offer ${currency}`;
}

/** The terms of the offer for each of its sources. */
export function adoptedBy({ terms, sources }: LinkedOffer) {
  return sources.map(({ id }) => ({ sourceId: id, ...termsOf(terms) }));
}

/** Withdraws the missing offers, unless the list is doubted. A doubted list puts its supplier on the attention list. */
function withdrawGone(database: Database, { supplier, listedAt, rules }: List) {
  const acceptsGone = rules.acceptsGone === true;
  return database.transaction(async (transaction) => {
    const size = await measureList(database, supplier, listedAt, transaction);
    const doubt = reasonToDoubt(size);
    if (doubt !== undefined && !(acceptsGone && size.listed > 0)) {
      const reason = `${doubt}. Nothing was withdrawn`;
      await raiseAttention(database, { supplier }, 'CATALOGUE_DOUBTED', reason, transaction);
      return { gone: 0, doubted: reason };
    }
    await clearAttention(database, { supplier }, ['CATALOGUE_DOUBTED'], transaction);
    const lists = acceptsGone ? 1 : LISTS;
    const gone = await withdrawMissing(database, supplier, { listedAt, lists }, transaction);
    return { gone, doubted: null };
  });
}
