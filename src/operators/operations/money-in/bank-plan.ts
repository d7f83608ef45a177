/** What becomes of the entries of a bank's file: the same decision for the preview and for the import. */
import { entriesOfBookings, openBankEntry, type StoredBankEntry } from '../../../data/funding/bank-entries';
import { inChunks } from '../../../data/funding/bank-bookings';
import type { ImportedBooking } from '../../../data/funding/bank-statements';
import { creditedBookingsLike, type CreditedBooking } from '../../../data/funding/credited-bookings';
import type { EqualEntry } from '../../../data/funding/found-bookings';
import type { BankBooking, BankFormat, BankPart, BankStatement } from '../../../domain/funding/bank-statement';
import { accountName, ourAccount, type BankAccounts } from '../../../domain/funding/our-accounts';
import { requestPaidBy, waitingReasonTexts, type WaitingReason } from '../../../domain/funding/automatic-credit';
import { Sealer } from '../../../security/sealing';
import { InvalidArgument } from '../arguments';
import type { Context } from '../context';
import type { UploadedFile } from '../files/uploaded-file';
import { likenessOf } from './bank-credit';
import { referencesOf } from './entry-references';
import { factsOf, requestsOf, type PayableRequest } from './payable-requests';

/** A file whose accounts are ours. */
export interface OurBankFile {
  name: string;
  format: BankFormat;
  /** With booked bookings only. */
  statements: BankStatement[];
  pending: BankBooking[];
  /** The references in the texts of each part. */
  references: ReadonlyMap<BankPart, readonly string[]>;
}

/** Reads the file. Throws `InvalidArgument`, also if it has an account that is not ours, or another format than the `wanted` one. */
export async function ourBankFile(
  { database, config }: Pick<Context, 'database' | 'config'>,
  file: UploadedFile<'bank'>,
  wanted: BankFormat | undefined,
): Promise<OurBankFile> {
  const { bankAccounts, bankCsv: csv } = config.funding;
  const { format, statements } = await file.read({ csv });
  if (wanted !== undefined && wanted !== format) throw new InvalidArgument(`${file.name} is ${format}, not ${wanted}`);
  const bookings = statements.flatMap((statement) => statement.bookings);
  const parts = bookings.flatMap((booking) =>
    booking.parts.map((part) => ({ part, ...part, bankReference: booking.bankReference })),
  );
  const references = await referencesOf(database, parts);
  return {
    name: file.name,
    format,
    statements: statements.map((statement) => ({
      ...statement,
      account: ourAccountName(statement.account, bankAccounts),
      bookings: statement.bookings.filter(({ isPending }) => !isPending),
    })),
    pending: bookings.filter(({ isPending }) => isPending),
    references: new Map(parts.map(({ part }, index) => [part, references[index] ?? []])),
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
export interface PlannedEntry extends Pick<BankBooking, 'bookedOn' | 'direction' | 'amount' | 'currency'> {
  payer: string;
  references: readonly string[];
  /** Undefined if it is not booked. */
  stored: StoredBankEntry | undefined;
  isNew: boolean;
  /** The stored entry that is equal, if only a person knows whether it is one payment or two. */
  doubt: EqualEntry | undefined;
  /** The request that it pays, unless it waits for another reason, or is credited or ignored already. */
  paid: PayableRequest | undefined;
  reason: WaitingReason | null;
  explanation: string | null;
}

/** Decides about each stored entry, in the sequence of the file. Of two entries that pay one request, the second waits. */
export async function plannedEntries(
  context: Pick<Context, 'database' | 'config' | 'keyRing'>,
  { pending, references }: Pick<OurBankFile, 'pending' | 'references'>,
  imported: readonly (readonly ImportedBooking[])[],
): Promise<PlannedEntry[]> {
  const bookings = eachOnce(imported.flat());
  const sealer = new Sealer(await context.keyRing());
  const spoken = new Set<number>();
  const planned: PlannedEntry[] = [];
  for (const chunk of inChunks(bookings)) {
    const ids = chunk.map(({ bookingId }) => bookingId);
    const stored = await entriesOfBookings(context.database, ids);
    const waiting = await waitingEntries(context, sealer, [...stored.values()].flat());
    for (const { bookingId, isNew, doubt } of chunk)
      for (const entry of stored.get(bookingId) ?? []) {
        const decided = entry.state === 'WAITING' ? waiting.decide(entry) : knownBefore;
        const { paid } = decided;
        const isSecond = paid !== undefined && spoken.has(paid.id);
        if (paid) spoken.add(paid.id);
        const payer = openBankEntry(sealer, entry)?.payer ?? '';
        const why = isSecond ? because('REQUEST_CREDITED') : decided;
        planned.push({ ...entry, payer, stored: entry, isNew, doubt, ...why, paid });
      }
  }
  return [...planned, ...pending.flatMap((booking) => notBooked(booking, references))];
}

/** A file may have a booking in several statements. It is new if the first one adds it, and each of them may ask about it. */
function eachOnce(imported: readonly ImportedBooking[]): ImportedBooking[] {
  const once = new Map<number, ImportedBooking>();
  for (const one of imported) {
    const first = once.get(one.bookingId);
    once.set(one.bookingId, first ? { ...first, doubt: first.doubt ?? one.doubt } : one);
  }
  return [...once.values()];
}

type Decided = Pick<PlannedEntry, 'paid' | 'reason' | 'explanation'>;

const knownBefore: Decided = { paid: undefined, reason: null, explanation: null };

function because(reason: WaitingReason, explanation: string = waitingReasonTexts[reason]): Decided {
  return { paid: undefined, reason, explanation };
}

function notBooked(booking: BankBooking, references: OurBankFile['references']): PlannedEntry[] {
  return booking.parts.map((part) => ({
    ...booking,
    amount: part.amount,
    payer: part.payer,
    references: references.get(part) ?? [],
    stored: undefined,
    isNew: false,
    doubt: undefined,
    ...because('NOT_BOOKED'),
  }));
}

/** Decides about waiting entries as they are now: a request, a wallet or another entry may have changed since the import. */
export async function waitingEntries(
  context: Pick<Context, 'database' | 'config'>,
  sealer: Sealer,
  entries: readonly StoredBankEntry[],
): Promise<{ decide: (entry: StoredBankEntry) => Decided; like: ReadonlyMap<number, CreditedBooking[]> }> {
  const waiting = entries.filter(({ state }) => state === 'WAITING');
  const requests = await requestsOf(context, [...new Set(waiting.flatMap(({ references }) => references))]);
  const byReference = new Map(requests.map((request) => [request.reference, request]));
  const credits = waiting.filter(({ direction }) => direction === 'CREDIT');
  const like = await creditedBookingsLike(
    context.database,
    sealer,
    credits.map(({ bookingId }) => bookingId),
  );
  const decide = (entry: StoredBankEntry): Decided => {
    const takesBack = takesBackOf(entry);
    if (takesBack?.isNamed) return because('REVERSES_CREDIT', takesBack.question);
    const own = entry.references.flatMap((reference) => byReference.get(reference) ?? []);
    const paid = requestPaidBy(factsOf(entry), own);
    if (paid === 'REVERSAL' || paid === 'DEBIT')
      return because(paid, [waitingReasonTexts[paid], takesBack?.question ?? ''].join(' ').trim());
    if (entry.proposalId !== null) return because('APPROVAL');
    const credited = like.get(entry.bookingId);
    if (credited) return because('LOOKS_CREDITED', `${likenessOf(credited)}. ${waitingReasonTexts.LOOKS_CREDITED}`);
    return typeof paid === 'string' ? because(paid) : { paid, reason: null, explanation: null };
  };
  return { decide, like };
}

/** The question about a credited entry. `isNamed`: the bank says that the entry takes back some entry, or it has a reference of this one. */
function takesBackOf({ reversesId, isReversal, references }: StoredBankEntry) {
  if (reversesId === null) return undefined;
  const question = `It may take back entry ${reversesId}, which is credited. Nothing was moved.`;
  return { isNamed: isReversal || references.length > 0, question };
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
  equal_to: 'number',
  question: 'text',
} as const;

/** What becomes of an entry: of the preview `CREDIT`, otherwise `CREDITED` or `PROPOSED`. */
export type BankResult = 'CREDIT' | 'CREDITED' | 'PROPOSED' | 'WAITS' | 'KNOWN' | 'PENDING';

/** What a preview foresees. */
export function foreseen({ stored, paid, reason }: PlannedEntry): BankResult {
  if (stored && stored.state !== 'WAITING') return 'KNOWN';
  if (reason === 'NOT_BOOKED') return 'PENDING';
  return paid === undefined || reason !== null ? 'WAITS' : 'CREDIT';
}

/** The entry as operators read it. `id`: null of one that is not stored. */
export function shownPlan(one: PlannedEntry, result: BankResult, id: number | null) {
  const { bookedOn, direction, amount, currency, payer, references, stored, paid, reason, explanation, doubt } = one;
  const isPaid = result === 'CREDIT' || result === 'CREDITED';
  // Of a preview, only an entry that is stored already has a number.
  const equalTo = doubt && (id === null ? 'another entry of this file' : `entry ${doubt.entry} of file ${doubt.file}`);
  return {
    id,
    booked_on: bookedOn,
    direction,
    amount,
    currency,
    payer: payer || null,
    references: references.join(', ') || null,
    result,
    wallet_id: (isPaid ? paid?.walletId : undefined) ?? stored?.walletId ?? null,
    why: reason,
    explanation,
    equal_to: id === null ? null : (doubt?.entry ?? null),
    question: equalTo === undefined ? null : `Equal to ${equalTo}: one payment or two?`,
  };
}
