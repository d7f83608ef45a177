/** `spend-rules`: the rules by which orders are held for review. */
import {
  deleteSpendRule,
  findSpendLimits,
  listSpendRules,
  spendRuleKinds,
  storeSpendRule,
  type SpendRuleKind,
  type SpendLimits,
  type SpendRule,
  listedSpendRuleColumns,
} from '../../../data/orders/stored-spend-rules';
import { inTerminal, option, optionOr, word, type ArgumentValues } from '../arguments';
import { clientIdNamed, clientNamed } from '../client-named';
import { choices, client, count, currencyCode, family, id, oneOf, positiveDecimal, reviewHours } from '../kinds';
import { everyRole, neededReason, operation } from '../operation';
import { nameOfProduct } from '../product-named';
import { kindsOf } from '../../../domain/row-columns';

const list = operation({
  name: 'spend-rules list',
  about: 'All rules, in the sequence in which they apply',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    kind: inTerminal(
      option(oneOf('kind', spendRuleKinds), 'only rules of this kind'),
      `only rules of this kind ${choices(spendRuleKinds)}`,
    ),
    client: option(client, 'only the rules of this client alone: id, name or API key'),
  },
  columns: kindsOf(listedSpendRuleColumns),
  async run({ database }, { kind, client: named }) {
    const clientId = await clientIdNamed(database, named);
    return listSpendRules(database, { kind, clientId });
  },
});

const ruleArguments = {
  kind: inTerminal(
    word(
      oneOf('kind', spendRuleKinds),
      'what the limit counts: orders of an hour, of a recipient within 24 hours, from a network that was first used less than a day ago, or every order of a denomination',
    ),
    'per-hour, per-recipient (24 hours), new-network (orders from a network first used less than a day ago), or denomination (every order of it)',
  ),
  client: option(client, 'only this client: id, name or API key. Its rule replaces a general one of the kind'),
  orders: option(count, 'hold the orders beyond this number'),
  amount: inTerminal(
    option(positiveDecimal, 'hold the orders beyond this sum of debits, in the currency'),
    'hold the orders beyond this sum of debits; with --currency',
  ),
  currency: inTerminal(
    option(currencyCode, 'the currency of the sum: only orders paid in it count'),
    'the currency of --amount: only orders paid in it count',
  ),
  family: inTerminal(
    option(family, 'of the denomination: vouchers, topups or esim'),
    'with denomination: vouchers, topups or esim',
  ),
  product: inTerminal(option(id, 'of the denomination: the product'), 'with denomination: the product'),
  denomination: inTerminal(
    option(positiveDecimal, 'the face value of one unit'),
    'with denomination: the face value of one unit',
  ),
  reviewHours: optionOr(reviewHours, '24', 'cancel a held order after this time without a decision'),
};

const set = operation({
  name: 'spend-rules set',
  button: 'Set a rule',
  about: 'Hold orders beyond a limit until an operator releases them, or change the limit',
  roles: ['finance'],
  effect: 'changes',
  arguments: { ...ruleArguments, reason: neededReason },
  async compared({ database }, given) {
    const rule = ruleOf(given);
    const owner = given.client === undefined ? undefined : await clientNamed(database, given.client);
    return {
      of: ruleText({ ...rule, clients: owner?.name ?? 'all' }),
      values: limitsOf(await findSpendLimits(database, { ...rule, clientId: owner?.id ?? null }), rule.currency),
    };
  },
  async run({ database }, given) {
    const rule = ruleOf(given);
    if (rule.family !== null && rule.productId !== null) await nameOfProduct(database, rule.family, rule.productId);
    const clientId = (await clientIdNamed(database, given.client)) ?? null;
    return `Rule ${await storeSpendRule(database, { ...rule, clientId })} applies from the next order on.`;
  },
});

/** The orders that the rule is about. */
function ruleText({ kind, clients }: { kind: SpendRuleKind; clients: string }): string {
  return `Rule ${kind.toLowerCase().replaceAll('_', '-')} of ${clients === 'all' ? 'all clients' : clients}`;
}

/** The limits in words, by name; all of them null without a rule. */
function limitsOf(limits: SpendLimits | undefined, currency: string | null) {
  const { maxOrders = null, maxAmount = null, reviewHours = null } = limits ?? {};
  return {
    rule: limits === undefined ? null : 'holds orders',
    orders: maxOrders,
    amount: maxAmount === null ? null : `${maxAmount} ${currency}`,
    reviewHours,
  };
}

/** Throws if the rule has no limit, or arguments of another kind. */
function ruleOf(given: ArgumentValues<typeof ruleArguments>): Omit<SpendRule, 'clientId'> {
  const { kind, orders, amount, currency: code, family: of, product, denomination, reviewHours: hours } = given;
  const isOfDenomination = of !== undefined && product !== undefined && denomination !== undefined;
  const namesGoods = of !== undefined || product !== undefined || denomination !== undefined;
  const hasLimit = orders !== undefined || amount !== undefined;
  if (kind === 'DENOMINATION' ? !isOfDenomination || hasLimit : namesGoods || !hasLimit)
    throw new Error(
      kind === 'DENOMINATION'
        ? 'Give --family, --product and --denomination, and no limit'
        : 'Give --orders, --amount or both, and no product',
    );
  if ((amount === undefined) !== (code === undefined)) throw new Error('Give --amount and --currency together');
  return {
    kind,
    maxOrders: orders ?? null,
    maxAmount: amount?.toFixed() ?? null,
    currency: code ?? null,
    family: of ?? null,
    productId: product ?? null,
    denomination: denomination?.toFixed() ?? null,
    reviewHours: hours,
  };
}

const remove = operation({
  name: 'spend-rules remove',
  button: 'Remove a rule',
  about: 'Remove a rule. Orders that it has held stay held',
  roles: ['finance'],
  effect: 'changes',
  arguments: { rule: word(id, 'id'), reason: neededReason },
  async compared({ database }, { rule: ruleId }) {
    const [rule] = await listSpendRules(database, { id: ruleId });
    const limits = rule && { maxOrders: rule.max_orders, maxAmount: rule.max_amount, reviewHours: rule.review_hours };
    return { of: rule ? ruleText(rule) : `Rule ${ruleId}`, values: limitsOf(limits, rule?.currency ?? null) };
  },
  async run({ database }, { rule }) {
    if (!(await deleteSpendRule(database, rule)))
      throw new Error(`There is no rule ${rule}. See them with: spend-rules list`);
    return `Rule ${rule} is removed.`;
  },
});

export const spendRuleOperations = [list, set, remove];
