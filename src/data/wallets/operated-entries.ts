/** Entries of operators, and totals of the ledger. The statements of orders post their entries themselves. */
import { isUniqueViolation } from '../database/errors';
import { creditorReferencesIn } from '../../domain/funding/creditor-references';
import { isOfService } from '../../domain/operators/reserved-references';
import { Exact, isPayable } from '../../domain/prices/money';
import type { Binds } from '../database/binds';
import { firstRow, hasRow, oneRow, type Database, rows, type Transaction } from '../database/database';

/** An entry without an order. Its trimmed `reference` moves money in a wallet once, however it is written (`reference_key`). */
export interface EntryInput {
  walletId: number;
  kind: 'FUNDING' | 'ADJUSTMENT';
  type: 'CREDIT' | 'DEBIT';
  /** Above zero, in the wallet's currency. */
  amount: Exact;
  reference: string;
  remarks: string;
  /** Permits a reference that moved money in a wallet of another client. */
  force?: boolean;
}

export interface PostedEntry {
  transactionId: number;
  balanceAfter: string;
  /** Whether the entry was posted before, so that this call changed nothing. */
  repeated: boolean;
}

/** The entry cannot be posted now. The message is a sentence for the operator. */
export class EntryRejected extends Error {
  override readonly name = 'EntryRejected';
}

/**
 * Posts the entry of an operator once, even if repeated. Throws `EntryRejected` if the wallet is missing or closed, the amount is not
 * positive or has too many decimals, less is available, or the reference belongs to another entry, to the service or to a funding request.
 * With `transaction`, also throws if another transaction posts the same entry concurrently.
 */
export async function postEntry(
  database: Database,
  { reference: given, ...others }: EntryInput,
  transaction?: Transaction,
): Promise<PostedEntry> {
  const reference = await operatorReference(database, given, transaction);
  return postOnce(database, { ...others, reference }, transaction);
}

/**
 * Posts the entry of a bank's entry, with the reference that the service makes for it, and `Bank transfer <reference>` if no other remarks
 * are given. Throws as `postEntry` does, but accepts that the reference moved money in a wallet of another client.
 */
export async function postBankEntry(
  database: Database,
  {
    bankEntryId,
    remarks,
    ...others
  }: Omit<EntryInput, 'reference' | 'remarks' | 'force'> & { bankEntryId: number; remarks?: string },
  transaction: Transaction,
): Promise<PostedEntry & { reference: string }> {
  const reference = await bankReference(database, bankEntryId, transaction);
  const entry = { ...others, reference, remarks: remarks ?? `Bank transfer ${reference}`, force: true };
  return { ...(await postOnce(database, entry, transaction)), reference };
}

async function postOnce(database: Database, entry: EntryInput, transaction?: Transaction): Promise<PostedEntry> {
  const earlier = await postedBefore(database, entry, transaction);
  if (earlier) return earlier;
  try {
    const { walletId, kind, type, reference, remarks } = entry;
    const binds = { walletId, kind, type, amount: entry.amount.toFixed(), reference, remarks };
    return await post(database, entryStatement, binds, transaction);
  } catch (error) {
    const isRepeated = isUniqueViolation(error) && transaction === undefined;
    const meanwhile = isRepeated && (await postedBefore(database, entry));
    if (meanwhile) return meanwhile;
    throw error;
  }
}

/** Whether an entry of an operator in the wallet has the reference. */
export function hasReference(database: Database, walletId: number, reference: string): Promise<boolean> {
  const statement = 'SELECT FROM operator_references WHERE wallet_id = $walletId AND key = reference_key($reference)';
  return hasRow(database, statement, { walletId, reference });
}

/** Credits play money in a sandbox, with a new reference. The caller audits it. Throws as `postEntry` does. */
export async function postSandboxFunding(
  database: Database,
  entry: Omit<EntryInput, 'kind' | 'type' | 'force'>,
  transaction: Transaction,
): Promise<PostedEntry> {
  await postedBefore(database, { ...entry, kind: 'FUNDING', type: 'CREDIT' }, transaction);
  return post(database, sandboxStatement, { ...entry, amount: entry.amount.toFixed() }, transaction);
}

/** The trimmed reference. Throws `EntryRejected` if it has no visible character, or equals one that the service makes, however it is written. */
async function operatorReference(database: Database, given: string, transaction?: Transaction): Promise<string> {
  const reference = given.trim();
  const keyOf = 'SELECT reference_key($reference) AS key';
  const { key } = await oneRow<{ key: string }>(database, keyOf, { reference }, transaction);
  if (key === '') throw new EntryRejected('The reference is empty');
  if (isOfService(key))
    throw new EntryRejected(
      `Reference "${reference}" is the service's own: the entries of orders, conversions and bank transfers have it. Name the operation that you record`,
    );
  return reference;
}

/** `bank-<id>`, or `bank-<id>-2` if an operator gave that to an entry of a wallet before such references were reserved. */
async function bankReference(database: Database, bankEntryId: number, transaction: Transaction): Promise<string> {
  const name = `bank-${bankEntryId}`;
  const isTaken = await hasRow(
    database,
    'SELECT FROM operator_references WHERE key = $name AND wallet_id IS NOT NULL',
    { name },
    transaction,
  );
  return isTaken ? `${name}-2` : name;
}

/** The entry with the reference. */
interface StoredEntry {
  transactionId: number;
  kind: EntryInput['kind'];
  type: EntryInput['type'];
  amount: string;
  balanceAfter: string;
}

type WalletAndEntry = WalletState & (StoredEntry | { [Name in keyof StoredEntry]: null });

interface WalletState {
  currencyCode: string;
  minorUnit: number;
  closedAt: Date | null;
  balance: string;
  creditLimit: string;
  /** A wallet of another client in which the reference moved money. */
  otherWalletId: number | null;
  /** A funding request whose reference the reference holds. */
  fundingRequestId: number | null;
}

const walletAndEntry = `
  SELECT wallet.currency_code AS "currencyCode", currency.minor_unit AS "minorUnit",
         wallet.closed_at AS "closedAt", wallet.balance, wallet.credit_limit AS "creditLimit", entry.id AS "transactionId", entry.kind,
         entry.transaction_type AS type, entry.amount, entry.balance_after AS "balanceAfter",
         (SELECT other.id FROM operator_references used JOIN wallets other ON other.id = used.wallet_id
           WHERE used.key = reference_key($reference) AND other.client_id <> wallet.client_id
           LIMIT 1) AS "otherWalletId",
         (SELECT min(id) FROM funding_requests WHERE reference = ANY ($creditorReferences::text[])) AS "fundingRequestId"
    FROM wallets wallet
    JOIN currencies currency ON currency.code = wallet.currency_code
    LEFT JOIN operator_references used ON used.wallet_id = wallet.id AND used.key = reference_key($reference)
    LEFT JOIN LATERAL (
      SELECT * FROM transactions
       WHERE wallet_id = wallet.id AND reference_number IN ($reference, used.reference) AND order_id IS NULL
       -- Older references of one key: the one that is written so.
       ORDER BY reference_number <> $reference LIMIT 1) entry ON true
   WHERE wallet.id = $walletId`;

/** The posted entry with the reference, if any. Throws if it differs from `entry`, or if the wallet cannot take `entry`. */
async function postedBefore(
  database: Database,
  entry: EntryInput,
  transaction?: Transaction,
): Promise<PostedEntry | undefined> {
  const { walletId, kind, reference } = entry;
  const binds = { walletId, reference, creditorReferences: creditorReferencesIn(reference) };
  const wallet = await firstRow<WalletAndEntry>(database, walletAndEntry, binds, transaction);
  if (!wallet) throw new EntryRejected(`There is no wallet ${entry.walletId}`);
  if (wallet.fundingRequestId !== null) {
    throw new EntryRejected(
      `Reference "${reference}" is that of funding request ${wallet.fundingRequestId}. Credit the entry of the bank with: bank credit`,
    );
  }
  if (wallet.transactionId === null) {
    requirePostable(wallet, entry);
    return undefined;
  }
  if (wallet.kind !== kind || wallet.type !== entry.type || !entry.amount.equals(wallet.amount)) {
    throw new EntryRejected(
      `Reference "${reference}" belongs to another entry: ${wallet.kind} ${wallet.type} of ${new Exact(wallet.amount).toFixed()} (transaction ${wallet.transactionId})`,
    );
  }
  return { transactionId: wallet.transactionId, balanceAfter: wallet.balanceAfter, repeated: true };
}

function requirePostable(wallet: WalletState, { walletId, type, amount, reference, force }: EntryInput): void {
  const currency = { code: wallet.currencyCode, minorUnit: wallet.minorUnit };
  if (wallet.closedAt) throw new EntryRejected(`Wallet ${walletId} is closed`);
  if (wallet.otherWalletId !== null && !force) {
    throw new EntryRejected(
      `Reference "${reference}" moved money in wallet ${wallet.otherWalletId} of another client: if both are right, repeat with --force`,
    );
  }
  if (!amount.greaterThan(0) || !isPayable(currency, amount)) {
    throw new EntryRejected(
      `${amount.toFixed()} is not an amount of ${currency.code}: give an amount above 0 with at most ${currency.minorUnit} decimals`,
    );
  }
  const creditLimit = new Exact(wallet.creditLimit);
  if (type === 'DEBIT' && amount.greaterThan(creditLimit.plus(wallet.balance))) {
    const credit = creditLimit.isZero() ? '' : `, with a credit limit of ${creditLimit.toFixed()}`;
    throw new EntryRejected(
      `Wallet ${walletId} holds only ${new Exact(wallet.balance).toFixed()} ${currency.code}${credit}`,
    );
  }
}

const posted = (call: string) => `SELECT id AS "transactionId", balance_after AS "balanceAfter" FROM ${call}`;
const entryStatement = posted(
  'post_entry($walletId, $kind, $type, $amount, NULL, $reference, $remarks, NULL, NULL, NULL, NULL)',
);
const sandboxStatement = posted('fund_sandbox_wallet($walletId, $amount, $reference, $remarks)');

async function post(
  database: Database,
  statement: string,
  binds: Binds & { walletId: number },
  transaction?: Transaction,
): Promise<PostedEntry> {
  const entry = await firstRow<Omit<PostedEntry, 'repeated'>>(database, statement, binds, transaction);
  // The wallet has changed since it was read.
  if (!entry) throw new EntryRejected(`Wallet ${binds.walletId} was closed or debited meanwhile: try again`);
  return { ...entry, repeated: false };
}

// Entries of a wallet are numbered without gaps in the order of commit. So each count adds the entries after the last counted
// number, and orders need not update the totals.
const knownStatement = `
INSERT INTO ledger_counted (wallet_id)
SELECT id FROM wallets WHERE entry_count > 0 AND NOT EXISTS (SELECT FROM ledger_counted WHERE wallet_id = wallets.id)
ON CONFLICT (wallet_id) DO NOTHING`;

const countStatement = `
WITH due AS MATERIALIZED (
  SELECT counted.wallet_id, wallet.currency_code, counted.through AS after, wallet.entry_count AS upto
    FROM ledger_counted counted JOIN wallets wallet ON wallet.id = counted.wallet_id
   WHERE wallet.entry_count > counted.through
   ORDER BY counted.wallet_id FOR UPDATE OF counted
), moved AS (
  UPDATE ledger_counted SET through = due.upto FROM due WHERE ledger_counted.wallet_id = due.wallet_id
)
INSERT INTO ledger_totals AS total (currency_code, kind, transaction_type, entries, amount)
SELECT due.currency_code, entry.kind, entry.transaction_type, count(*), sum(entry.amount)
  FROM due JOIN transactions entry
    ON entry.wallet_id = due.wallet_id AND entry.sequence > due.after AND entry.sequence <= due.upto
 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (currency_code, kind, transaction_type) DO UPDATE
  SET entries = total.entries + excluded.entries, amount = total.amount + excluded.amount`;

/** Adds the entries since the last count to the totals. Exact, even if several processes run it concurrently. */
export async function countLedger(database: Database): Promise<void> {
  await rows(database, knownStatement);
  await rows(database, countStatement);
}
