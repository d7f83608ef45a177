/**
 * How a second person decides a proposed operation, and has it carried out. docs/operators/approvals.md.
 * Rule: what becomes of an approved proposal whose preview, prices or proposer have changed since
 */
import { actingInstead, inOneTransaction, keptIf } from '../../../data/database/acting-person';
import { decideProposal, findProposal, lockAccount, type Proposal } from '../../../data/approvals/proposals';
import { obstacleOfProposer, obstacleToApprove } from '../../../domain/approvals';
import type { Context, NamedOperation } from '../context';
import { sentenceOfPart } from '../failure';
import { attempted, previewed, type OperationAttempt, type Previewed } from './attempts';
import { proposedBasis, openCall, type OpenedCall } from './proposed-calls';
import { inTurn } from './turns';

/** Why a decision about the proposal comes too late; undefined if it can be decided. */
function tooLate({ id, state, decidedBy, expiresAt }: Proposal): string | undefined {
  if (state === 'PENDING') return undefined;
  if (state === 'EXPIRED') return `Proposal ${id} expired at ${expiresAt.toISOString()}: propose the operation again`;
  return `${decidedBy} has ${state === 'APPROVED' ? 'approved' : 'rejected'} proposal ${id} already`;
}

/** Throws why the caller cannot make this decision. Its proposer may reject a proposal, too. */
export function assertDecidable(context: Context, proposal: Proposal, decision: 'APPROVE' | 'REJECT'): void {
  const isWithdrawn = decision === 'REJECT' && proposal.proposerId === context.account.id;
  const obstacle = tooLate(proposal) ?? (isWithdrawn ? undefined : obstacleToApprove(proposal, deciderOf(context)));
  if (obstacle !== undefined) throw new Error(obstacle);
}

/** An approved proposal, with what its operation returned. */
export interface Approved {
  proposal: Proposal;
  data: unknown;
}

/**
 * Approves the proposal and carries it out as its proposer's operation, in one transaction: of two at once, one finds it decided.
 * Throws if it is decided or has expired, if the caller may not approve it, or if the operation fails. If its proposer may no longer do
 * it, or its preview has changed since, the proposal is rejected, and nothing else happens.
 */
export async function approveProposal(context: Context, id: number): Promise<Approved> {
  const { database } = context;
  const decide = async () => {
    const proposal = await findProposal(database, id, true);
    assertDecidable(context, proposal, 'APPROVE');
    const carried = await carryOut(context, proposal);
    const state = 'rejected' in carried ? 'REJECTED' : 'APPROVED';
    await decideProposal(database, { id, state, operator: context.operator });
    return { proposal, ...carried };
  };
  const outcome = await inTurn(context, () => inOneTransaction(database, decide));
  if ('rejected' in outcome)
    throw new Error(
      `Proposal ${id} is rejected, because ${outcome.rejected.replace(/\.$/, '')}. Propose the operation again`,
    );
  for (const work of outcome.later) await work();
  if (outcome.mark !== 0) context.mark(outcome.mark);
  return outcome;
}

/** Rejects the proposal. Its proposer may do so, too. Throws if it is decided or has expired, or if the caller may not decide it. */
export async function rejectProposal(context: Context, id: number): Promise<Proposal> {
  const { database } = context;
  const decide = async () => {
    const proposal = await findProposal(database, id, true);
    assertDecidable(context, proposal, 'REJECT');
    await decideProposal(database, { id, state: 'REJECTED', operator: context.operator });
    return proposal;
  };
  return inTurn(context, () => inOneTransaction(database, decide));
}

/** The caller as the domain judges it. */
export function deciderOf({ operator, role, account }: Pick<Context, 'operator' | 'role' | 'account'>) {
  return { operator, role, ...account };
}

/** The caller as `listProposals` compares approvers. */
export function approverOf({ operator, role, account }: Pick<Context, 'operator' | 'role' | 'account'>) {
  const { id: accountId, accountable, isService } = account;
  return { operator, role, accountId, accountable, isService };
}

/** The result of a proposed operation, or why it is not carried out. */
type Carried = { rejected: string } | Pick<OperationAttempt, 'data' | 'mark' | 'later'>;

/**
 * Runs the proposed operation in its proposer's name. Undoes it if the proposer may no longer do it, or if the preview is another one
 * than the approver has read.
 */
async function carryOut(context: Context, proposal: Proposal): Promise<Carried> {
  const { id, operation: name, proposer, proposerId, proposerRole, accountable, door } = proposal;
  const operation = context.operationNamed(name);
  if (!operation) throw new Error(`This release has no operation ${name}: reject proposal ${id}`);
  const isService = door === 'API';
  const now = await lockAccount(context.database, proposerId);
  const obstacle = obstacleOfProposer({ proposer, isService }, operation, now);
  if (obstacle !== undefined) return { rejected: obstacle };
  const call = await openCall(context, proposal);
  await operation.requireOther?.(context, call.given, context.account.accountable);
  if (call.hasLostFiles) return { rejected: 'its file was erased with the recipient of an order' };
  const reason = call.reason ?? undefined;
  const asProposer: Context = {
    ...context,
    operator: proposer,
    role: proposerRole,
    reason,
    account: { id: proposerId, accountable, door, isService },
  };
  const changed = (why: string): Carried => ({ rejected: `its preview has changed since: ${why}` });
  const person = { operator: proposer, command: name, door, reason, accountable, approver: context.operator };
  return actingInstead(person, async () => {
    const preview = await previewed(asProposer, operation, call.given, 'APPROVED').catch((error: unknown) =>
      sentenceOfPart(error),
    );
    if (typeof preview === 'string') return changed(preview);
    const [basis] = JSON.parse(call.basis) as [string | null];
    if ((preview.basis ?? null) !== basis) return changed(preview.text ?? 'other values');
    const attempt = await attemptedOnceMore(asProposer, operation, call, preview);
    return attempt ?? changed('other prices or rates');
  });
}

/** Runs the operation, and keeps it if what it changes beyond the limit of prices is what was proposed. */
async function attemptedOnceMore(
  context: Context,
  operation: NamedOperation,
  { given, basis }: OpenedCall,
  preview: Previewed,
): Promise<OperationAttempt | undefined> {
  const isSame = (attempt: OperationAttempt) => proposedBasis(preview, attempt) === basis;
  const attempt = await keptIf(context.database, () => attempted(context, operation, given, 'APPROVED'), isSame);
  return isSame(attempt) ? attempt : undefined;
}
