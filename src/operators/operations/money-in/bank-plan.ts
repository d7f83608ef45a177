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
import { creditorReferencesIn } from '../../../domain/funding/creditor-references';
import {
  requestPaidBy,
  waitingReasonTexts,
  type WaitingReason,
} from '../../../domain/funding/waiting-reasons';
import { Sealer } from '../../../security/sealing';
import type { BankAccounts } from '../../../settings/bank-accounts';
import { InvalidArgument, type NamedText } from '../arguments';
import type { Context } from '../context';
import { factsOf, requestsOf } from './bank-credit';
import { readBankFile } from './bank-file';

/** A file whose accounts are ours. */
export interface OurBankFile {
  format: BankFormat;
  booked: NewBankEntry[];
  pending: (BankEntry & { references: readonly string[] })[];
}

/** Reads the file. Throws `InvalidArgument`, also if it has an account that is not ours. */
export function ourBankFile(
  { funding }: Context['config'],
  file: NamedText,
  format: BankFormat | undefined,
): OurBankFile {
  const { bankAccounts, bankCsv: csv } = funding;
  const read = readBankFile(file, { format, csv });
  const entries = read.entries.map((entry) => ({ ...entry, account: ourIban(entry.account, bankAccounts) }));
  const booked = withOrdinals(entries.filter(({ isPending }) => !isPending));
  return {
    format: read.format,
    booked: booked.map((numbered) => ({
      ...numbered,
      nonce: randomBytes(12).toString('hex'),
      identity: bankEntryIdentity(numbered.entry, numbered.ordinal),
      references: referencesIn(numbered.entry),
    })),
    pending: entries
      .filter(({ isPending }) => isPending)
      .map((entry) => ({ ...entry, references: referencesIn(entry) })),
  };
}

/**
 * The IBAN of ours that the bank writes: with its BIC, in Germany as bank code and number, and optionally with the currency. Throws
 * `InvalidArgument`.
 */
function ourIban(written: string, accounts: BankAccounts): string {
  const plain = written.replace(/(?<=\d)[A-Z]{3}$/, '');
  const parts = [...written.split('/'), ...plain.split('/')];
  const [code = '', number = ''] = plain.split('/');
  const german = `${code}${number.padStart(10, '0')}`;
  const ours = [...accounts.values()].map(({ iban }) => iban);
  const found = ours.find(
    (iban) => parts.includes(iban) || (iban.startsWith('DE') && iban.slice(4) === german),
  );
  if (found !== undefined) return found;
  throw new InvalidArgument(`${written} is none of the accounts of this installation`);
}

function referencesIn({ text, endToEndId, bankReference }: BankEntry): string[] {
  return [...new Set([text, endToEndId, bankReference].flatMap(creditorReferencesIn))];
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
