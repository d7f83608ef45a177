/**
 * Entries of our banks' statements. Each is stored once, in however many files it stands, and credited at most once: by a conditional
 * update in the transaction that posts its ledger entry. docs/decisions/0089-read-bank-files-exactly.md.
 */
import type { BankEntry, NumberedEntry } from '../../domain/funding/bank-entry';
import { bankStatementEntry, type Sealer } from '../../security/sealing';
import { matching } from '../database/conditions';
import { countRows, firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';
import { retention } from '../maintenance/retention';

export const bankEntryStates = ['WAITING', 'CREDITED', 'IGNORED'] as const;
export type BankEntryState = (typeof bankEntryStates)[number];

export interface StoredBankEntry extends Pick<
  BankEntry,
  'account' | 'direction' | 'isReversal' | 'amount' | 'currency'
> {
  id: number;
  nonce: string;
  /** As `2026-11-26`. */
  bookedOn: string;
  references: string[];
  sealedEntry: Buffer;
  state: BankEntryState;
  /** The proposal of its credit that waits for a second person. */
  proposalId: number | null;
  transactionId: number | null;
  walletId: number | null;
  client: string | null;
  /** Of a debit: the credited entry that it takes back. */
  reversesId: number | null;
}

/** SQL: the credited entry that the debit `entry` takes back: it has a reference of it, or is a reversal without one. */
export const reversedEntry = `
  SELECT credited.id FROM bank_entries credited
   WHERE entry.direction = 'DEBIT' AND credited.state = 'CREDITED' AND credited.account = entry.account
     AND credited.amount = entry.amount AND credited.currency = entry.currency AND credited.booked_on <= entry.booked_on
     AND (credited.refs && entry.refs OR (entry.is_reversal AND entry.refs = '{}'))
   ORDER BY credited.id DESC LIMIT 1`;

const columns = `
  entry.id, entry.nonce, entry.account, entry.booked_on::text AS "bookedOn", entry.direction, entry.is_reversal AS "isReversal",
  trim_scale(entry.amount)::text AS amount, entry.currency, entry.refs AS "references", entry.sealed_entry AS "sealedEntry",
  entry.state, proposal.id AS "proposalId", entry.transaction_id AS "transactionId", credit.wallet_id AS "walletId",
  client.name AS client, (${reversedEntry}) AS "reversesId"`;

/** SQL: joins the proposal of the credit of `entry`, while it waits. */
const joinProposal = `JOIN approval_proposals proposal
      ON proposal.id = entry.proposal_id AND proposal.state = 'PENDING' AND proposal.expires_at > now()`;

const selected = `
  SELECT ${columns} FROM bank_entries entry
    LEFT ${joinProposal}
    LEFT JOIN transactions credit ON credit.id = entry.transaction_id
    LEFT JOIN wallets wallet ON wallet.id = credit.wallet_id LEFT JOIN clients client ON client.id = wallet.client_id`;

/** The entry. Throws if there is none with the id. `transaction`: locks it until this transaction ends. */
export async function bankEntry(
  database: Database,
  id: number,
  transaction?: Transaction,
): Promise<StoredBankEntry> {
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

/** The stored entries with these identities, by the 0-based index of the identity; undefined of one that is not stored. */
export async function knownBankEntries(
  database: Database,
  sealer: Sealer,
  identities: readonly string[],
): Promise<(StoredBankEntry | undefined)[]> {
  const hashes = identities.map((identity) => sealer.lookupHashes(identity));
  const found = await rows<StoredBankEntry & { hash: Buffer }>(
    database,
    `SELECT entry.*, stored.identity_hash AS hash FROM (${selected}) entry JOIN bank_entries stored USING (id)
      WHERE stored.identity_hash = ANY ($hashes::bytea[])`,
    { hashes: hashes.flat() },
  );
  const byHash = new Map(found.map(({ hash, ...entry }) => [hash.toString('hex'), entry]));
  return hashes.map((each) => each.map((hash) => byHash.get(hash.toString('hex'))).find((entry) => entry));
}

/** A file of an account that is to be stored. */
export interface NewBankFile {
  name: string;
  account: string;
  format: string;
  importedBy: string;
  /** Permits another format than that of the account's last file. */
  force: boolean;
}

/** A booked entry that is to be stored. */
export interface NewBankEntry extends NumberedEntry {
  nonce: string;
  identity: string;
  references: readonly string[];
}

/** The account was imported in another format before. Fields differ by format, so every known entry would be a new one. */
export class OtherBankFormat extends Error {
  constructor(account: string, former: string) {
    super(
      `Account ${account} was imported as ${former} until now: the entries of this file would be added again`,
    );
  }
}

/** Throws `OtherBankFormat` if the account's last file had another format. */
export async function assertSameFormat(
  database: Database,
  { account, format }: Pick<NewBankFile, 'account' | 'format'>,
  transaction?: Transaction,
): Promise<void> {
  const latest = 'SELECT format FROM bank_files WHERE account = $account ORDER BY id DESC LIMIT 1';
  const former = await firstRow<{ format: string }>(database, latest, { account }, transaction);
  if (former && former.format !== format) throw new OtherBankFormat(account, former.format);
}

const addStatement = `
  INSERT INTO bank_entries (file_id, nonce, account, booked_on, direction, is_reversal, amount, currency, refs, sealed_entry, identity_hash)
  SELECT $fileId, nonce, account, "bookedOn", direction, "isReversal", amount, currency, refs, decode(sealed, 'hex'), decode(hashes[1], 'hex')
    FROM jsonb_to_recordset($entries::jsonb) AS added (
      nonce text, account text, "bookedOn" date, direction text, "isReversal" boolean, amount numeric, currency text, refs text[],
      sealed text, hashes text[])
   WHERE NOT EXISTS (SELECT FROM bank_entries WHERE identity_hash = ANY (ARRAY(SELECT decode(hash, 'hex') FROM unnest(hashes) hash)))
  ON CONFLICT (identity_hash) DO NOTHING RETURNING id`;

/** Entries that one statement adds. */
const AT_ONCE = 1_000;

/**
 * Stores the entries of the file that are not stored, all or none. Returns their number. Imports of one account wait for each other.
 * Throws `OtherBankFormat`.
 */
export function storeBankFile(
  database: Database,
  sealer: Sealer,
  { force, ...file }: NewBankFile,
  entries: readonly NewBankEntry[],
): Promise<number> {
  const { account } = file;
  return database.transaction(async (transaction) => {
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended('bank/' || $account, 0))`;
    await rows(database, lock, { account }, transaction);
    if (!force) await assertSameFormat(database, file, transaction);
    const stored = await firstRow<{ id: number }>(
      database,
      `INSERT INTO bank_files (name, account, format, imported_by) VALUES ($name, $account, $format, $importedBy) RETURNING id`,
      file,
      transaction,
    );
    let added = 0;
    for (let first = 0; first < entries.length; first += AT_ONCE) {
      const part = entries.slice(first, first + AT_ONCE).map((entry) => addedRow(sealer, entry));
      const binds = { fileId: stored?.id ?? null, entries: JSON.stringify(part) };
      added += await countRows(database, addStatement, binds, transaction);
    }
    return added;
  });
}

function addedRow(sealer: Sealer, { nonce, identity, references, entry, ordinal }: NewBankEntry) {
  const { account, bookedOn, direction, isReversal, amount, currency } = entry;
  const sealed = sealer.seal(
    bankStatementEntry(nonce),
    JSON.stringify({ entry, ordinal } satisfies NumberedEntry),
  );
  return {
    nonce,
    account,
    bookedOn,
    direction,
    isReversal,
    amount,
    currency,
    refs: references,
    sealed: sealed.toString('hex'),
    hashes: sealer.lookupHashes(identity).map((hash) => hash.toString('hex')),
  };
}

/** What the bank says about the entry; undefined if it cannot be read. */
export function openBankEntry(
  sealer: Sealer,
  { nonce, sealedEntry }: Pick<StoredBankEntry, 'nonce' | 'sealedEntry'>,
): BankEntry | undefined {
  const json = sealer.openForView(bankStatementEntry(nonce), sealedEntry);
  return json === null ? undefined : (JSON.parse(json) as NumberedEntry).entry;
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
      WHERE id = $id AND state <> 'CREDITED' RETURNING id`,
    { id, transactionId },
    transaction,
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

/** Deletes entries whose retention has ended, at most `limit`. Returns their number. Waiting entries stay. */
export function deleteOldBankEntries(database: Database, limit: number): Promise<number> {
  return countRows(
    database,
    `DELETE FROM bank_entries WHERE id = ANY (ARRAY(
       SELECT id FROM bank_entries WHERE ended_at < now() - ${retention.endedBankEntry} LIMIT $limit)) RETURNING id`,
    { limit },
  );
}
