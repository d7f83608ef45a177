/** `margins`: the rules for markups and minimum margins. */
import type { Database } from '../../../data/database/database';
import type { GuardedValue } from '../../../data/prices/stored-confirmed-values';
import {
  deleteMarginRule,
  findMarginRule,
  findReplacedFloor,
  firstClientOf,
  listMarginRules,
  storeMarginRule,
  type MarginRule,
  type MarginScope,
  listedMarginRuleColumns,
} from '../../../data/prices/stored-margin-rules';
import { floorChanges, markupChanges } from '../../../domain/prices/margin-changes';
import { option, word, type ArgumentValues } from '../arguments';
import { clientIdNamed, clientNamed } from '../client-named';
import type { Context } from '../context';
import { changesText, guardPrices } from '../guarded-prices';
import { client, count, family, groupName, id, margin, markup } from '../kinds';
import { marginReaders } from '../../../domain/operators/roles';
import { force, neededReason, operation } from '../operation';
import { nameOfProduct } from '../product-named';
import { tried } from '../tried';
import { marginsText } from './resulting-margins';
import { kindsOf } from '../../../domain/row-columns';

const list = operation({
  name: 'margins list',
  about: 'All rules, the most specific of a family first',
  roles: marginReaders,
  effect: 'reads',
  arguments: {
    client: option(client, 'only the rules of this client alone: id, name or API key'),
    group: option(groupName, 'only the rules of this group of clients'),
    family: option(family, 'only the rules of this family: vouchers, topups or esim'),
    product: option(id, 'only the rules of this product, within the family'),
    after: option(id, 'only rules behind this one, for the next page'),
    limit: option(count, 'maximum number of rules; default: all'),
  },
  columns: kindsOf(listedMarginRuleColumns),
  async run({ database }, { client: named, product: productId, ...filter }) {
    const clientId = await clientIdNamed(database, named);
    const rules = await listMarginRules(database, { ...filter, clientId, productId });
    // The id names the last rule of a page.
    return rules.map(({ id: ruleId, ...rule }) => ({ ...rule, ...(filter.limit !== undefined && { id: ruleId }) }));
  },
});

/** What names a rule. */
const scopeArguments = {
  family: word(family, 'vouchers, topups or esim'),
  product: option(id, 'only this product of the family'),
  client: option(client, 'only this client: id, name or API key'),
  group: option(groupName, 'only clients of this group'),
};

const setArguments = {
  ...scopeArguments,
  markup: option(markup, "on the cost of products made from suppliers' offers"),
  minMargin: option(margin, 'of the price; a source that leaves less is not used'),
  force: force(),
  reason: neededReason,
};

async function storeRule(
  context: Context,
  { markup: markupPercent, minMargin, force: isForced, ...named }: ArgumentValues<typeof setArguments>,
): Promise<ChangedRule> {
  const { database } = context;
  if (!markupPercent && !minMargin) throw new Error('Give --markup, --min-margin or both');
  if (markupPercent && (named.client ?? named.group) !== undefined)
    throw new Error('A markup makes the list price, which is the same for all clients: omit --client and --group');
  const { scope, what } = await scopeOf(database, named);
  return guardPrices(context, isForced)(await guardedRule(database, scope, what), async () => {
    const before = (await findMarginRule(database, scope)) ?? noRule;
    const after = await storeMarginRule(database, scope, {
      markup: markupPercent?.toFixed() ?? null,
      minMargin: minMargin?.toFixed() ?? null,
    });
    return { scope, what, before, after };
  });
}

const clearArguments = { ...scopeArguments, force: force('remove it'), reason: neededReason };

async function removeRule(
  context: Context,
  { force: isForced, ...named }: ArgumentValues<typeof clearArguments>,
): Promise<ChangedRule> {
  const { database } = context;
  const { scope, what } = await scopeOf(database, named);
  return guardPrices(context, isForced)(await guardedRule(database, scope, what), async () => {
    const before = await findMarginRule(database, scope);
    if (!before || !(await deleteMarginRule(database, scope)))
      throw new Error('There is no such rule. See them with: margins list');
    return { scope, what, before, after: noRule };
  });
}

/** The percentages of the rule. A first minimum margin is compared with the one that it replaces, because it may be lower. */
async function guardedRule(database: Database, scope: MarginScope, what: string): Promise<GuardedValue[]> {
  const { clientId, clientGroup, family: ofFamily, productId } = scope;
  const key = [clientId, clientGroup, ofFamily, productId];
  const replaced = await findReplacedFloor(database, scope);
  const valueOf = async (name: keyof MarginRule) => (await findMarginRule(database, scope))?.[name] ?? null;
  return [
    {
      name: { kind: 'MARKUP', key },
      read: () => valueOf('markup'),
      changes: markupChanges(`${what}: price in percent of the cost`),
    },
    {
      name: { kind: 'MIN_MARGIN', key },
      read: () => valueOf('minMargin'),
      changes: (confirmed, after) =>
        floorChanges(`${what}: highest cost in percent of the price`)(confirmed ?? replaced, after),
    },
  ];
}

interface ChangedRule {
  scope: MarginScope;
  /** The scope in words. */
  what: string;
  before: MarginRule;
  after: MarginRule;
}

const noRule: MarginRule = { markup: null, minMargin: null };

function changedText({ what, before, after }: ChangedRule): string {
  return changesText([
    { what: `${what}: markup in percent`, before: before.markup, after: after.markup },
    { what: `${what}: minimum margin in percent`, before: before.minMargin, after: after.minMargin },
  ]);
}

const set = operation({
  name: 'margins set',
  button: 'Set a margin',
  about: 'Make a rule, or change it. A percentage that is not given stays as it is',
  roles: ['catalogue'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: setArguments,
  trial: 'PREVIEW',
  preview: async (context, values) => changedText(await tried(context, (trial) => storeRule(trial, values))),
  async run(context, values) {
    const { scope, what, after } = await storeRule(context, values);
    return [
      `${what}: markup ${percentOf(after.markup)}, minimum margin ${percentOf(after.minMargin)}.`,
      await marginsIn(context.database, scope),
    ].join('\n');
  },
});

const clear = operation({
  name: 'margins clear',
  about: 'Remove a rule',
  roles: ['catalogue'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: clearArguments,
  trial: 'PREVIEW',
  preview: async (context, named) => changedText(await tried(context, (trial) => removeRule(trial, named))),
  async run(context, named) {
    const { database } = context;
    const { scope, what } = await removeRule(context, named);
    return `${what}: no rule.\n${await marginsIn(database, scope)}`;
  },
});

/** The margins in the scope; of a group, those of one client. */
async function marginsIn(database: Database, scope: MarginScope): Promise<string> {
  const clientId = scope.clientId ?? (await firstClientOf(database, scope.clientGroup));
  const { family: ofFamily, productId } = scope;
  return marginsText(database, { family: ofFamily, productId, clientId });
}

/** The scope of a rule, and the same in words. */
async function scopeOf(
  database: Database,
  { family: ofFamily, product, client: named, group }: ArgumentValues<typeof scopeArguments>,
): Promise<{ scope: MarginScope; what: string }> {
  if (named !== undefined && group !== undefined) throw new Error('Give --client or --group, not both');
  if (group === '') throw new Error('Give the name of the group');
  const owner = named === undefined ? undefined : await clientNamed(database, named);
  const whose = owner?.name ?? (group === undefined ? 'all clients' : `the clients of ${group}`);
  const products =
    product === undefined ? `All ${ofFamily} products` : await nameOfProduct(database, ofFamily, product);
  return {
    scope: { clientId: owner?.id ?? null, clientGroup: group ?? null, family: ofFamily, productId: product ?? null },
    what: `${products} for ${whose}`,
  };
}

const percentOf = (percent: string | null) => (percent === null ? 'none' : `${percent} %`);

export const marginOperations = [list, set, clear];
