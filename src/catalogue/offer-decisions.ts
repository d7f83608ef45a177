/** Decisions of operators about offers: to accept a change, and to make an offer the source of an item. */
import {
  findItem,
  findOffer,
  findOfferTerms,
  linkOffer,
  type Item,
  type NamedOffer,
} from '../data/catalogue/offer-links';
import { reportHeldChanges } from '../data/catalogue/offer-review';
import { samePlan, sourceTerms } from '../data/catalogue/present-product-prices';
import { redeemableOf } from '../data/catalogue/redeemable-products';
import type { GuardedValue, GuardPrices } from '../data/prices/stored-confirmed-values';
import { reportHigherCosts } from '../data/catalogue/reported-costs';
import { hasSource, storeSource, type SourceKey, type SourceSettings } from '../data/catalogue/source-settings';
import { adoptTerms, findLinkedOffer, storeJudgements } from '../data/catalogue/supplier-offers';
import type { Database } from '../data/database/database';
import { reasonNotSamePlan, reasonNotToDeliver, reasonNotToServe } from '../domain/prices/fitting-offers';
import { termsOf } from '../domain/prices/source-terms';
import type { OfferAmounts, SupplierOffer } from '../domain/prices/supplier-catalogue';
import type { Family } from '../domain/orders/families';
import { currencyConflict, reasonToStop, sourceTermsOf } from './offer-sync';

/**
 * Adopts the waiting change of the offer in all its sources. Returns it as text. Throws if none waits, or what the guard throws about a cost
 * of them.
 */
export async function acceptChange(database: Database, offerId: number, guard: GuardPrices): Promise<string> {
  const { held, unsellable, supplier, terms } = await findOffer(database, offerId);
  if (unsellable !== null) throw new Error(`Offer ${offerId} cannot be sold: ${unsellable}`);
  if (held === null)
    throw new Error(
      `No change of offer ${offerId} waits. Sell it with: catalogue accept --as-product, or catalogue map`,
    );
  const { family, sku } = terms;
  const costs = await sourceTerms(database, { family, supplier, sku });
  await guard([costs], () => adoptOffer(database, offerId, supplier));
  await reportHigherCosts(database, supplier);
  return held;
}

function adoptOffer(database: Database, offerId: number, supplier: string): Promise<void> {
  return database.transaction(async (transaction) => {
    const offer = await findLinkedOffer(database, offerId, transaction);
    if (!offer) throw new Error(`Offer ${offerId} is no longer a source of an item. Make it one with: catalogue map`);
    const [fault] = offer.sources.flatMap((source) => currencyConflict(offer.terms, source) ?? []);
    if (fault !== undefined) throw new Error(`The change of offer ${offerId} cannot be accepted: ${fault}`);
    const [unfit] = offer.sources.flatMap((source) => reasonToStop(offer.terms, source) ?? []);
    if (unfit !== undefined) throw new Error(`${unfit}. Keep it inactive with: sources set --no-active`);
    const accepted = sourceTermsOf(offer).map((terms) => ({ ...terms, accepted: null }));
    await adoptTerms(database, accepted, 'person', transaction);
    await storeJudgements(database, [{ offerId, held: null, heldCost: null, stopped: [] }], transaction);
    await reportHeldChanges(database, supplier, transaction);
  });
}

/** The item of a mapping. `id`: that of a voucher product, or of a top-up or eSIM variant. */
export interface NamedItem {
  family: Family;
  id: number;
}

/** Makes the offer a source of the item. Returns the id of the source. Throws if it cannot deliver the item, or what the guard throws. */
export async function mapOffer(
  database: Database,
  offerId: number,
  { family, id, priority }: NamedItem & { priority: number },
  guard: GuardPrices,
): Promise<number> {
  const offer = await findOffer(database, offerId);
  const { supplier, terms } = offer;
  const item = await findItem(database, { family, itemId: id, supplier, sku: terms.sku });
  if (!item) throw new Error(`There is no item ${id} of family ${family}. See the items with: products show`);
  const fault = faultOf(offer, family, item);
  if (fault !== undefined) throw new Error(`Offer ${offerId} cannot deliver "${item.name}": ${fault}`);
  const values = await valuesOfSource(database, { family, itemId: id, supplier, sku: terms.sku });
  return guard(values, () => linkOffer(database, { offerId, itemId: id, priority, terms: termsOf(terms) }));
}

/** Why the offer cannot deliver the item; undefined if it can. */
function faultOf(offer: NamedOffer, family: Family, item: Item): string | undefined {
  const { terms, unsellable, isGone } = offer;
  if (unsellable !== null) return unsellable;
  if (isGone) return 'the supplier no longer lists it';
  if (terms.family !== family) return `it is of family ${terms.family}`;
  return contradictionOf(terms, item);
}

/** What the offer says otherwise than the item; undefined if nothing. */
function contradictionOf(terms: SupplierOffer, item: Item): string | undefined {
  if (!terms.plan && terms.currency !== item.currency)
    return `it is in ${terms.currency}, the item in ${item.currency}`;
  return reasonNotToDeliver(terms, item);
}

/**
 * Makes the SKU a source of the item, or changes the source. Returns its id. A new source without amounts serves those of the offer
 * that the supplier lists under the SKU. Throws if that offer contradicts the item or the amounts, except to set the source inactive, or
 * what the guard throws about its cost.
 */
export async function setSource(
  database: Database,
  key: SourceKey,
  settings: SourceSettings,
  guard: GuardPrices,
): Promise<number> {
  return guard(await valuesOfSource(database, key), () => storeChecked(database, key, settings));
}

/** What a change of the source, or a new one, may change. */
async function valuesOfSource(database: Database, key: SourceKey): Promise<GuardedValue[]> {
  const redeemable = await redeemableOf(database, key);
  return [
    await sourceTerms(database, key),
    ...(key.family === 'ESIM' ? [samePlan(database, key)] : []),
    ...(redeemable ? [redeemable] : []),
  ];
}

async function storeChecked(database: Database, key: SourceKey, settings: SourceSettings): Promise<number> {
  const { itemId, supplier, sku } = key;
  const [found, terms] = [await findItem(database, key), await findOfferTerms(database, key)];
  if (!found) throw new Error(`There is no item ${itemId} of this family. See the items with: products show`);
  const { isSamePlan = found.isSamePlan } = settings;
  const item = { ...found, isSamePlan };
  if (settings.isSamePlan === true && Number(item.dataAmountGb ?? NaN) !== 0)
    throw new Error(`"${item.name}" is no unlimited plan: leave --same-plan out`);
  if (settings.active === false) return stored(database, key, settings);
  const amounts = amountsOf(settings);
  const fault = terms
    ? (contradictionOf(terms, item) ?? (amounts && reasonNotToServe(terms, amounts)))
    : reasonNotSamePlan(item);
  if (fault !== undefined) throw new Error(`The offer ${sku} of ${supplier} cannot deliver "${item.name}": ${fault}`);
  if (!terms) return stored(database, key, settings);
  const isListed = amounts !== undefined || (await hasSource(database, key));
  return stored(database, key, isListed ? settings : { ...offeredAmounts(terms), ...settings });
}

async function stored(database: Database, key: SourceKey, settings: SourceSettings): Promise<number> {
  const id = await storeSource(database, key, settings);
  if (id === undefined)
    throw new Error(`There is no item ${key.itemId} of this family. See the items with: products show`);
  return id;
}

/** The amounts in the settings; undefined if they leave the amounts as they are. */
function amountsOf({
  fixed_amounts: fixed,
  min_amount: min,
  max_amount: max,
}: SourceSettings): OfferAmounts | undefined {
  if (fixed) return { fixed };
  return min && max ? { min, max } : undefined;
}

function offeredAmounts(terms: SupplierOffer): SourceSettings {
  const { fixedAmounts, minAmount, maxAmount } = termsOf(terms);
  return { fixed_amounts: fixedAmounts, min_amount: minAmount, max_amount: maxAmount };
}
