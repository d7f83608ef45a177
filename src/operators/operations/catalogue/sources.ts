/** `sources` and `routes`: which suppliers can deliver an item, and which ones an order would use. */
import { setSource } from '../../../catalogue/offer-decisions';
import { listSources, readSourceFields, type SourceSettings } from '../../../data/catalogue/source-settings';
import { listedSourceColumns } from '../../../data/catalogue/operated-columns';
import { differencesOf } from '../../../domain/differences';
import { explainRoutes } from '../../../ordering/placement/explain-routes';
import { requireSupplier } from '../../../domain/suppliers/configured-suppliers';
import {
  hyphenated,
  inTerminal,
  option,
  optionOr,
  requiredOption,
  toggle,
  word,
  type ArgumentValues,
} from '../arguments';
import { clientNamed } from '../client-named';
import type { Context } from '../context';
import { changesText, guardPrices } from '../guarded-prices';
import {
  client,
  count,
  currencyCode,
  decimal,
  family,
  id,
  commaListOf,
  withPlaceholder,
  nameText,
  positiveDecimal,
  wholeNumber,
} from '../kinds';
import { newName } from '../names';
import { everyRole, force, operation } from '../operation';
import { tried } from '../tried';
import { kindsOf } from '../../../domain/row-columns';

const list = operation({
  name: 'sources list',
  about: 'The sources of every item of a product, with their amounts, costs and states',
  roles: everyRole,
  effect: 'reads',
  arguments: { family: word(family, 'vouchers, topups or esim'), product: word(id, 'id') },
  columns: kindsOf(listedSourceColumns),
  run: ({ database }, { family: ofFamily, product }) => listSources(database, ofFamily, product),
});

const settings = {
  priority: option(wholeNumber, 'the smallest is used first; default: 0'),
  costPercent: inTerminal(
    option(
      withPlaceholder('percent', decimal),
      'our cost in percent of the amount. If the currency is not that of the item, multiply by the exchange rate',
    ),
    'our cost in percent of the amount. If --currency is not the currency of the item, multiply by the exchange rate',
  ),
  cost: option(decimal, 'our cost of one unit'),
  fee: option(decimal, 'an additional cost of each unit'),
  currency: option(currencyCode, 'of cost and fee; default: the currency of the item'),
  amounts: option(
    commaListOf(positiveDecimal),
    'the amounts that it serves, separated by commas; default: those of the stored offer',
  ),
  min: inTerminal(
    option(positiveDecimal, 'the smallest amount that it serves'),
    'with --max: the range of amounts that it serves',
  ),
  max: inTerminal(option(positiveDecimal, 'the largest amount that it serves'), 'with --min'),
  samePlan: toggle(
    'for an unlimited plan: the source is the same plan, slow after the same amount',
    'it may be another plan',
  ),
  active: toggle('use it', 'do not use it any more; open orders keep it'),
};

const sourceArguments = {
  family: word(family, 'vouchers, topups or esim'),
  item: word(id, 'id of the voucher product, or of the variant'),
  supplier: word(nameText, 'name'),
  sku: word(newName, 'the item at the supplier'),
  ...settings,
  force: force(),
};

type GivenSource = ArgumentValues<typeof sourceArguments>;

const keyOf = ({ family: ofFamily, item: itemId, supplier, sku }: Omit<GivenSource, 'force'>) => ({
  family: ofFamily,
  itemId,
  supplier,
  sku,
});

/** Adds or changes the source. Returns its id. */
function storeGiven(context: Context, { force: isForced, ...given }: GivenSource): Promise<number> {
  const { database, suppliers } = context;
  requireSupplier(suppliers(), given.supplier);
  return setSource(database, keyOf(given), settingsOf(given), guardPrices(context, isForced));
}

const set = operation({
  name: 'sources set',
  button: 'Set a source',
  about: 'Add a source to an item, or change it. What is not given keeps its value',
  roles: ['catalogue'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: sourceArguments,
  trial: 'PREVIEW',
  async preview(context, given) {
    const fields = () => readSourceFields(context.database, keyOf(given));
    const before = await fields();
    const after = await tried(context, async (trial) => {
      await storeGiven(trial, given);
      return fields();
    });
    const changes = differencesOf(before, after).map(({ field, ...values }) => ({ what: inWords(field), ...values }));
    const { item, supplier, sku } = given;
    const does = before.length === 0 ? 'Adds a source to' : 'Changes a source of';
    return `${does} item ${item}: ${supplier} ${sku}.\n${changesText(changes)}`;
  },
  async run(context, given) {
    const { item, supplier, sku } = given;
    return `Source ${await storeGiven(context, given)} of item ${item}: ${supplier} ${sku}.`;
  },
});

/** `costPercent` as `cost percent`. */
function inWords(field: string): string {
  return hyphenated(field).replaceAll('-', ' ');
}

function settingsOf(options: ArgumentValues<typeof settings>): SourceSettings {
  const { priority, costPercent, cost, fee, currency, amounts, min, max, samePlan, active } = options;
  if (costPercent && cost) throw new Error('Give --cost-percent or --cost, not both');
  if ((min === undefined) !== (max === undefined)) throw new Error('Give --min and --max together');
  if (amounts && min) throw new Error('Give --amounts or a range, not both');
  return {
    ...(priority !== undefined && { priority }),
    ...(costPercent && { cost_percent: costPercent.toFixed(), cost_fixed: null }),
    ...(cost && { cost_fixed: cost.toFixed(), cost_percent: null }),
    ...(fee && { fee: fee.toFixed() }),
    ...(currency !== undefined && { cost_currency: currency }),
    ...(amounts && { fixed_amounts: amounts.map((amount) => amount.toFixed()), min_amount: null, max_amount: null }),
    ...(min && max && { min_amount: min.toFixed(), max_amount: max.toFixed(), fixed_amounts: null }),
    ...(samePlan !== undefined && { isSamePlan: samePlan }),
    ...(active !== undefined && { active }),
  };
}

const explain = operation({
  name: 'routes explain',
  button: 'Explain the route',
  about: 'The suppliers that an order would use, in sequence, and why it would not use the others',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    family: word(family, 'vouchers, topups or esim'),
    product: word(id, 'id'),
    amount: word(positiveDecimal, 'the amount of one unit'),
    client: requiredOption(client, 'id, name or API key'),
    quantity: optionOr(count, '1', 'units of the order'),
  },
  columns: { item: 'text', use: 'text', supplier: 'text', sku: 'text', priority: 'number', cost: 'text', why: 'text' },
  async run(context, { family: ofFamily, product: productId, amount, client: orderer, quantity }) {
    const { database } = context;
    const { id: clientId } = await clientNamed(database, orderer);
    const order = { clientId, family: ofFamily, productId, amount, quantity, walletId: undefined };
    const routes = await explainRoutes({ database, suppliers: context.suppliers() }, order);
    if (routes.length === 0)
      throw new Error(`Product ${productId} has no item of this amount. See its items with: products show`);
    return routes.flatMap(({ item, walletCurrency, judged }) => {
      let uses = 0;
      return judged.map(({ source, cost, obstacle }) => ({
        item: `${item.id} ${item.name}`,
        use: obstacle === undefined ? String(++uses) : 'no',
        supplier: source.supplier,
        sku: source.sku,
        priority: source.priority,
        cost: cost ? `${cost.toDecimalPlaces(4).toFixed()} ${walletCurrency}` : 'unknown',
        why: obstacle ?? (source.isCircuitOpen ? 'circuit open: used last' : ''),
      }));
    });
  },
});

export const sourceOperations = [list, set, explain];
