/**
 * Entries of our banks' statements: the parts of their bookings. Each is credited at most once: by a conditional update in the transaction
 * that posts its ledger entry. docs/decisions/0089-credit-one-booking-once.md.
 */
import type { BankBooking, BankPart } from '../../domain/funding/bank-statement';
import { bankStatementEntry, type Sealer } from '../../security/sealing';
import { matching } from '../database/conditions';
import { countRows, firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';
import { retention } from '../maintenance/retention';
import { reversedEntry } from './take-back-matching';

/** `DEBITED`: it took a credited entry back. `REPLACED`: the bank sent other parts of its booking before it moved money in a wallet. */
export const bankEntryStates = ['WAITING', 'CREDITED', 'DEBITED', 'IGNORED', 'REPLACED'] as const;
export type BankEntryState = (typeof bankEntryStates)[number];

export interface StoredBankEntry extends Pick<BankBooking, 'direction' | 'isReversal' | 'amount' | 'currency'> {
  id: number;
  bookingId: number;
  account: string;
  nonce: string;
  /** As `2026-11-26`. */
  bookedOn: string;
  references: string[];
  /** Null once its texts are deleted. */
  sealedEntry: Buffer | null;
  state: BankEntryState;
  /** The proposal of its credit that waits for a second person. */
  proposalId: number | null;
  transactionId: number | null;
  walletId: number | null;
  client: string | null;
  /** The credited entry that it takes back, or may take back. */
  reversesId: number | null;
}

const columns = `
  entry.id, entry.booking_id AS "bookingId", entry.nonce, entry.account, entry.booked_on::text AS "bookedOn", entry.direction, entry.is_reversal AS "isReversal",
  trim_scale(entry.amount)::text AS amount, entry.currency, entry.refs AS "references", entry.sealed_entry AS "sealedEntry",
  entry.state, proposal.id AS "proposalId", entry.transaction_id AS "transactionId", credit.wallet_id AS "walletId",
  client.name AS client, coalesce(entry.takes_back_id, (${reversedEntry})) AS "reversesId"`;

/** SQL: joins the proposal of the credit of `entry`, while it waits. */
const joinProposal = `JOIN approval_proposals proposal
      ON proposal.id = entry.proposal_id AND proposal.state = 'PENDING' AND proposal.expires_at > now()`;

const selected = `
  SELECT ${columns} FROM bank_entries entry
    LEFT ${joinProposal}
    LEFT JOIN transactions credit ON credit.id = entry.transaction_id
    LEFT JOIN wallets wallet ON wallet.id = credit.wallet_id LEFT JOIN clients client ON client.id = wallet.client_id`;

/** The entry. Throws if there is none with the id. `transaction`: locks it until this transaction ends. */
export async function bankEntry(database: Database, id: number, transaction?: Transaction): Promise<StoredBankEntry> {
  const statement = `${selected} WHERE entry.id = $id${transaction ? ' FOR NO KEY UPDATE OF entry' : ''}`;
  const found = await firstRow<StoredBankEntry>(database, statement, { id }, transaction);
  if (!found) throw new Error(`There is no entry ${id}. See them with: bank entries`);
  return found;
}

/** By reference: the first entry with it whose credit waits for approval. */
export async function proposedEntries(
  database: Database,
  references: readonly string[],
  transaction?: Transaction,
): Promise<ReadonlyMap<string, number>> {
  const found = await rows<{ reference: string; id: number }>(
    database,
    `SELECT held.reference, min(entry.id) AS id FROM bank_entries entry ${joinProposal}
      CROSS JOIN LATERAL unnest(entry.refs) AS held (reference)
      WHERE entry.state = 'WAITING' AND entry.refs && $references::text[] GROUP BY held.reference`,
    { references },
    transaction,
  );
  return new Map(found.map(({ reference, id }) => [reference, id]));
}

/** The conditions of a list. An undefined condition matches every entry. */
export interface BankEntryFilter {
  state?: BankEntryState | undefined;
  account?: string | undefined;
  /** Only entries behind the one with this id. */
  after?: number | undefined;
}

/** The entries that match all conditions, the newest first. */
export function listBankEntries(
  database: Database,
  { limit, ...filter }: BankEntryFilter & { limit: number },
  transaction?: Transaction,
) {
  const { where, binds } = matching(filter, {
    state: 'entry.state = $state',
    account: 'entry.account = $account',
    after: 'entry.id < $after',
  });
  return rows<StoredBankEntry>(
    database,
    `${selected} WHERE ${where} ORDER BY entry.id DESC LIMIT $limit`,
    { ...binds, limit },
    transaction,
  );
}

/** The entries of these bookings, oldest first, without those that were replaced. */
export async function entriesOfBookings(
  database: Database,
  bookingIds: readonly number[],
): Promise<ReadonlyMap<number, StoredBankEntry[]>> {
  const statement = `${selected} WHERE entry.booking_id = ANY ($bookingIds::integer[]) AND entry.state <> 'REPLACED' ORDER BY entry.id`;
  const found = new Map<number, StoredBankEntry[]>();
  for (const entry of await rows<StoredBankEntry>(database, statement, { bookingIds })) {
    const entries = found.get(entry.bookingId);
    if (entries) entries.push(entry);
    else found.set(entry.bookingId, [entry]);
  }
  return found;
}

/** The account was imported in another format before. Texts differ by format, so a known booking without a bank reference would be new. */
export class OtherBankFormat extends Error {
  constructor(account: string, former: string) {
    super(`Account ${account} was imported as ${former} until now: the entries of this file would be added again`);
  }
}

/** Throws `OtherBankFormat` if the account's last file had another format. */
export async function assertSameFormat(
  database: Database,
  { account, format }: { account: string; format: string },
  transaction?: Transaction,
): Promise<void> {
  const latest = 'SELECT format FROM bank_files WHERE account = $account ORDER BY id DESC LIMIT 1';
  const former = await firstRow<{ format: string }>(database, latest, { account }, transaction);
  if (former && former.format !== format) throw new OtherBankFormat(account, former.format);
}

/** What a bank says about an entry. Entries of release 1.0.0 have more fields. */
export interface BankTexts extends Pick<BankPart, 'payer' | 'payerAccount' | 'endToEndId' | 'text'> {
  bankReference: string;
}

/** Seals what the bank says about the part. */
export function sealBankPart(
  sealer: Sealer,
  nonce: string,
  { bankReference, valueOn }: BankBooking,
  { payer, payerAccount, endToEndId, text }: BankPart,
): Buffer {
  const entry = { bankReference, valueOn, payer, payerAccount, endToEndId, text };
  return sealer.seal(bankStatementEntry(nonce), JSON.stringify({ entry }));
}

/** What the bank says about the entry; undefined if it cannot be read, or is deleted. */
export function openBankEntry(
  sealer: Sealer,
  { nonce, sealedEntry }: Pick<StoredBankEntry, 'nonce' | 'sealedEntry'>,
): BankTexts | undefined {
  const json = sealer.openForView(bankStatementEntry(nonce), sealedEntry);
  return json === null ? undefined : (JSON.parse(json) as { entry: BankTexts }).entry;
}

/** Records the ledger entry that credits the entry. Returns false if it was credited before, and the ledger entry must be undone. */
export function recordBankCredit(
  database: Database,
  { id, transactionId }: { id: number; transactionId: number },
  transaction: Transaction,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE bank_entries SET state = 'CREDITED', transaction_id = $transactionId, ended_at = now()
      WHERE id = $id AND state IN ('WAITING', 'IGNORED') RETURNING id`,
    { id, transactionId },
    transaction,
  );
}

/**
 * Records the ledger entry by which the entry takes back a credited one. Returns false if it moved money before, and the ledger entry must
 * be undone. Throws if the credited entry is taken back already.
 */
export function recordTakenBack(
  database: Database,
  { id, takesBackId, transactionId }: { id: number; takesBackId: number; transactionId: number },
  transaction: Transaction,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE bank_entries SET state = 'DEBITED', takes_back_id = $takesBackId, transaction_id = $transactionId, ended_at = now()
      WHERE id = $id AND state IN ('WAITING', 'IGNORED') RETURNING id`,
    { id, takesBackId, transactionId },
    transaction,
  );
}

/** The states of the entries, by id. Without those that do not exist. */
export function listBankEntryStates(database: Database, ids: readonly number[]) {
  return rows<Pick<StoredBankEntry, 'id' | 'amount' | 'currency' | 'state'>>(
    database,
    `SELECT id, trim_scale(amount)::text AS amount, currency, state FROM bank_entries
      WHERE id = ANY ($ids::integer[]) ORDER BY id`,
    { ids },
  );
}

/** Ignores the waiting entries. Returns the ids of those that it changed. */
export async function ignoreBankEntries(
  database: Database,
  ids: readonly number[],
  transaction: Transaction,
): Promise<number[]> {
  const ignored = await rows<{ id: number }>(
    database,
    `UPDATE bank_entries SET state = 'IGNORED', ended_at = now()
      WHERE id = ANY ($ids::integer[]) AND state = 'WAITING' RETURNING id`,
    { ids },
    transaction,
  );
  return ignored.map(({ id }) => id);
}

/** Names the proposal of the entry's credit, while it waits. */
export async function noteBankProposal(
  database: Database,
  { id, proposalId }: { id: number; proposalId: number },
): Promise<void> {
  const statement = `UPDATE bank_entries SET proposal_id = $proposalId WHERE id = $id AND state <> 'CREDITED' RETURNING id`;
  await rows(database, statement, { id, proposalId });
}

/** Those of the wallets that are open. */
export async function openWalletsAmong(
  database: Database,
  ids: readonly number[],
  transaction?: Transaction,
): Promise<ReadonlySet<number>> {
  const statement = 'SELECT id FROM wallets WHERE id = ANY ($ids::integer[]) AND closed_at IS NULL';
  return new Set((await rows<{ id: number }>(database, statement, { ids }, transaction)).map(({ id }) => id));
}

/** Deletes the texts of entries whose retention has ended, at most `limit`. Returns their number. An old file stays known. */
export function eraseOldBankTexts(database: Database, limit: number): Promise<number> {
  return countRows(
    database,
    `UPDATE bank_entries SET sealed_entry = NULL WHERE id = ANY (ARRAY(
       SELECT id FROM bank_entries
        WHERE ended_at < now() - ${retention.endedBankText} AND sealed_entry IS NOT NULL LIMIT $limit)) RETURNING id`,
    { limit },
  );
}
