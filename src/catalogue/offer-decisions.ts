/** Decisions of operators about offers: to accept a change, and to make an offer the source of an item. */
import { findItem, findOffer, linkOffer, type Item, type NamedOffer } from '../data/catalogue/offer-links';
import { reportHeldChanges } from '../data/catalogue/offer-review';
import { reportHigherCosts } from '../data/catalogue/reported-costs';
import { adoptTerms, findLinkedOffer, storeJudgements } from '../data/catalogue/supplier-offers';
import type { Database } from '../data/database/database';
import { reasonNotToDeliver } from '../domain/prices/offer-checks';
import { termsOf } from '../domain/prices/source-terms';
import type { Family } from '../domain/orders/families';
import { currencyConflict, reasonToStop, sourceTermsOf } from './offer-sync';

/** Adopts the waiting change of the offer in all its sources, whatever its size. Returns it as text. Throws if none waits. */
export async function acceptChange(database: Database, offerId: number): Promise<string> {
  const { held, unsellable, supplier } = await findOffer(database, offerId);
  if (unsellable !== null) throw new Error(`Offer ${offerId} cannot be sold: ${unsellable}`);
  if (held === null)
    throw new Error(
      `No change of offer ${offerId} waits. To sell it, add --as-product or use: catalogue map`,
    );
  const change = await database.transaction(async (transaction) => {
    const offer = await findLinkedOffer(database, offerId, transaction);
    if (!offer) throw new Error(`Offer ${offerId} is the source of no item any more`);
    const [fault] = offer.sources.flatMap((source) => currencyConflict(offer.terms, source) ?? []);
    if (fault !== undefined) throw new Error(`The change of offer ${offerId} cannot be accepted: ${fault}`);
    const [unfit] = offer.sources.flatMap((source) => reasonToStop(offer.terms, source) ?? []);
    if (unfit !== undefined)
      throw new Error(`${unfit}. To decide that it stays inactive, use: sources set --no-active`);
    const accepted = sourceTermsOf(offer).map((terms) => ({ ...terms, accepted: null }));
    await adoptTerms(database, accepted, 'person', transaction);
    await storeJudgements(database, [{ offerId, held: null, heldCost: null, stopped: [] }], transaction);
    await reportHeldChanges(database, supplier, transaction);
    return held;
  });
  await reportHigherCosts(database, supplier);
  return change;
}

/** The item of a mapping. `id`: that of a voucher product, or of a top-up or eSIM variant. */
export interface NamedItem {
  family: Family;
  id: number;
}

/** Makes the offer a source of the item. Returns the id of the source. Throws if it cannot deliver the item. */
export async function mapOffer(
  database: Database,
  offerId: number,
  { family, id }: NamedItem,
  priority: number,
): Promise<number> {
  const offer = await findOffer(database, offerId);
  const item = await findItem(database, family, id);
  if (!item) throw new Error(`There is no item ${id} of family ${family}`);
  const fault = faultOf(offer, family, item);
  if (fault !== undefined) throw new Error(`Offer ${offerId} cannot deliver "${item.name}": ${fault}`);
  return linkOffer(database, { offerId, itemId: id, priority, terms: termsOf(offer.terms) });
}

/** Why the offer cannot deliver the item; undefined if it can. */
function faultOf(offer: NamedOffer, family: Family, item: Item): string | undefined {
  const { terms, unsellable, isGone } = offer;
  if (unsellable !== null) return unsellable;
  if (isGone) return 'the supplier no longer lists it';
  if (terms.family !== family) return `it is of family ${terms.family}`;
  if (!terms.plan && terms.currency !== item.currency)
    return `it is in ${terms.currency}, the item in ${item.currency}`;
  return reasonNotToDeliver(terms, item);
}
