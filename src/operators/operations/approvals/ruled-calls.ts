/**
 * Runs operations that rules of approval may limit. The database decides what an operation moves, so it is carried out first: if its
 * sums exceed a rule, everything is undone in the same transaction, and the operation is proposed. docs/operators/approvals.md.
 */
import { inOneTransaction, keptIf } from '../../../data/database/acting-person';
import {
  listApprovalRules,
  lockCounting,
  type StoredApprovalRule,
} from '../../../data/approvals/stored-approval-rules';
import { commonRoles, rulesOf, type ApprovalKind, type Demand } from '../../../domain/approvals';
import type { Role } from '../../../domain/operators/roles';
import type { Given } from '../arguments';
import type { Context } from '../context';
import type { DataOperation, Operation } from '../operation';
import { attempted, previewed } from './attempts';
import { propose, waitsText } from './proposed-calls';
import { inTurn } from './turns';

/** The result of a call. `proposal`: the number of what waits for a second person, instead of being done. */
export interface Done {
  data: unknown;
  mark: 0 | 1 | 2;
  proposal?: number;
}

/**
 * Runs the operation. Without a rule about it, nothing else happens. Otherwise its statements are one transaction, and it is proposed if
 * a rule asks for a second person.
 */
export async function runByRules(context: Context, operation: DataOperation, given: Given): Promise<Done> {
  const { database, account } = context;
  const rules = await rulesAbout(context, operation.approval);
  if (!rules) return attemptWithoutRules(context, operation, given);
  const decide = async () => {
    await lockCounting(database, account.accountable);
    const attempt = await keptIf(
      database,
      () => attempted(context, operation, given, rules),
      ({ demands }) => demands.length === 0,
    );
    const { data, mark, demands, later } = attempt;
    if (demands.length === 0) return { done: { data, mark }, later };
    await operation.requireOther?.(context, given, account.accountable);
    const roles = rolesFor(demands);
    const preview = await previewed(context, operation, given, rules);
    const proposed = await propose(context, operation, { given, preview, attempt, roles });
    return { done: { data: proposed.sentence, mark: 0, proposal: proposed.id } as const, later: [] };
  };
  const { done, later } = await inTurn(context, () => inOneTransaction(database, decide));
  for (const work of later) await work();
  return done;
}

/**
 * The preview of the operation, which also says whether it will need a second person. Throws what prevents the operation, except for a
 * change of prices beyond the limit.
 */
export async function previewByRules(
  context: Context,
  operation: Operation,
  given: Given,
): Promise<string | undefined> {
  const { database, account } = context;
  const rules = 'parts' in operation ? undefined : await rulesAbout(context, operation.approval);
  if (!('parts' in operation)) await operation.assertPossible(context, given);
  const { text: preview } = await previewed(context, operation, given, rules ?? []);
  if (!rules || 'parts' in operation) return preview;
  const decide = async () => {
    await lockCounting(database, account.accountable);
    const attempt = await keptIf(
      database,
      () => attempted(context, operation, given, rules),
      () => false,
    );
    return attempt.demands;
  };
  // A rule may prevent what no role may approve. That is said when the operation runs.
  const demands = await inTurn(context, () => inOneTransaction(database, decide).catch(() => []));
  if (demands.length === 0) return preview;
  await operation.requireOther?.(context, given, account.accountable);
  return [preview ?? `${operation.about}.`, `It needs approval: ${waitsText(demands, rolesFor(demands))}.`].join(' ');
}

async function attemptWithoutRules(context: Context, operation: DataOperation, given: Given): Promise<Done> {
  let mark: Done['mark'] = 0;
  const data = await operation.run({ ...context, mark: (code) => void (mark = code) }, given);
  return { data, mark };
}

/** The rules if one is about the operation; undefined if none is. */
async function rulesAbout(
  { database }: Context,
  kind: ApprovalKind | undefined,
): Promise<StoredApprovalRule[] | undefined> {
  if (kind === undefined) return undefined;
  const rules = await listApprovalRules(database);
  const isAbout = kind === 'RULES' || rules.some(({ operation }) => rulesOf(kind).includes(operation));
  return isAbout ? rules : undefined;
}

/** The roles that may approve all of it. Throws if several rules have no role in common. */
function rolesFor(demands: readonly Demand[]): Role[] {
  const roles = commonRoles(demands);
  if (roles.length > 0) return roles;
  const reasons = demands.map(({ why }) => why).join('; ');
  throw new Error(`No role may approve all of this: ${reasons}. Do it in parts, one for each currency`);
}
