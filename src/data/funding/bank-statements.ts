/**
 * Stores statements of our banks: their new bookings, and which booking stands in which statement. docs/decisions/0089-credit-one-booking-once.md.
 */
import { wholeService } from '../../domain/attention/attention-kinds';
import { firstNames } from '../../domain/first-names';
import type { BankStatement } from '../../domain/funding/bank-statement';
import { firstDayOf, isNamed, lastDayOf, statementKey } from '../../domain/funding/booking-keys';
import { earlierVersions, type StoredStatement } from '../../domain/funding/booking-matching';
import type { Sealer } from '../../security/sealing';
import { extendAttention } from '../attention/attention';
import { hasRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { lackingBookings, lockBankAccount, storedStatements } from './bank-bookings';
import { assertSameFormat } from './bank-entries';
import { addBookings, assertAsked, giveWords, keepAs, replaceParts, type ImportPlace } from './booking-writes';
import { foundBookings, type EqualEntry, type FoundBooking } from './found-bookings';
import { keyOldBookings } from './old-bank-entries';

/** A file that is to be stored. */
export interface NewBankFile extends Pick<ImportPlace, 'importedBy' | 'answers' | 'references'> {
  name: string;
  format: string;
  /** Permits another format than that of an account's last file. */
  force: boolean;
  /** Their accounts are ours, as the settings name them, and all their bookings are booked. */
  statements: readonly BankStatement[];
}

/** What an import has made of a booking. */
export interface ImportedBooking {
  bookingId: number;
  isNew: boolean;
  /** The stored entry that is equal, if only a person knows whether it is one payment or two. */
  doubt: EqualEntry | undefined;
}

/**
 * Stores what is new in the file, all or none. Returns what became of each booking, by statement. Imports of one account wait for each
 * other. Throws `OtherBankFormat`.
 */
export function storeBankFile(database: Database, sealer: Sealer, file: NewBankFile): Promise<ImportedBooking[][]> {
  const { name: fileName, importedBy, statements, answers, references } = file;
  return database.transaction(async (transaction) => {
    const fileIds = await addFiles(database, file, transaction);
    for (const account of fileIds.keys()) await keyOldBookings({ database, sealer, account, transaction });
    const imported: ImportedBooking[][] = [];
    for (const statement of statements) {
      const { account } = statement;
      const fileId = fileIds.get(account) ?? 0;
      const place = { database, sealer, account, transaction, fileId, fileName, importedBy, answers, references };
      imported.push(await storeStatement(place, statement));
    }
    const bookingIds = imported.flat().map(({ bookingId }) => bookingId);
    await assertAsked(database, answers, bookingIds, transaction);
    return imported;
  });
}

/** Locks the accounts of the file, and adds a row for each. Returns their ids by account. */
async function addFiles(
  database: Database,
  { name, format, importedBy, force, statements }: NewBankFile,
  transaction: Transaction,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  // In one sequence, so that two imports never wait for each other.
  for (const account of [...new Set(statements.map((statement) => statement.account))].sort()) {
    await lockBankAccount(database, account, transaction);
    if (!force) await assertSameFormat(database, { account, format }, transaction);
    const add = `INSERT INTO bank_files (name, account, format, imported_by) VALUES ($name, $account, $format, $importedBy) RETURNING id`;
    const binds = { name, account, format, importedBy };
    ids.set(account, (await oneRow<{ id: number }>(database, add, binds, transaction)).id);
  }
  return ids;
}

async function storeStatement(place: ImportPlace, statement: BankStatement): Promise<ImportedBooking[]> {
  const key = statementKey(statement);
  const found = await foundBookings(place, statement, key);
  const known = found.flatMap((one) => one.known ?? []);
  const versions = earlierVersions(key, known, await namedStatements(place, statement, key));
  await keepChanges(place, found);
  const bookingIds = await addNew(place, found);
  if (!(await isStored(place, { statement, key, found, versions }))) {
    await addStatement(place, statement, { key, found, bookingIds, versions });
    await reportLacking(place, statement, { versions, known: bookingIds });
  }
  return found.map(({ known, doubt }, index) => ({
    bookingId: bookingIds[index] ?? 0,
    isNew: known === undefined,
    doubt,
  }));
}

/** The stored statements with the key, if no other statement has it. */
async function namedStatements(
  { database, account, transaction }: ImportPlace,
  statement: BankStatement,
  key: string,
): Promise<StoredStatement[]> {
  if (!isNamed(statement)) return [];
  return [...(await storedStatements(database, { account, key }, transaction)).values()];
}

/** Keeps known bookings as the bank sends them now, unless a part of them moved money in a wallet, or they may be other ones. */
async function keepChanges(place: ImportPlace, found: readonly FoundBooking[]): Promise<void> {
  const changed: [number, FoundBooking['booking']][] = [];
  for (const one of found) {
    const { known, isByContent, isDoubtful, booking } = one;
    if (!known || isByContent || isDoubtful) continue;
    if (!known.hasMovedMoney) changed.push([known.id, booking]);
    if (!known.hasMovedMoney || known.isOfOldReader) await keepAs(place, known, one);
  }
  await replaceParts(place, changed);
}

/** Adds the bookings that are not stored. Returns the id of every booking, in their sequence. */
async function addNew(place: ImportPlace, found: readonly FoundBooking[]): Promise<number[]> {
  const { database, importedBy: by, transaction } = place;
  const added = found.filter(({ known }) => !known);
  const ids = await addBookings(place, added);
  const idOf = new Map(added.map((one, index) => [one, ids[index] ?? 0]));
  for (const [one, id] of idOf)
    if (one.another !== undefined) await giveWords(database, { id, otherIds: [one.another], by }, transaction);
  return found.map((one) => one.known?.id ?? idOf.get(one) ?? 0);
}

interface Compared {
  statement: BankStatement;
  key: string;
  found: readonly FoundBooking[];
  versions: readonly StoredStatement[];
}

/** Whether a stored version of the statement has exactly these bookings, as certainly, and the same end, so that a copy adds nothing. */
async function isStored(
  { database, account, transaction }: ImportPlace,
  { statement: { bookings, closing }, key, found, versions }: Compared,
): Promise<boolean> {
  if (bookings.length === 0)
    return (
      closing === undefined ||
      hasRow(
        database,
        'SELECT FROM bank_statements WHERE account = $account AND last_day = $day AND key = $key AND bookings = 0',
        { account, key, day: closing.day },
        transaction,
      )
    );
  return versions.some(
    (version) =>
      version.closing?.amount === closing?.amount &&
      version.size === bookings.length &&
      found.every(
        ({ known, isDoubtful }) =>
          known?.statements.some(({ rowId }) => rowId === version.rowId) &&
          known.doubtfulIn.includes(version.rowId) === isDoubtful,
      ),
  );
}

const addStatementStatement = `
  INSERT INTO bank_statements (id, file_id, account, key, series, bank_id, number, page, opening_amount, opening_currency, opening_day,
                               closing_amount, closing_currency, closing_day, first_day, last_day, bookings)
  OVERRIDING SYSTEM VALUE
  SELECT id, $fileId, $account, $key, coalesce($series::integer, id), $bankId, $number::bigint, $page::bigint,
         $openingAmount::numeric, $openingCurrency::text, $openingDay::date,
         $closingAmount::numeric, $closingCurrency::text, $closingDay::date, $firstDay::date, $lastDay::date, $bookings::integer
    FROM (SELECT nextval(pg_get_serial_sequence('bank_statements', 'id'))::integer AS id) AS next
  RETURNING id`;

/** Adds the statement as a version of the earlier ones. */
async function addStatement(
  { database, account, fileId, transaction }: ImportPlace,
  statement: BankStatement,
  { key, found, bookingIds, versions }: Omit<Compared, 'statement'> & { bookingIds: readonly number[] },
): Promise<void> {
  const { id: bankId, number = null, page = null, opening, closing } = statement;
  const [series, ...others] = [...new Set(versions.map((version) => version.series))].sort((a, b) => a - b);
  const binds = {
    fileId,
    account,
    key,
    bankId,
    number,
    page,
    series: series ?? null,
    openingAmount: opening?.amount ?? null,
    openingCurrency: opening?.currency ?? null,
    openingDay: opening?.day ?? null,
    closingAmount: closing?.amount ?? null,
    closingCurrency: closing?.currency ?? null,
    closingDay: closing?.day ?? null,
    firstDay: firstDayOf(statement) ?? null,
    lastDay: lastDayOf(statement) ?? null,
    bookings: bookingIds.length,
  };
  const { id } = await oneRow<{ id: number }>(database, addStatementStatement, binds, transaction);
  const joined = 'UPDATE bank_statements SET series = $series WHERE series = ANY ($others::integer[])';
  if (others.length > 0) await rows(database, joined, { series, others }, transaction);
  const stand = `INSERT INTO bank_statement_bookings (statement_id, booking_id, is_doubtful)
                 SELECT $id, booking_id, is_doubtful FROM unnest($bookingIds::integer[], $doubts::boolean[]) AS booking (booking_id, is_doubtful)`;
  await rows(database, stand, { id, bookingIds, doubts: found.map(({ isDoubtful }) => isDoubtful) }, transaction);
}

/** Lists bookings that the bank has left out of the statement since its last version, or whose amounts it has changed. */
async function reportLacking(
  { database, account, fileName, transaction }: ImportPlace,
  statement: BankStatement,
  { versions, known }: { versions: readonly StoredStatement[]; known: readonly number[] },
): Promise<void> {
  const until = lastDayOf(statement);
  if (versions.length === 0 || until === undefined) return;
  const version = Math.max(...versions.map(({ rowId }) => rowId));
  const lacking = await lackingBookings({ database, transaction }, { version, known, until });
  if (lacking.length === 0) return;
  const news = `Statement ${nameOf(statement)} of ${account} came again in ${fileName} without ${firstNames(lacking, ', ')}`;
  await extendAttention(database, wholeService, 'STATEMENT_CHANGED', news, { transaction });
}

/** How the bank calls the statement. */
function nameOf(statement: BankStatement): string {
  const { id, number, page } = statement;
  const name = number === undefined ? id : `${number}${page === undefined ? '' : `/${page}`}`;
  return `${name} from ${firstDayOf(statement) ?? 'an unknown day'}`.trim();
}
