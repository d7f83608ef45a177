/** What becomes of the entries of a bank's file: the same decision for the preview and for the import. */
import { randomBytes } from 'node:crypto';
import {
  knownBankEntries,
  type NewBankEntry,
  type StoredBankEntry,
} from '../../../data/funding/bank-entries';
import {
  bankEntryIdentity,
  withOrdinals,
  type BankEntry,
  type BankFormat,
} from '../../../domain/funding/bank-entry';
import { accountName, ourAccount, type BankAccounts } from '../../../domain/funding/our-accounts';
import {
  requestPaidBy,
  waitingReasonTexts,
  type WaitingReason,
} from '../../../domain/funding/waiting-reasons';
import { Sealer } from '../../../security/sealing';
import { InvalidArgument, type NamedText } from '../arguments';
import type { Context } from '../context';
import { factsOf, requestsOf } from './bank-credit';
import { readBankFile } from './bank-file';
import { referencesOf } from './entry-references';
import { flatEntries } from './flat-entries';

/** A file whose accounts are ours. */
export interface OurBankFile {
  format: BankFormat;
  booked: NewBankEntry[];
  pending: (BankEntry & { references: readonly string[] })[];
}

/** Reads the file. Throws `InvalidArgument`, also if it has an account that is not ours, or another format than the `wanted` one. */
export async function ourBankFile(
  { database, config }: Pick<Context, 'database' | 'config'>,
  { name, text }: NamedText,
  wanted: BankFormat | undefined,
): Promise<OurBankFile> {
  const { bankAccounts, bankCsv: csv } = config.funding;
  const { format, statements } = await readBankFile({ name, bytes: Buffer.from(text) }, { csv });
  if (wanted !== undefined && wanted !== format)
    throw new InvalidArgument(`${name} is ${format}, not ${wanted}`);
  const entries = flatEntries(
    statements.map((one) => ({ ...one, account: ourAccountName(one.account, bankAccounts) })),
  );
  const references = await referencesOf(database, entries);
  const referring = entries.map((entry, index) => ({ entry, references: references[index] ?? [] }));
  const booked = withOrdinals(entries.filter(({ isPending }) => !isPending));
  const ofBooked = referring.filter(({ entry }) => !entry.isPending);
  return {
    format,
    booked: booked.map((numbered, index) => ({
      ...numbered,
      nonce: randomBytes(12).toString('hex'),
      identity: bankEntryIdentity(numbered.entry, numbered.ordinal),
      references: ofBooked[index]?.references ?? [],
    })),
    pending: referring.flatMap(({ entry, references: found }) =>
      entry.isPending ? [{ ...entry, references: found }] : [],
    ),
  };
}

/** The name of our account that the bank writes so. Throws `InvalidArgument`, which names what the file says and what we know. */
export function ourAccountName(written: string, accounts: BankAccounts): string {
  const found = ourAccount(written, accounts.values());
  if (found) return accountName(found);
  const known = [...new Set([...accounts.values()].map(accountName))].join(', ') || 'none';
  throw new InvalidArgument(
    `the file is of the account ${written}, and the accounts of this installation are ${known}. If it is one of these, add ${written} to its statement_accounts in BANK_ACCOUNTS`,
  );
}

/** An entry of the file with what becomes of it. */
export interface PlannedEntry {
  entry: BankEntry;
  references: readonly string[];
  /** Undefined if it is not stored. */
  stored: StoredBankEntry | undefined;
  /** The wallet that it credits; null if it waits, or is credited or ignored already. */
  walletId: number | null;
  reason: WaitingReason | null;
}

/** Decides about each entry, in the sequence of the file. Of two entries that pay one request, the second waits. */
export async function plannedEntries(
  context: Pick<Context, 'database' | 'config' | 'keyRing'>,
  { booked, pending }: OurBankFile,
): Promise<PlannedEntry[]> {
  const sealer = new Sealer(await context.keyRing());
  const known = await knownBankEntries(
    context.database,
    sealer,
    booked.map(({ identity }) => identity),
  );
  const requests = await requestsOf(context, [...new Set(booked.flatMap(({ references }) => references))]);
  const spoken = new Set<number>();
  const planned = booked.map(({ entry, references }, index): PlannedEntry => {
    const stored = known[index];
    const shown = { entry, references, stored };
    if (stored && stored.state !== 'WAITING') return { ...shown, walletId: null, reason: null };
    const paid = stored ? paidByStored(stored, requests) : requestPaidBy({ ...entry, references }, requests);
    if (typeof paid === 'string') return { ...shown, walletId: null, reason: paid };
    if (spoken.has(paid.id)) return { ...shown, walletId: null, reason: 'REQUEST_CREDITED' };
    spoken.add(paid.id);
    return { ...shown, walletId: paid.walletId, reason: null };
  });
  const unsettled = pending.map(({ references, ...entry }): PlannedEntry => ({
    entry,
    references,
    stored: undefined,
    walletId: null,
    reason: 'NOT_BOOKED',
  }));
  return [...planned, ...unsettled];
}

/** The request that a waiting entry pays, or why it waits. */
export function paidByStored<Request extends Parameters<typeof requestPaidBy>[1][number]>(
  stored: StoredBankEntry,
  requests: readonly Request[],
): Request | WaitingReason {
  if (stored.reversesId !== null) return 'REVERSES_CREDIT';
  return stored.proposalId === null ? requestPaidBy(factsOf(stored), requests) : 'APPROVAL';
}

/** The columns of an entry of a file. */
export const plannedColumns = {
  id: 'number',
  booked_on: 'text',
  direction: 'text',
  amount: 'text',
  currency: 'text',
  payer: 'text',
  references: 'text',
  result: 'text',
  wallet_id: 'number',
  why: 'text',
  explanation: 'text',
} as const;

/** What becomes of an entry: of the preview `CREDIT`, otherwise `CREDITED` or `PROPOSED`. */
export type BankResult = 'CREDIT' | 'CREDITED' | 'PROPOSED' | 'WAITS' | 'KNOWN' | 'PENDING';

/** The entry as operators read it. */
export function shownPlan({ entry, references, stored, walletId, reason }: PlannedEntry, result: BankResult) {
  return {
    id: stored?.id ?? null,
    booked_on: entry.bookedOn,
    direction: entry.direction,
    amount: entry.amount,
    currency: entry.currency,
    payer: entry.payer || null,
    references: references.join(', ') || null,
    result,
    wallet_id: walletId ?? stored?.walletId ?? null,
    why: reason,
    explanation: reason && waitingReasonTexts[reason],
  };
}
