/** Operations that wait for a second person. docs/operators/approvals.md. */
import type { ProposalState } from '../../domain/approvals';
import type { Role } from '../../domain/operators/roles';
import type { AuditedDoor } from '../database/acting-person';
import { firstRow, hasRow, oneRow, rows, type Database } from '../database/database';

/** A proposal. Its arguments, reason and preview are in `sealedCall`. Its files may be large, so only `readSealedFiles` reads them. */
export interface Proposal {
  id: number;
  nonce: string;
  operation: string;
  clientId: number | null;
  /** The client's name. */
  client: string | null;
  proposer: string;
  proposerId: string;
  proposerRole: Role;
  /** The proposer, or the owner of a service account. */
  accountable: string;
  door: AuditedDoor;
  /** Who may approve it. */
  roles: Role[];
  sealedCall: Buffer;
  /** Whether it still has files: false without files, and once they are erased. */
  hasFiles: boolean;
  proposedAt: Date;
  expiresAt: Date;
  state: ProposalState;
  decidedBy: string | null;
  decidedAt: Date | null;
}

const columns = `
  proposal.id, proposal.nonce, proposal.operation, proposal.client_id AS "clientId", client.name AS client, proposal.proposer,
  proposal.proposer_id AS "proposerId", proposal.proposer_role AS "proposerRole", proposal.accountable, proposal.door, proposal.roles,
  proposal.sealed_call AS "sealedCall", proposal.sealed_files IS NOT NULL AS "hasFiles", proposal.proposed_at AS "proposedAt", proposal.expires_at AS "expiresAt",
  CASE WHEN proposal.state = 'PENDING' AND proposal.expires_at <= now() THEN 'EXPIRED' ELSE proposal.state END AS state,
  proposal.decided_by AS "decidedBy", proposal.decided_at AS "decidedAt"`;

const selected = `
  SELECT ${columns} FROM approval_proposals proposal LEFT JOIN clients client ON client.id = proposal.client_id`;

export type NewProposal = Omit<
  Proposal,
  'id' | 'client' | 'hasFiles' | 'proposedAt' | 'expiresAt' | 'state' | 'decidedBy' | 'decidedAt'
> & {
  sealedFiles: Buffer | null;
  /** The orders with whose recipients the files are erased. */
  orderIds: readonly number[];
};

const insertStatement = `
  INSERT INTO approval_proposals
    (nonce, operation, client_id, proposer, proposer_id, proposer_role, accountable, door, roles, sealed_call, sealed_files, order_ids)
  VALUES ($nonce, $operation, $clientId, $proposer, $proposerId, $proposerRole, $accountable, $door, $roles, $sealedCall, $sealedFiles,
          $orderIds)
  RETURNING id, expires_at AS "expiresAt"`;

/** Adds the proposal, which can be decided for 7 days. */
export function addProposal(database: Database, proposal: NewProposal): Promise<Pick<Proposal, 'id' | 'expiresAt'>> {
  return oneRow(database, insertStatement, { ...proposal });
}

/** What the account has proposed and no one has decided, of one operation. */
export function listOwnPending(
  database: Database,
  { proposerId, operation }: Pick<Proposal, 'proposerId' | 'operation'>,
): Promise<Proposal[]> {
  return rows(
    database,
    `${selected} WHERE proposer_id = $proposerId AND operation = $operation AND state = 'PENDING' AND expires_at > now()
      ORDER BY proposal.id`,
    { proposerId, operation },
  );
}

/** Selects proposals. `state`: only those in this state. `after`: only older ones than this, for the next page. */
export interface ProposalFilter {
  state?: ProposalState | undefined;
  after?: number | undefined;
  /** Only those that this account may approve. */
  approver?: { operator: string; role: Role; accountId: string; accountable: string; isService: boolean } | undefined;
  limit: number;
}

const listStatement = `
  SELECT * FROM (${selected}) proposal
   WHERE ($state::text IS NULL OR state = $state) AND ($after::integer IS NULL OR id < $after)
     AND ($role::text IS NULL OR (NOT $isService AND $role = ANY (roles) AND "proposerId" <> $accountId AND accountable <> $accountable
                                  AND $operator NOT IN (proposer, accountable)))
   ORDER BY id DESC LIMIT $limit`;

/** The newest proposals first, at most `limit`. */
export function listProposals(
  database: Database,
  { state, after, approver, limit }: ProposalFilter,
): Promise<Proposal[]> {
  const none = { operator: null, role: null, accountId: null, accountable: null, isService: false };
  const binds = { ...(approver ?? none), state: state ?? null, after: after ?? null, limit };
  return rows(database, listStatement, binds);
}

/** The proposal. Throws if there is none with the id. `isLocked`: no one else decides it before the transaction ends. */
export async function findProposal(database: Database, id: number, isLocked = false): Promise<Proposal> {
  if (isLocked) await rows(database, 'SELECT FROM approval_proposals WHERE id = $id FOR NO KEY UPDATE', { id });
  const found = await firstRow<Proposal>(database, `${selected} WHERE proposal.id = $id`, { id });
  if (!found) throw new Error(`There is no proposal ${id}. See them with: approvals list`);
  return found;
}

/** The files of the proposal; null without files, and once they are erased. */
export async function readSealedFiles(database: Database, { id }: Pick<Proposal, 'id'>): Promise<Buffer | null> {
  const { sealed } = await oneRow<{ sealed: Buffer | null }>(
    database,
    'SELECT sealed_files AS sealed FROM approval_proposals WHERE id = $id',
    { id },
  );
  return sealed;
}

/** Decides the proposal, and erases its files, which nothing needs any more. False if it was decided before, or has expired. */
export function decideProposal(
  database: Database,
  { id, state, operator }: { id: number; state: 'APPROVED' | 'REJECTED'; operator: string },
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE approval_proposals SET state = $state, decided_by = $operator, decided_at = now(), sealed_files = NULL
      WHERE id = $id AND state = 'PENDING' AND expires_at > now() RETURNING id`,
    { id, state, operator },
  );
}

/** Erases the files of proposals that have expired. */
export async function eraseExpiredFiles(database: Database): Promise<void> {
  await rows(
    database,
    'UPDATE approval_proposals SET sealed_files = NULL WHERE sealed_files IS NOT NULL AND expires_at <= now()',
  );
}

/** What an account may do now. `operations`: the only ones of a service account. */
export interface AccountNow {
  role: string;
  operations: string[] | null;
}

/**
 * Reads what the account may do now, and locks it until the transaction ends, so that a suspension or another role waits. Undefined for
 * an account that is suspended, revoked or expired.
 */
export function lockAccount(database: Database, accountId: string): Promise<AccountNow | undefined> {
  return firstRow(database, 'SELECT role, operations FROM lock_account($accountId)', { accountId });
}
