/** Proposed operations: how they are stored, sealed and read. docs/operators/approvals.md. */
import { createHash, randomBytes } from 'node:crypto';
import { addProposal, listOwnPending, readSealedFiles, type Proposal } from '../../../data/approvals/proposals';
import { rolesText, type Demand } from '../../../domain/approvals';
import type { Role } from '../../../domain/operators/roles';
import { minuteText } from '../../../domain/time';
import { proposedCall, proposedFiles, Sealer } from '../../../security/sealing';
import { isGivenFile, type Given, type GivenFile, type Written } from '../arguments';
import type { Context } from '../context';
import type { DataOperation } from '../operation';
import type { OperationAttempt, Previewed } from './attempts';

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
    basis: proposedBasis(preview, attempt),
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

/** What must still be so at the approval. */
export function proposedBasis({ basis }: Previewed, { beyondGuard }: Pick<OperationAttempt, 'beyondGuard'>): string {
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
