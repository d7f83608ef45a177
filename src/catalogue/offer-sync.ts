/**
 * Stores the offers that suppliers list in their catalogues, and updates the product sources with the same SKUs. Small changes are
 * adopted, and large changes wait for an operator. An offer that two lists in a row lack is withdrawn: its sources become inactive.
 * A source whose offer no longer delivers its item becomes inactive at once.
 */
import { knownCodes, type KnownCodes } from '../data/catalogue/reference';
import { reportHeldChanges } from '../data/catalogue/offer-review';
import { LISTS_TO_WITHDRAW, measureList, withdrawMissing } from '../data/catalogue/missing-offers';
import {
  adoptTerms,
  copyOfferTexts,
  listLinkedOffers,
  storeJudgements,
  storeOffers,
  type AdoptedTerms,
  type LinkedOffer,
} from '../data/catalogue/supplier-offers';
import { databaseTime, type Database, type Transaction } from '../data/database/database';
import { marked } from '../data/database/marked-changes';
import { clearAttention, extendAttention, raiseAttention } from '../data/attention/attention';
import { firstNames } from '../domain/first-names';
import type { HeldCost } from '../domain/orders/source-costs';
import { reasonToDoubt } from '../domain/prices/doubted-lists';
import { reasonNotToDeliver } from '../domain/prices/fitting-offers';
import { reasonNotToSell } from '../domain/prices/sellable-offers';
import {
  changesOf,
  reasonBelowCost,
  reasonToHold,
  termsOf,
  withFirstValues,
  type SourceTerms,
} from '../domain/prices/source-terms';
import { hasTooManyAmounts, MAX_PRICES, withinPriceLimit } from '../domain/prices/supplier-catalogue';
import type { Supplier, SupplierOffer } from '../domain/suppliers/port';
import { withEachSupplier } from '../domain/suppliers/configured-suppliers';
import { callAndRecord } from './supplier-reports';
import { namesOf } from '../domain/records';

/** The maximum number of offers in one transaction. It locks rows until it ends, so a larger one would delay orders. */
const BATCH_SIZE = 200;

/** The rules for adopting changes and for withdrawing missing offers. */
export interface SyncRules {
  /** A change of a source by more than this percentage waits for an operator. */
  limitPercent: number;
  /** Whether an operator confirms that the missing offers are gone. If so, they are withdrawn at once, unless the list is empty. */
  acceptsGone?: boolean;
}

/** The result for one supplier, in numbers of offers. */
export interface SyncedOffers {
  /** Offers in the list. */
  listed: number;
  /** Listed offers that were not stored before. */
  added: number;
  /** Listed offers that differ from the stored ones. */
  changed: number;
  /** Offers whose changes their sources adopted. */
  adopted: number;
  /** Offers whose changes wait for an operator. */
  held: number;
  /** Listed offers that cannot be sold. */
  unsellable: number;
  /** Offers that were withdrawn. */
  gone: number;
  /** Why nothing was withdrawn; null if the list is trusted. */
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
    const synced = await callAndRecord(database, supplier.name, 'catalogue', () =>
      syncOffers(database, supplier, rules),
    );
    if (synced) onSynced(supplier.name, synced);
  });
}

/**
 * Stores the supplier's catalogue page by page. If the supplier's list breaks off, throws an error of `port.ts`: earlier pages stay
 * stored, but no offer is withdrawn. The supplier is on the attention list while changes wait. Returns undefined for a supplier
 * without a catalogue.
 */
export async function syncOffers(
  database: Database,
  supplier: Supplier,
  rules: SyncRules,
): Promise<SyncedOffers | undefined> {
  if (!supplier.catalogue) return undefined;
  const list = {
    supplier: supplier.name,
    listedAt: await databaseTime(database),
    rules,
    codes: await knownCodes(database),
  };
  const synced = { listed: 0, added: 0, changed: 0, adopted: 0, held: 0, unsellable: 0 };
  const counted = namesOf(synced);
  try {
    for await (const page of supplier.catalogue()) {
      for (let at = 0; at < page.length; at += BATCH_SIZE) {
        const stored = await storePart(database, list, page.slice(at, at + BATCH_SIZE));
        for (const name of counted) synced[name] += stored[name];
      }
    }
    await copyOfferTexts(database, supplier.name);
    return { ...synced, ...(await withdrawGone(database, list)) };
  } finally {
    await reportHeldChanges(database, supplier.name);
  }
}

/** Does the work in a transaction that may store offers and adopt their changes, which `judgeOffer` has compared. */
function adopting<Result>(database: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return database.transaction((transaction) =>
    marked(database, ['OFFER', 'COST'], () => work(transaction), transaction),
  );
}

interface ListContext {
  supplier: string;
  /** When the reading of the list began, by the database's clock. */
  listedAt: Date;
  rules: SyncRules;
  codes: KnownCodes;
}

function storePart(database: Database, list: ListContext, listed: readonly SupplierOffer[]) {
  const { supplier, listedAt, rules, codes } = list;
  const part = listed.map(withinPriceLimit);
  const offers = part.map((terms) => ({ terms, unsellable: reasonNotToSell(terms, codes.currencies) }));
  return adopting(database, async (transaction) => {
    const stored = await storeOffers(database, supplier, { offers, listedAt }, transaction);
    const linked = await listLinkedOffers(database, supplier, part, transaction);
    const judged = linked.map((offer) => ({ offer, ...judgeOffer(offer, rules.limitPercent) }));
    const adopted = judged.flatMap(({ offer, held, isChanged }) => (held === null && isChanged ? [offer] : []));
    await adoptTerms(database, adopted.flatMap(sourceTermsOf), 'list', transaction);
    const judgements = judged.map(({ offer, held, stopped }) => ({
      offerId: offer.id,
      held,
      stopped,
      heldCost: held === null ? null : costOf(offer),
    }));
    await storeJudgements(database, judgements, transaction);
    await reportSurplus(database, supplier, listed.filter(hasTooManyAmounts), transaction);
    return {
      ...stored,
      listed: part.length,
      adopted: adopted.length,
      held: judged.filter(({ held }) => held !== null).length,
      unsellable: offers.filter(({ unsellable }) => unsellable !== undefined).length,
    };
  });
}

/** Puts the supplier on the attention list because only the first amounts of the offers are sold. */
async function reportSurplus(
  database: Database,
  supplier: string,
  offers: readonly SupplierOffer[],
  transaction: Transaction,
): Promise<void> {
  if (offers.length === 0) return;
  const named = firstNames(offers.map(({ sku }) => sku), ', '); // prettier-ignore
  const news = `Offers list more than ${MAX_PRICES} amounts, of which only the first ${MAX_PRICES} are sold: ${named}`;
  await extendAttention(database, { supplier }, 'TOO_MANY_PRICES', news, { transaction });
}

/**
 * Compares the offer with its sources. `held`: why its change waits for an operator; null if the change can be adopted. One source
 * that must wait holds back all sources of the offer. `stopped`: the sources whose items the offer cannot deliver.
 */
export function judgeOffer({ terms, sources }: LinkedOffer, limitPercent: number) {
  const after = termsOf(terms);
  const compared = sources.map((source) => {
    const changes = changesOf(source.terms, after);
    const unfit = reasonToStop(terms, source);
    const waits = changes.length > 0 ? reasonToWait(source, after, limitPercent) : undefined;
    const held = unfit ?? currencyConflict(terms, source) ?? waits;
    return { source, changes, unfit, held };
  });
  const held = compared.flatMap((one) => one.held ?? []);
  return {
    isChanged: compared.some(({ changes }) => changes.length > 0),
    held: held.length > 0 ? [...new Set(held)].join('; ') : null,
    stopped: compared.flatMap(({ source, unfit }) => (unfit === undefined ? [] : [source.id])),
  };
}

/** Why the terms wait for an operator, compared with those that a person accepted last. Undefined if the source may adopt them. */
function reasonToWait(
  { terms, accepted, listPrice }: LinkedOffer['sources'][number],
  after: SourceTerms,
  limitPercent: number,
): string | undefined {
  const before = accepted ?? terms;
  return reasonToHold(changesOf(before, after), limitPercent) ?? reasonBelowCost(before, after, listPrice);
}

/**
 * Why the source must not sell: the offer cannot deliver its item. Undefined if it can, and for two sources that need no
 * decision: one that an operator has set to inactive, and the source of a plan's own supplier, because the plan follows the offer.
 */
export function reasonToStop(
  terms: LinkedOffer['terms'],
  { id, itemId, item, isPlanOfOffer, isSetInactive }: LinkedOffer['sources'][number],
): string | undefined {
  if (isPlanOfOffer || isSetInactive) return undefined;
  const fault = reasonNotToDeliver(terms, item);
  return fault && `Source ${id} of item ${itemId} is inactive: ${fault}`;
}

/**
 * Why the source can never adopt the offer's amounts: another currency. Undefined if it can, and if an operator has set it to
 * inactive. A plan sets no amounts.
 */
export function currencyConflict(
  terms: LinkedOffer['terms'],
  source: LinkedOffer['sources'][number],
): string | undefined {
  return source.isSetInactive ? undefined : otherCurrency(terms, source);
}

function otherCurrency(
  { family, currency }: LinkedOffer['terms'],
  { itemCurrency }: LinkedOffer['sources'][number],
): string | undefined {
  if (family === 'ESIM' || itemCurrency === currency) return undefined;
  return `Currency: the item has ${itemCurrency}, the offer ${currency}`;
}

function costOf({ terms }: LinkedOffer): HeldCost {
  const { costPercent, costFixed, fee, costCurrency } = termsOf(terms);
  return { costPercent, costFixed, fee, costCurrency };
}

/** The terms that the sources of the offer get. A source in another currency keeps its own. */
export function sourceTermsOf({ terms, sources }: LinkedOffer): AdoptedTerms[] {
  const adopting = sources.filter((source) => otherCurrency(terms, source) === undefined);
  const after = termsOf(terms);
  return adopting.map(({ id, terms: before, accepted }) => {
    const known = withFirstValues(accepted ?? before, after);
    return { sourceId: id, ...after, accepted: changesOf(known, after).length === 0 ? null : known };
  });
}

/** Withdraws the missing offers. If the list is doubtful, withdraws nothing and puts the supplier on the attention list. */
function withdrawGone(database: Database, { supplier, listedAt, rules }: ListContext) {
  const acceptsGone = rules.acceptsGone === true;
  return adopting(database, async (transaction) => {
    const sizes = await measureList(database, supplier, listedAt, transaction);
    const doubt = reasonToDoubt(sizes);
    const isEmpty = sizes.every(({ listed }) => listed === 0);
    if (doubt !== undefined && (isEmpty || !acceptsGone)) {
      const reason = `${doubt}. Nothing was withdrawn`;
      await raiseAttention(database, { supplier }, 'CATALOGUE_DOUBTED', reason, transaction);
      return { gone: 0, doubted: reason };
    }
    await clearAttention(database, { supplier }, ['CATALOGUE_DOUBTED'], transaction);
    const lists = acceptsGone ? 1 : LISTS_TO_WITHDRAW;
    const gone = await withdrawMissing(database, supplier, { listedAt, lists }, transaction);
    return { gone, doubted: null };
  });
}
