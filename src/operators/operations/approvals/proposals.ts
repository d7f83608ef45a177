/** Proposed operations: how they are stored, and how a second person has them carried out. docs/operators/approvals.md. */
import { createHash, randomBytes } from 'node:crypto';
import { actingInstead, inOneTransaction, keptIf } from '../../../data/database/acting-person';
import {
  addProposal,
  decideProposal,
  findProposal,
  listOwnPending,
  lockAccount,
  readSealedFiles,
  type Proposal,
} from '../../../data/approvals/proposals';
import { obstacleOfProposer, obstacleToApprove, rolesText, type Demand } from '../../../domain/approvals';
import type { Role } from '../../../domain/operators/roles';
import { minuteText } from '../../../domain/time';
import { proposedCall, proposedFiles, Sealer } from '../../../security/sealing';
import { isGivenFile, type Given, type GivenFile, type Written } from '../arguments';
import type { Context, NamedOperation } from '../context';
import { sentenceOfPart } from '../failure';
import type { DataOperation } from '../operation';
import { attempted, previewed, type OperationAttempt, type Previewed } from './attempts';
import { inTurn } from './turns';

/** A file of a proposed call. */
interface KeptFile {
  name: string;
  size: number;
  sha256: string;
}

type KeptGiven = Readonly<Record<string, Exclude<Written, GivenFile> | KeptFile>>;

/** What was proposed. Sealed, because arguments and reasons may name people. */
export interface ProposedCall {
  /** The bytes of files are sealed apart, because they are erased before the rest. */
  given: KeptGiven;
  reason: string | null;
  /** As the approver reads it. */
  preview: string;
  /** What must still be so at the approval. */
  basis: string;
  why: string;
}

interface NewCall {
  given: Given;
  preview: Previewed;
  attempt: OperationAttempt;
  roles: Role[];
}

/** Proposes the operation in the transaction of the caller. The same call, proposed again by the same account, stays one proposal. */
export async function propose(
  context: Context,
  { name, filesAbout }: Pick<DataOperation, 'name' | 'filesAbout'>,
  { given, preview, attempt, roles }: NewCall,
): Promise<{ id: number; sentence: string }> {
  const { database, account, operator, role, reason } = context;
  const why = attempt.demands.map((demand) => demand.why).join('; ');
  const { kept, bytes } = withoutFiles(given);
  const call: ProposedCall = {
    given: kept,
    reason: reason ?? null,
    why,
    preview: [preview.text ?? why, ...attempt.sums.map((sum) => `The sum is ${sum}.`)].join(' '),
    basis: basisOf(preview, attempt),
  };
  const sealer = new Sealer(await context.keyRing());
  const own = await listOwnPending(database, { proposerId: account.id, operation: name });
  const same = own.find((one) => isSameCall(sealer, one, kept));
  const { id, expiresAt } = same ?? (await added());
  const until = minuteText(expiresAt);
  return {
    id,
    sentence:
      `Proposed, nothing is done yet: proposal ${id} waits for approval by ${rolesText(same?.roles ?? roles)} until ${until} UTC, ` +
      `because ${why}. See it with: approvals show ${id}`,
  };

  async function added() {
    const nonce = randomBytes(12).toString('hex');
    return addProposal(database, {
      nonce,
      operation: name,
      clientId: attempt.clientId,
      roles,
      proposer: operator,
      proposerId: account.id,
      proposerRole: role,
      accountable: account.accountable,
      door: account.door,
      sealedCall: sealer.seal(proposedCall(nonce), JSON.stringify(call)),
      sealedFiles: bytes ? sealer.seal(proposedFiles(nonce), bytes) : null,
      orderIds: await filesAbout(given),
    });
  }
}

function basisOf({ basis }: Previewed, { beyondGuard }: Pick<OperationAttempt, 'beyondGuard'>): string {
  return JSON.stringify([basis ?? null, beyondGuard]);
}

/** Why an operation needs approval, and by whom. */
export function waitsText(demands: readonly Demand[], roles: readonly Role[]): string {
  return `by ${rolesText(roles)}, because ${demands.map(({ why }) => why).join('; ')}`;
}

/** Takes the bytes of files out of the arguments. `bytes`: all of them, one file after the other; undefined without files. */
function withoutFiles(given: Given): { kept: KeptGiven; bytes: Uint8Array | undefined } {
  const files = Object.values(given).filter(isGivenFile);
  const kept = Object.entries(given).map(
    ([name, value]) => [name, isGivenFile(value) ? keptFile(value) : value] as const,
  );
  const [first, ...others] = files;
  const bytes = others.length === 0 ? first?.bytes : Buffer.concat(files.map((file) => file.bytes));
  return { kept: Object.fromEntries(kept), bytes };
}

function keptFile({ name, bytes }: GivenFile): KeptFile {
  return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function isKeptFile(value: KeptGiven[string]): value is KeptFile {
  return typeof value === 'object' && 'size' in value;
}

/** A proposed call with its files. */
export interface OpenedCall extends Omit<ProposedCall, 'given'> {
  given: Given;
  /** Whether its files were erased. Their texts are then a remark. */
  hasLostFiles: boolean;
}

/** What the proposal contains. Throws if it was changed, or belongs to another row. */
export async function openCall(
  { database, keyRing }: Pick<Context, 'database' | 'keyRing'>,
  proposal: Pick<Proposal, 'id' | 'nonce' | 'sealedCall' | 'hasFiles'>,
): Promise<OpenedCall> {
  const sealer = new Sealer(await keyRing());
  const { given: kept, ...call } = openTexts(sealer, proposal);
  const sealed = proposal.hasFiles ? await readSealedFiles(database, proposal) : null;
  const bytes = sealed && sealer.openBytes(proposedFiles(proposal.nonce), sealed);
  const erased = Buffer.from('(erased)');
  let begins = 0;
  const given = Object.entries(kept).map(([name, value]): [string, Written] => {
    if (!isKeptFile(value)) return [name, value];
    const ends = begins + value.size;
    const file = { name: value.name, bytes: bytes?.subarray(begins, ends) ?? erased };
    begins = ends;
    return [name, file];
  });
  return {
    ...call,
    given: Object.fromEntries(given),
    hasLostFiles: bytes === null && Object.values(kept).some(isKeptFile),
  };
}

/** The same without the bytes of its files. */
export function openTexts(sealer: Sealer, { nonce, sealedCall }: Pick<Proposal, 'nonce' | 'sealedCall'>): ProposedCall {
  return JSON.parse(sealer.open(proposedCall(nonce), sealedCall)) as ProposedCall;
}

/** Whether the proposal has these arguments, and still its files. False for one that cannot be read. */
function isSameCall(sealer: Sealer, proposal: Proposal, given: KeptGiven): boolean {
  if (sealer.openForView(proposedCall(proposal.nonce), proposal.sealedCall) === null) return false;
  const { given: proposed } = openTexts(sealer, proposal);
  const hasFiles = Object.values(proposed).some(isKeptFile);
  return hasFiles === proposal.hasFiles && JSON.stringify(proposed) === JSON.stringify(given);
}

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
  const isSame = (attempt: OperationAttempt) => basisOf(preview, attempt) === basis;
  const attempt = await keptIf(context.database, () => attempted(context, operation, given, 'APPROVED'), isSame);
  return isSame(attempt) ? attempt : undefined;
}
