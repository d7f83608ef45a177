/**
 * Funding requests: transfers that clients announce. A request is credited at most once, by the statement that posts its entry.
 * docs/decisions/0088-credit-transfers-by-their-reference.md.
 */
import { randomInt } from 'node:crypto';
import type { AuditedCaller } from '../../domain/audit';
import { creditorReference } from '../../domain/funding/creditor-references';
import { MAX_PENDING_FUNDING, type FundingState } from '../../domain/funding/funding-states';
import type { Exact } from '../../domain/prices/money';
import { purchaseOrder, type Sealer } from '../../security/sealing';
import { recordAudit } from '../audit/audit-entries';
import { givenOrNull } from '../database/binds';
import { countRows, firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { retention } from '../maintenance/retention';

export interface FundingRequest {
  id: number;
  clientId: number;
  walletId: number;
  /** A decimal string in the wallet's currency. */
  amount: string;
  currency: string;
  reference: string;
  /** Null without one, and once it is deleted. */
  sealedPurchaseOrder: Buffer | null;
  state: FundingState;
  transactionId: number | null;
  createdAt: Date;
  expiresAt: Date;
}

/** SQL: whether the request `request` waits for its transfer. A request expires without a statement that says so. */
const isPending = `request.state = 'PENDING' AND request.expires_at > now()`;

/** SQL: the state of the row `request` of `funding_requests`. */
export const currentFundingState = `CASE WHEN request.state = 'PENDING' AND request.expires_at <= now() THEN 'EXPIRED' ELSE request.state END`;

/** SQL: the sum of the PENDING requests of the row of `wallets`. */
export const pendingFunding = `
  (SELECT coalesce(sum(request.amount), 0) FROM funding_requests request
    WHERE request.wallet_id = wallets.id AND ${isPending})`;

const columns = `
  request.id, request.client_id AS "clientId", request.wallet_id AS "walletId", request.amount, wallet.currency_code AS currency,
  request.reference, request.sealed_purchase_order AS "sealedPurchaseOrder", ${currentFundingState} AS state,
  request.transaction_id AS "transactionId", request.created_at AS "createdAt", request.expires_at AS "expiresAt"`;

const requests = `SELECT ${columns} FROM funding_requests request JOIN wallets wallet ON wallet.id = request.wallet_id`;

/** The client's request, or undefined if there is none with the id or it is another client's. */
export function findFundingRequest(database: Database, clientId: number, id: number) {
  const statement = `${requests} WHERE request.id = $id AND request.client_id = $clientId`;
  return firstRow<FundingRequest>(database, statement, { clientId, id });
}

/** The requests of any client with one of the references, as `creditorReferencesIn` returns them. */
export function fundingRequestsWith(database: Database, references: readonly string[], transaction?: Transaction) {
  const statement = `${requests} WHERE request.reference = ANY ($references::text[]) ORDER BY request.id`;
  return rows<FundingRequest>(database, statement, { references }, transaction);
}

/** The conditions of a list. An undefined condition matches every request. */
export interface FundingFilter {
  clientId?: number | undefined;
  walletId?: number | undefined;
  state?: FundingState | undefined;
}

/** SQL: whether the row `request` matches the filter of `fundingBinds`. */
export const isWantedFunding = `
  ($clientId::integer IS NULL OR request.client_id = $clientId) AND ($walletId::integer IS NULL OR request.wallet_id = $walletId)
  AND ($state::text IS NULL OR ${currentFundingState} = $state)`;

/** The binds of `isWantedFunding`. */
export const fundingBinds = ({ clientId, walletId, state }: FundingFilter) =>
  givenOrNull({ clientId, walletId, state });

/** One page of the requests that match all conditions, newest first, with the number of all. */
export async function listFundingRequests(
  database: Database,
  filter: FundingFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; requests: FundingRequest[] }> {
  const binds = fundingBinds(filter);
  const count = `SELECT count(*) AS total FROM funding_requests request WHERE ${isWantedFunding}`;
  const { total } = await oneRow<{ total: number }>(database, count, binds);
  const page = `${requests} WHERE ${isWantedFunding} ORDER BY request.id DESC OFFSET $offset LIMIT $limit`;
  return { total, requests: await rows<FundingRequest>(database, page, { ...binds, offset, limit }) };
}

export interface NewFunding {
  clientId: number;
  walletId: number;
  /** Above zero, in the wallet's currency. */
  amount: Exact;
  purchaseOrder: string | null;
  /** The days until it expires. */
  days: number;
}

/** What came of a new request. `TOO_MANY`: the wallet has `MAX_PENDING_FUNDING` PENDING requests. */
export type RequestedFunding =
  | { outcome: 'REQUESTED'; id: number }
  | { outcome: 'NO_WALLET' | 'WALLET_CLOSED' | 'TOO_MANY' };

const insertStatement = `
  INSERT INTO funding_requests (client_id, wallet_id, amount, reference, sealed_purchase_order, expires_at)
  SELECT $clientId, $walletId, $amount, $reference, $sealed, now() + $days * interval '1 day'
   WHERE (SELECT count(*) FROM funding_requests request WHERE wallet_id = $walletId AND ${isPending}) < ${MAX_PENDING_FUNDING}
  RETURNING id`;

/** Stores a request with a new reference, unless the client has no such open wallet, or too many requests wait for it. */
export async function requestFunding(
  database: Database,
  sealer: Sealer,
  { clientId, walletId, amount, purchaseOrder: text, days }: NewFunding,
): Promise<RequestedFunding> {
  const reference = newReference();
  const sealed = sealer.sealOptional(purchaseOrder(reference), text);
  const binds = { clientId, walletId, amount: amount.toFixed(), reference, sealed, days };
  return database.transaction(async (transaction) => {
    // Locked, so that no other request is counted too late, and the wallet is not closed meanwhile.
    const lock = `SELECT closed_at AS "closedAt" FROM wallets WHERE id = $walletId AND client_id = $clientId FOR NO KEY UPDATE`;
    const wallet = await firstRow<{ closedAt: Date | null }>(database, lock, { clientId, walletId }, transaction);
    if (!wallet) return { outcome: 'NO_WALLET' };
    if (wallet.closedAt) return { outcome: 'WALLET_CLOSED' };
    const stored = await firstRow<{ id: number }>(database, insertStatement, binds, transaction);
    return stored ? { outcome: 'REQUESTED', id: stored.id } : { outcome: 'TOO_MANY' };
  });
}

/** Without the letters I, L, O and U, which people confuse with others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const newReference = () =>
  creditorReference(Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join(''));

const cancelStatement = `
  UPDATE funding_requests request SET state = 'CANCELLED', ended_at = now()
   WHERE request.id = $id AND ($clientId::integer IS NULL OR request.client_id = $clientId) AND ${isPending} RETURNING id`;

/** Cancels the client's own request. Returns false if it is not PENDING any more, or not the client's. */
export function cancelOwnFunding(database: Database, caller: AuditedCaller, id: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const { clientId } = caller;
    const cancelled = await countRows(database, cancelStatement, { id, clientId }, transaction);
    if (cancelled === 0) return false;
    const entry = { action: 'funding_request.cancelled', object: `funding_request/${id}` } as const;
    await recordAudit(database, caller, entry, transaction);
    return true;
  });
}

/** Cancels the request of any client, which a trigger audits. Returns false if it is not PENDING any more. */
export async function cancelFundingRequest(
  database: Database,
  id: number,
  transaction?: Transaction,
): Promise<boolean> {
  return (await countRows(database, cancelStatement, { id, clientId: null }, transaction)) > 0;
}

/** What came of the credit of a request. Only `CREDITED` has changed anything. */
export type FundingCredit =
  | { outcome: 'CREDITED'; walletId: number; transactionId: number; balanceAfter: string }
  | { outcome: 'NOT_PENDING'; state: Exclude<FundingState, 'PENDING'> }
  | { outcome: 'WALLET_CLOSED'; walletId: number }
  | { outcome: 'NO_REQUEST' };

/** `posted`: SQL that posts the entry. A credit waits for a concurrent credit or cancellation, and then finds no PENDING request. */
const creditStatement = (posted: string) => `
  WITH pending AS MATERIALIZED (
    SELECT * FROM funding_requests request WHERE request.id = $id AND ${isPending} FOR UPDATE
  ), entry AS MATERIALIZED (
    SELECT posted.* FROM pending, LATERAL ${posted} posted
  )
  UPDATE funding_requests request SET state = 'CREDITED', transaction_id = entry.id, ended_at = now()
    FROM entry WHERE request.id = $id AND ${isPending}
  RETURNING request.wallet_id AS "walletId", entry.id AS "transactionId", entry.balance_after AS "balanceAfter"`;

const remarks = `'Bank transfer ' || pending.reference`;
const byOperator = creditStatement(
  `post_entry(pending.wallet_id, 'FUNDING', 'CREDIT', pending.amount, NULL, pending.reference, ${remarks}, NULL, NULL, NULL, NULL)`,
);
const inSandbox = creditStatement(
  `fund_sandbox_wallet(pending.wallet_id, pending.amount, pending.reference, ${remarks})`,
);

/**
 * Credits a PENDING request with its own amount and reference, once, however often and from however many processes it is called. Only
 * for the operators' process: the role of the service may not write the entry.
 */
export function creditFundingRequest(
  database: Database,
  id: number,
  transaction?: Transaction,
): Promise<FundingCredit> {
  return credit(database, byOperator, id, transaction);
}

/**
 * Like `creditFundingRequest`, with play money, for a client of a sandbox, whom the audit names. `fund_sandbox_wallet` rejects it in
 * production: the role of the service writes no money there.
 */
export function paySandboxFunding(database: Database, caller: AuditedCaller, id: number): Promise<FundingCredit> {
  return database.transaction(async (transaction) => {
    const paid = await credit(database, inSandbox, id, transaction);
    if (paid.outcome !== 'CREDITED') return paid;
    const after = { transaction_id: paid.transactionId, funding_request_id: id };
    const entry = { action: 'sandbox_wallet.funded', object: `wallet/${paid.walletId}`, after } as const;
    await recordAudit(database, caller, entry, transaction);
    return paid;
  });
}

async function credit(
  database: Database,
  statement: string,
  id: number,
  transaction?: Transaction,
): Promise<FundingCredit> {
  type Credited = Omit<Extract<FundingCredit, { outcome: 'CREDITED' }>, 'outcome'>;
  const credited = await firstRow<Credited>(database, statement, { id }, transaction);
  if (credited) return { outcome: 'CREDITED', ...credited };
  const request = await firstRow<Pick<FundingRequest, 'walletId' | 'state'>>(
    database,
    `SELECT wallet_id AS "walletId", ${currentFundingState} AS state FROM funding_requests request WHERE id = $id`,
    { id },
    transaction,
  );
  if (!request) return { outcome: 'NO_REQUEST' };
  const { walletId, state: found } = request;
  return found === 'PENDING' ? { outcome: 'WALLET_CLOSED', walletId } : { outcome: 'NOT_PENDING', state: found };
}

const eraseStatement = `
  UPDATE funding_requests SET sealed_purchase_order = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM funding_requests
     WHERE sealed_purchase_order IS NOT NULL AND coalesce(ended_at, expires_at) < now() - ${retention.purchaseOrder} LIMIT $limit))
  RETURNING id`;

/** Deletes the texts of requests whose retention has ended, at most `limit`. Returns their number. The requests stay. */
export function eraseOldPurchaseOrders(database: Database, limit: number) {
  return countRows(database, eraseStatement, { limit });
}
