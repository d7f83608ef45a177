/** `catalogue sync|review|accept|map`: the offers of suppliers, and operators' decisions about them. */
import { Option, type Command } from 'commander';
import { acceptChange, mapOffer } from '../../catalogue/offer-decisions';
import { syncOffers } from '../../catalogue/offer-sync';
import { productsOfOffers, productsOfPlans, type NamedProduct } from '../../data/catalogue/offer-links';
import type { Database } from '../../data/database/database';
import {
  offerStates,
  reviewOffers,
  type OfferState,
  type ReviewedOffer,
} from '../../data/catalogue/offer-review';
import { acceptPlanPrice, listHeldPrices } from '../../data/catalogue/plan-prices';
import { recordOperation } from '../../data/operations/audit';
import type { Family } from '../../domain/orders/families';
import { withEachSupplier } from '../../suppliers/registry';
import * as read from '../arguments';
import { reasoned, requireReason } from '../confirmation';
import { makeProducts, type ProductOptions } from '../offer-products';
import { show, table, wantsJson } from '../output';
import { marginsText } from '../resulting-margins';
import { onDatabase } from '../session';
import { suppliersNamed, suppliersOf } from '../suppliers';

export function addOfferCommands(catalogue: Command): void {
  addSync(catalogue);
  addReview(catalogue);
  addAccept(catalogue);
  addMap(catalogue);
  addPlans(catalogue);
}

function addSync(catalogue: Command): void {
  catalogue
    .command('sync')
    .description('Read what suppliers offer, adopt small changes, and withdraw what two lists in a row lack')
    .argument('[supplier]', 'name; default: all suppliers')
    .option('--accept-gone', 'withdraw at once what the list of this supplier lacks, however much that is')
    .option('--reason <text>', 'the reason, for the audit log; required with --accept-gone', read.reason)
    .action(
      onDatabase(
        async (
          { database, config, command },
          name: string | undefined,
          { acceptGone = false }: { acceptGone?: boolean },
        ) => {
          if (acceptGone && name === undefined) throw new Error('Name the supplier whose list you accept');
          if (acceptGone) requireReason(command, 'A list that withdraws offers at once');
          const rules = { limitPercent: config.priceChangeLimitPercent, acceptsGone: acceptGone };
          await withEachSupplier(suppliersNamed({ database, config }, name), async (supplier) => {
            const synced = await syncOffers(database, supplier, rules);
            if (!synced) return console.error(`Supplier ${supplier.name} lists no catalogue.`);
            const object = `supplier/${supplier.name}`;
            await recordOperation(database, { action: 'catalogue.synced', object, after: synced });
            show(command, [{ supplier: supplier.name, ...synced }]);
          });
        },
      ),
    );
}

function addReview(catalogue: Command): void {
  catalogue
    .command('review')
    .description('Offers to decide: changed, gone, new, and those that cannot be sold with the reason')
    .option('--supplier <name>', 'only those of this supplier')
    .addOption(new Option('--state <state>', 'only those in this state').choices(offerStates))
    .action(
      onDatabase(
        async ({ database, command }, { supplier, state }: { supplier?: string; state?: OfferState }) => {
          const offers = await reviewOffers(database, { supplier, state });
          return wantsJson(command) ? offers : offers.map(rowOf);
        },
      ),
    );
}

function rowOf({ id, state, supplier, family, sku, terms, reason }: ReviewedOffer): object {
  const { name, country = '', currency, amounts, cost } = terms;
  const values = 'fixed' in amounts ? amounts.fixed.join(', ') : `${amounts.min} to ${amounts.max}`;
  const price = cost && ('fixed' in cost ? cost.fixed : `${cost.percent} %`);
  return {
    ...{ offer: id, state, supplier, family, sku, name, country },
    amounts: `${values} ${currency}`.trim(),
    cost: cost ? `${price} + ${cost.fee} ${cost.currency}` : '',
    reason: reason ?? '',
  };
}

/** Adds an id to the ids of earlier arguments. */
const addId = (text: string, earlier: number[] = []): number[] => [...earlier, read.positiveInteger(text)];

type AcceptOptions = Omit<ProductOptions, 'active'> & { asProduct?: boolean; active?: boolean };

function addAccept(catalogue: Command): void {
  reasoned(catalogue.command('accept'))
    .description('Adopt a change that waits, or make products from new offers')
    .argument('<offer...>', 'ids of catalogue review', addId)
    .option('--as-product', 'make a product with the offer as its source, and show its price and margin')
    .option('--active', 'with --as-product: put the product on sale, also one that was made before')
    .option('--category <name>', 'the category of a gift card', 'Gift Cards')
    .option('--name <name>', 'the name of the product; default: that of the offer')
    .addOption(
      new Option('--type <type>', 'of a top-up; default: MOBILE, or UTILITY for an account number').choices([
        ...['GAMING', 'MOBILE', 'UTILITY'],
      ]),
    )
    .action(
      onDatabase(
        async (
          { database, config, command },
          offers: number[],
          { asProduct, active = false, ...options }: AcceptOptions,
        ) => {
          if (active && !asProduct) throw new Error('--active needs --as-product');
          if (asProduct)
            return makeProducts(database, suppliersOf({ database, config }), offers, { ...options, active });
          const accepted: object[] = [];
          for (const offer of offers) accepted.push({ offer, accepted: await acceptChange(database, offer) });
          return withMargins(database, command, accepted, await productsOfOffers(database, offers));
        },
      ),
    );
}

/** The accepted changes and, for people, the margins that result. With `--json`, only the changes. */
async function withMargins(
  database: Database,
  command: Command,
  accepted: readonly object[],
  products: readonly NamedProduct[],
): Promise<readonly object[] | string> {
  if (wantsJson(command)) return accepted;
  const texts = [table(accepted)];
  for (const product of products) texts.push(await marginsText(database, { ...product, clientId: null }));
  return texts.join('\n');
}

function addPlans(catalogue: Command): void {
  catalogue
    .command('plans')
    .description(
      "List prices of eSIM plans that wait for a decision, because they changed much or are below the plan's cost",
    )
    .option('--supplier <name>', 'only those of this supplier')
    .action(
      onDatabase(({ database }, { supplier }: { supplier?: string }) => listHeldPrices(database, supplier)),
    );
  reasoned(catalogue.command('accept-plan'))
    .description('Put waiting list prices of eSIM plans on sale')
    .argument('<variant...>', 'ids of catalogue plans', addId)
    .action(
      onDatabase(async ({ database, command }, variants: number[]) => {
        const accepted: object[] = [];
        for (const variant of variants)
          accepted.push({ variant, accepted: await acceptPlanPrice(database, variant) });
        return withMargins(database, command, accepted, await productsOfPlans(database, variants));
      }),
    );
}

function addMap(catalogue: Command): void {
  reasoned(catalogue.command('map'))
    .description('Make an offer a source of an existing item')
    .argument('<offer>', 'id of catalogue review', read.positiveInteger)
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .argument(
      '<item>',
      'id of the voucher product, or of the variant of a top-up or an eSIM',
      read.positiveInteger,
    )
    .option('--priority <n>', 'the source with the smallest number is used first', read.positiveInteger, 0)
    .action(
      onDatabase(
        async (
          { database },
          offer: number,
          family: Family,
          id: number,
          { priority }: { priority: number },
        ) => {
          const source = await mapOffer(database, offer, { family, id }, priority);
          return `Offer ${offer} is source ${source} of item ${id} (${family}).`;
        },
      ),
    );
}
