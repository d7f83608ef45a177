/**
 * Which operations need a second person, and what the rules about them count. docs/operators/approvals.md.
 * The SQL function `count_operation` and its triggers count.
 * Rule: which operations can need a second person, who approves, and what prevents it
 */
import { roles, type Role } from './operators/roles';

/** What a rule is about. `PRICE`: a rate or price that changes by more than PRICE_CHANGE_LIMIT_PERCENT. */
export const ruledOperations = ['FUND', 'ADJUST', 'CREDIT_LIMIT', 'REFUND', 'REFUNDS_IMPORT', 'PRICE'] as const;
export type RuledOperation = (typeof ruledOperations)[number];

/** The operations that a rule of this kind limits, as people read it. */
export const ruledTexts: Readonly<Record<RuledOperation, string>> = {
  FUND: 'fundings of wallets',
  ADJUST: 'adjustments of wallets',
  CREDIT_LIMIT: 'increases of credit limits',
  REFUND: 'refunds after delivery',
  REFUNDS_IMPORT: 'refunds by file',
  PRICE: 'changes of prices and rates',
};

/** Why an operation may need a second person. `RULES`: it changes the rules themselves. */
export type ApprovalKind = RuledOperation | 'RULES';

/** The kinds of rules that limit the operation. The refunds of a file are refunds, too, so that a file is no way around their rule. */
export function rulesOf(kind: ApprovalKind): readonly RuledOperation[] {
  if (kind === 'RULES') return [];
  return kind === 'REFUNDS_IMPORT' ? ['REFUND', 'REFUNDS_IMPORT'] : [kind];
}

/** Whether a rule counts amounts. */
export function countsAmounts(operation: RuledOperation): boolean {
  return operation !== 'PRICE';
}

/** Roles that may be named as approvers: those that change something. */
export const approvingRoles = roles.filter((role) => role !== 'viewer');

/** Why an operation waits, and which roles may approve it. */
export interface Demand {
  roles: readonly Role[];
  why: string;
}

/** The roles that meet every demand, so that one person can approve the operation. */
export function commonRoles(demands: readonly Demand[]): Role[] {
  return roles.filter((role) => demands.every((demand) => demand.roles.includes(role)));
}

/** The roles as a person reads them: `finance or admin`. */
export function rolesText(named: readonly Role[]): string {
  return named.join(' or ');
}

export const proposalStates = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** Who proposed, and who would decide. */
interface Parties {
  proposer: string;
  proposerId: string;
  accountable: string;
  roles: readonly Role[];
}

interface Decider {
  operator: string;
  id: string;
  role: Role;
  isService: boolean;
  /** Whose money is counted: of a service account its owner. */
  accountable: string;
}

/**
 * Why the person may not approve the proposal; undefined if it may. A service account decides nothing, because no one looks at what it
 * decides. Its owner is no second person for what it proposed.
 */
export function obstacleToApprove(
  { proposer, proposerId, accountable, roles: approvers }: Parties,
  { operator, id, role, isService, accountable: own }: Decider,
): string | undefined {
  if (isService) return 'A service account approves nothing';
  if (id === proposerId || [proposer, accountable].includes(operator) || own === accountable)
    return proposer === operator || id === proposerId
      ? 'Another person approves what you proposed'
      : `Another person approves what ${proposer} proposed, because that service account is yours`;
  if (!approvers.includes(role)) return `It waits for approval by ${rolesText(approvers)}; your role is ${role}`;
  return undefined;
}

/**
 * Why the account may no longer do what it proposed; undefined if it may. A proposal is only as good as its proposer's right to make it
 * again. `now`: undefined if the account is suspended, revoked or expired, or sleeps with its owner.
 */
export function obstacleOfProposer(
  { proposer, isService }: { proposer: string; isService: boolean },
  operation: { name: string; roles: readonly Role[]; givesAccess: boolean },
  now: { role: string; operations: readonly string[] | null } | undefined,
): string | undefined {
  if (!now)
    return `${proposer} is ${isService ? 'a service account that is revoked, has expired or sleeps with its owner' : 'suspended'}`;
  if (!operation.roles.some((role) => role === now.role))
    return `${proposer} now has the role ${now.role}, which may not use ${operation.name}`;
  if (isService && operation.givesAccess) return `${operation.name} gives access, and ${proposer} is a service account`;
  if (now.operations?.includes(operation.name) === false)
    return `${operation.name} is no longer among the operations of ${proposer}`;
  return undefined;
}
