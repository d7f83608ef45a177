/** `approval-rules`: which operations need a second person. docs/operators/approvals.md. */
import {
  deleteApprovalRule,
  findApprovalRule,
  listApprovalRules,
  lockRules,
  storeApprovalRule,
  type ApprovalRule,
  type StoredApprovalRule,
} from '../../../data/approvals/stored-approval-rules';
import { approvingRoles, countsAmounts, ruledOperations, ruledTexts, rolesText } from '../../../domain/approvals';
import { roles as knownRoles, type Role } from '../../../domain/operators/roles';
import { inTerminal, InvalidArgument, option, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { commaListOf, currencyCode, decimal, id, oneOf } from '../kinds';
import { changedList, listChangeText } from '../list-changes';
import { everyRole, neededReason, operation } from '../operation';

const list = operation({
  name: 'approval-rules list',
  about: 'All rules about a second person. Without one, no operation needs it',
  roles: everyRole,
  effect: 'reads',
  arguments: {},
  columns: {
    id: 'number',
    operation: 'text',
    currency: 'text',
    amount: 'text',
    day_amount: 'text',
    created_at: 'time',
    approvers: 'text',
  },
  async run({ database }) {
    const found = await listApprovalRules(database);
    return found.map(({ roles, ...rule }) => ({ ...rule, approvers: roles.join(', ') }));
  },
});

const ruleArguments = {
  operation: inTerminal(
    word(oneOf('operation', ruledOperations), 'what needs a second person'),
    'fund, adjust, credit-limit, refund, refunds-import, or price (a rate or price beyond PRICE_CHANGE_LIMIT_PERCENT)',
  ),
  currency: option(currencyCode, 'the currency of the sums: each needs a rule of its own'),
  amount: option(
    decimal,
    "a person's operations for one client within 24 hours need approval beyond this sum; 0: all do",
  ),
  dayAmount: option(decimal, "a person's operations for all clients within 24 hours need approval beyond this sum"),
  roles: option(commaListOf(oneOf('role', approvingRoles)), `who may approve: some of ${approvingRoles.join(',')}`),
  addRoles: option(commaListOf(oneOf('role', approvingRoles)), 'roles to add to those that may approve'),
  removeRoles: option(commaListOf(oneOf('role', approvingRoles)), 'roles to take away'),
};

const set = operation({
  name: 'approval-rules set',
  button: 'Set a rule',
  about:
    'Ask for a second person beyond a sum, or change the rule of this sum. Only the first rule needs no approval itself',
  roles: [],
  effect: 'changes',
  approval: 'RULES',
  arguments: { ...ruleArguments, reason: neededReason },
  async preview({ database }, given) {
    const { rule, before } = await changedRule(database, given);
    const roles = before && listChangeText('Who may approve', before.roles, rule.roles);
    return [
      `${before ? `Replaces: ${ruleText(before)} By: ` : ''}${ruleText(rule)} Proposals that wait keep their approvers.`,
      ...(roles === undefined ? [] : [roles]),
    ].join('\n');
  },
  async run(context, given) {
    const { database, people } = context;
    // Before the rule is read, so that two changes of its roles follow one another.
    await lockRules(database);
    const { rule } = await changedRule(database, given);
    if ((await people().countActive(rule.roles)) < 2)
      throw new Error(
        `Fewer than two people have the role ${rolesText(rule.roles)}: what one of them proposes, no one could approve`,
      );
    await demandApproverOf(context, (one) => one.operation === rule.operation && one.currency === rule.currency);
    return `Rule ${await storeApprovalRule(database, rule)} applies to what is proposed from now on.`;
  },
});

const remove = operation({
  name: 'approval-rules remove',
  about: 'Remove a rule about a second person. What waits for approval keeps its approvers',
  roles: [],
  effect: 'changes',
  approval: 'RULES',
  arguments: { rule: word(id, 'id'), reason: neededReason },
  preview: async ({ database }, { rule }) => `Removes: ${ruleText(await existing(database, rule))}`,
  async run(context, { rule: ruleId }) {
    const { database } = context;
    await existing(database, ruleId);
    await demandApproverOf(context, ({ id: one }) => one === ruleId);
    await deleteApprovalRule(database, ruleId);
    return `Rule ${ruleId} is removed.`;
  },
});

async function existing(database: Context['database'], ruleId: number): Promise<StoredApprovalRule> {
  const found = await findApprovalRule(database, ruleId);
  if (!found) throw new Error(`There is no rule ${ruleId}. See them with: approval-rules list`);
  return found;
}

/**
 * Demands approval of the change by someone whom the changed rules name; if there are none, by someone whom any rule names. The first
 * rule needs none.
 */
async function demandApproverOf(
  { database, demandApproval }: Context,
  isChanged: (rule: StoredApprovalRule) => boolean,
): Promise<void> {
  await lockRules(database);
  const rules = await listApprovalRules(database);
  const changed = rules.filter(isChanged);
  const concerned = changed.length > 0 ? changed : rules;
  if (concerned.length === 0) return;
  const roles = knownRoles.filter((role) => concerned.some((rule) => rule.roles.includes(role)));
  demandApproval({ roles, why: 'it changes a rule about a second person' });
}

function isSameRule(one: ApprovalRule, other: ApprovalRule): boolean {
  return one.operation === other.operation && one.currency === other.currency && one.amount === other.amount;
}

/** The rule after the change, and the one that it replaces. Throws if no role would be left. */
async function changedRule(
  database: Context['database'],
  { roles: whole, addRoles: add, removeRoles: remove, ...given }: ArgumentValues<typeof ruleArguments>,
): Promise<{ rule: ApprovalRule; before: StoredApprovalRule | undefined }> {
  const named = ruleOf({ ...given, roles: [] });
  const before = (await listApprovalRules(database)).find((one) => isSameRule(one, named));
  const known = before?.roles ?? [];
  const roles = changedList('roles', known, { whole, add, remove }) ?? known;
  if (roles.length === 0) throw new InvalidArgument('--roles: Give at least one role.');
  return { rule: ruleOf({ ...given, roles }), before };
}

/** Throws if the rule has sums that nothing is compared with, or lacks them. */
function ruleOf({
  operation: ruled,
  currency,
  amount,
  dayAmount,
  roles,
}: Omit<ArgumentValues<typeof ruleArguments>, 'roles' | 'addRoles' | 'removeRoles'> & {
  roles: readonly Role[];
}): ApprovalRule {
  const named = { operation: ruled, roles: knownRoles.filter((role) => roles.some((one) => one === role)) };
  if (!countsAmounts(ruled)) {
    if (currency !== undefined || amount !== undefined || dayAmount !== undefined)
      throw new InvalidArgument('A rule about prices has no sums: the limit for changes of prices is a setting.');
    return { ...named, currency: null, amount: null, day_amount: null };
  }
  if (currency === undefined || amount === undefined) throw new InvalidArgument('Give --currency and --amount.');
  if (amount.isNegative() || dayAmount?.isNegative()) throw new InvalidArgument('Give sums from 0.');
  return { ...named, currency, amount: amount.toFixed(), day_amount: dayAmount?.toFixed() ?? null };
}

/** The rule as a sentence. */
export function ruleText({ operation: ruled, currency, amount, day_amount: dayAmount, roles }: ApprovalRule): string {
  const approvers = `approved by ${rolesText(roles)}.`;
  if (amount === null) return `${ruledTexts[ruled]} beyond the limit for changes of prices are ${approvers}`;
  const day = dayAmount === null ? '' : `, or ${dayAmount} ${currency} for all clients`;
  return `${ruledTexts[ruled]} of one person beyond ${amount} ${currency} for one client within 24 hours${day}: ${approvers}`;
}

export const approvalRuleOperations = [list, set, remove];
