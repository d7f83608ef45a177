/** `catalogue sync|review|accept|map`: the offers of suppliers, and operators' decisions about them. */
import { acceptChange, mapOffer } from '../../../catalogue/offer-decisions';
import { sourceTermsOf, syncOffers } from '../../../catalogue/offer-sync';
import { findItem, findOffer, productsOfOffers } from '../../../data/catalogue/offer-links';
import {
  offerStates,
  reviewOffers,
  type ReviewedOffer,
  reviewedOfferColumns,
} from '../../../data/catalogue/offer-review';
import { listItemSources } from '../../../data/catalogue/source-settings';
import { readLinkedOffer } from '../../../data/catalogue/supplier-offers';
import { atomically } from '../../../data/database/acting-person';
import { recordOperation } from '../../../data/audit/audit-entries';
import { changesOf, termsOf } from '../../../domain/prices/source-terms';
import { flag, inTerminal, option, optionalWord, optionOr, word, words, type ArgumentValues } from '../arguments';
import { marginReaders } from '../../../domain/operators/roles';
import type { Context } from '../context';
import { guardPrices, requireForce, requireReason } from '../guarded-prices';
import { choices, count, family, id, nameText, oneOf, reasonText, wholeNumber } from '../kinds';
import { newName } from '../names';
import { everyRole, force, neededReason, operation, type Plain } from '../operation';
import { marginRows } from '../prices/resulting-margins';
import { assertConfigured, rowsOfSuppliers } from '../supplier-named';
import { table } from '../text';
import { tried } from '../tried';
import { acceptedText, marginsOf } from './accepted-prices';
import { makeProducts, type MadeProduct } from './offer-products';
import { acceptPlan, plans } from './plans';
import { valuesOfProducts } from './values-of-products';
import { kindsOf } from '../../../domain/row-columns';

const sync = operation({
  name: 'catalogue sync',
  button: 'Synchronise',
  about: 'Read what suppliers offer, adopt small changes, and withdraw what two lists in a row lack',
  roles: ['catalogue'],
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  arguments: {
    supplier: optionalWord(nameText, 'name; default: all suppliers'),
    acceptGone: flag('withdraw at once what the list of this supplier lacks, however much that is'),
    reason: inTerminal(
      option(reasonText, 'the reason, for the audit log; needed if what is gone is withdrawn at once'),
      'the reason, for the audit log; required with --accept-gone',
    ),
  },
  trial: 'NONE',
  async check(context, { supplier: named, acceptGone, ...known }) {
    assertConfigured(context, named);
    if (!acceptGone) return;
    if (named === undefined) throw new Error('Name the supplier whose list you accept');
    if ('reason' in known) requireReason(context, 'A list that withdraws offers at once');
  },
  async run(context, { supplier: named, acceptGone }) {
    const { database, config } = context;
    const rules = { limitPercent: config.priceChangeLimitPercent, acceptsGone: acceptGone };
    return rowsOfSuppliers(context, named, async (supplier) => {
      const synced = await syncOffers(database, supplier, rules);
      if (!synced) return void context.remark(`Supplier ${supplier.name} lists no catalogue.`);
      const object = `supplier/${supplier.name}`;
      await recordOperation(database, { action: 'catalogue.synced', object, after: synced });
      return { supplier: supplier.name, ...synced };
    });
  },
});

const review = operation({
  name: 'catalogue review',
  about: 'Offers to decide: changed, gone, new, and those that cannot be sold with the reason',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    supplier: option(nameText, 'only those of this supplier'),
    state: inTerminal(
      option(oneOf('state', offerStates), 'only those in this state'),
      `only those in this state ${choices(offerStates)}`,
    ),
    family: option(family, 'only those of this family: vouchers, topups or esim'),
    after: option(id, 'only those behind this one, for the next page'),
    limit: option(count, 'maximum number of offers; default: all'),
  },
  columns: kindsOf(reviewedOfferColumns),
  run: ({ database }, filter) => reviewOffers(database, filter),
  text: (offers, { tableColumns }) => table(offers.map(rowOf), tableColumns),
});

function rowOf({ id: offer, state, supplier, family: ofFamily, sku, terms, reason }: Plain<ReviewedOffer>) {
  const { name, country = '', currency, amounts, cost } = terms;
  const values = 'fixed' in amounts ? amounts.fixed.join(', ') : `${amounts.min} to ${amounts.max}`;
  const price = cost && ('fixed' in cost ? cost.fixed : `${cost.percent} %`);
  return {
    offer,
    state,
    supplier,
    family: ofFamily,
    sku,
    name,
    country,
    amounts: `${values} ${currency}`.trim(),
    cost: cost ? `${price} + ${cost.fee} ${cost.currency}` : '',
    reason: reason ?? '',
  };
}

const compare = operation({
  name: 'catalogue compare',
  about: 'An offer next to its sources: what accepting it changes, and the margins now and then',
  roles: marginReaders,
  effect: 'reads',
  arguments: { offer: inTerminal(word(id, 'the number of the offer'), 'id of catalogue review') },
  async run({ database }, { offer: offerId }) {
    const { supplier, terms, unsellable, held } = await findOffer(database, offerId);
    const [reviewed] = await reviewOffers(database, { offerId });
    const linked = await readLinkedOffer(database, offerId);
    const adopted = linked ? sourceTermsOf(linked) : [];
    const products = await productsOfOffers(database, [offerId]);
    const marginsWith = async (having: typeof adopted) =>
      (
        await Promise.all(products.map((one) => marginRows(database, { ...one, clientId: null, adopted: having })))
      ).flat();
    return {
      offer: offerId,
      state: reviewed?.state ?? null,
      supplier,
      terms,
      reason: held ?? unsellable,
      changes: (linked?.sources ?? []).flatMap((source) =>
        changesOf(source.terms, termsOf(terms)).map(({ what, before, after }) => ({
          source: source.id,
          field: what,
          now: before,
          offered: after,
        })),
      ),
      margins_now: await marginsWith([]),
      margins_offered: await marginsWith(adopted),
    };
  },
  text: ({ offer, state, reason, changes, margins_now: now, margins_offered: offered }) =>
    [
      `Offer ${offer}: ${state ?? 'nothing to decide'}${reason === null ? '' : `: ${reason}`}`,
      table(changes),
      `Margins now\n${table(now)}`,
      `Margins if it is accepted\n${table(offered)}`,
    ].join('\n\n'),
});

const topupTypes = ['GAMING', 'MOBILE', 'UTILITY'] as const;

const acceptArguments = {
  offer: inTerminal(words(id, 'the numbers of the offers'), 'ids of catalogue review'),
  asProduct: flag('make a product with the offer as its source, and show its price and margin'),
  active: inTerminal(
    flag('put the new product on sale, also one that was made before'),
    'with --as-product: put the product on sale, also one that was made before',
  ),
  category: optionOr(newName, 'Gift Cards', 'the category of a gift card'),
  name: option(newName, 'the name of the product; default: that of the offer'),
  type: inTerminal(
    option(oneOf('type', topupTypes), 'of a top-up; default: mobile, or utility for an account number'),
    `of a top-up; default: MOBILE, or UTILITY for an account number ${choices(topupTypes)}`,
  ),
  force: force(),
  reason: neededReason,
};

/** Adopts the changes of the offers, all or none. Returns each change as text. */
function acceptChanges(context: Context, { offer: offers, force: isForced }: ArgumentValues<typeof acceptArguments>) {
  const { database } = context;
  return atomically(database, async () => {
    const accepted: { offer: number; accepted: string }[] = [];
    for (const offer of offers)
      accepted.push({ offer, accepted: await acceptChange(database, offer, guardPrices(context, isForced)) });
    return accepted;
  });
}

/** Makes the products of the offers, all or none. Their first prices are compared with the costs of the offers. */
function makeFrom(
  context: Context,
  { offer: offers, active, category, name, type, force: isForced }: ArgumentValues<typeof acceptArguments>,
): Promise<MadeProduct[]> {
  const { database, suppliers } = context;
  return atomically(database, async () => {
    const product = { active, category, name, type };
    const guard = guardPrices(context, isForced);
    const make = () => makeProducts(database, suppliers(), offers, product);
    const { made, firstPrices } = await guard(await valuesOfProducts(database, offers), make);
    requireForce(isForced, context, firstPrices);
    return made;
  });
}

function madeText({ offer, family: ofFamily, sku, on_sale: isOnSale, ...made }: MadeProduct): string {
  const sale = isOnSale ? 'on sale' : 'not yet on sale';
  const { price, cost, margin_percent: left } = made;
  return `Offer ${offer} becomes a product (${ofFamily}, ${sku}), ${sale}: price ${price ?? 'unknown'}, cost ${cost ?? 'unknown'}, margin ${left === null ? 'unknown' : `${left} %`}.`;
}

const accept = operation({
  name: 'catalogue accept',
  about: 'Adopt a change that waits, or make products from new offers',
  roles: ['catalogue'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: acceptArguments,
  trial: 'PREVIEW',
  async preview(context, values) {
    const { asProduct } = checkedAcceptance(values);
    if (asProduct) return (await tried(context, (trial) => makeFrom(trial, values))).map(madeText).join('\n');
    const accepted = await tried(context, (trial) => acceptChanges(trial, values));
    return accepted.map(({ offer, accepted: change }) => `Offer ${offer}: ${change}.`).join('\n');
  },
  async run(context, values) {
    const { database } = context;
    const { offer: offers, asProduct } = checkedAcceptance(values);
    if (asProduct) return { accepted: await makeFrom(context, values), margins: [] };
    const accepted = await acceptChanges(context, values);
    return { accepted, margins: await marginsOf(database, await productsOfOffers(database, offers)) };
  },
  rows: ({ accepted }) => accepted,
  text: acceptedText,
});

function checkedAcceptance(values: ArgumentValues<typeof acceptArguments>) {
  if (values.active && !values.asProduct) throw new Error('--active needs --as-product');
  return values;
}

const map = operation({
  name: 'catalogue map',
  about: 'Make an offer a source of an existing item',
  roles: ['catalogue'],
  effect: 'changes',
  givesAccess: false,
  approval: 'PRICE',
  arguments: {
    offer: inTerminal(word(id, 'the number of the offer'), 'id of catalogue review'),
    family: word(family, 'vouchers, topups or esim'),
    item: word(id, 'id of the voucher product, or of the variant of a top-up or an eSIM'),
    priority: optionOr(wholeNumber, '0', 'the source with the smallest number is used first'),
    force: force(),
    reason: neededReason,
  },
  async compared({ database }, { offer, family: ofFamily, item: itemId }) {
    const { supplier, terms } = await findOffer(database, offer);
    const item = await findItem(database, { family: ofFamily, itemId, supplier, sku: terms.sku });
    const sources = await listItemSources(database, ofFamily, itemId);
    return {
      of: item?.name ?? `Item ${itemId}`,
      values: { sources: sources.map((one) => `${one.supplier} ${one.sku} (priority ${one.priority})`) },
    };
  },
  async run(context, { offer, family: ofFamily, item, priority, force: isForced }) {
    const guard = guardPrices(context, isForced);
    const source = await mapOffer(context.database, offer, { family: ofFamily, id: item, priority }, guard);
    return `Offer ${offer} is source ${source} of item ${item} (${ofFamily}).`;
  },
});

export const offerOperations = [sync, review, compare, accept, map, plans, acceptPlan];
