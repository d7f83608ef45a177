/** The attention list's entries about bank statements. */
import { wholeService, type AttentionKind } from '../../domain/attention/attention-kinds';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import { clearAttention, raiseAttention } from '../attention/attention';
import { firstRow, rows, type Database, type Transaction } from '../database/database';
import { reversedEntry } from './bank-entries';

const waitingStatement = `
  SELECT count(*) AS count, min(booked_on)::text AS oldest FROM bank_entries WHERE state = 'WAITING' HAVING count(*) > 0`;

const reversalsStatement = `
  SELECT 'entry ' || entry.id || ' of ' || entry.booked_on || ' takes back ' || trim_scale(entry.amount) || ' ' || entry.currency
         || ' of entry ' || reversed.id AS text, count(*) OVER () AS count
    FROM bank_entries entry, LATERAL (${reversedEntry}) reversed
   WHERE entry.state = 'WAITING' ORDER BY entry.id LIMIT ${MAX_NAMED}`;

/** Lists the waiting entries, and those that take back credited money. Call it in the transaction that changes an entry. */
export async function reviewBankEntries(database: Database, transaction?: Transaction): Promise<void> {
  const list = async (kind: AttentionKind, reason: string | undefined) => {
    if (reason === undefined) await clearAttention(database, wholeService, [kind], transaction);
    else await raiseAttention(database, wholeService, kind, reason, transaction);
  };
  const waiting = await firstRow<{ count: number; oldest: string }>(
    database,
    waitingStatement,
    {},
    transaction,
  );
  await list(
    'BANK_ENTRIES_OPEN',
    waiting &&
      `Entries of our accounts that wait for a person: ${waiting.count}, the oldest booked on ${waiting.oldest}`,
  );
  const reversals = await rows<{ text: string; count: number }>(
    database,
    reversalsStatement,
    {},
    transaction,
  );
  const [first] = reversals;
  const named =
    first &&
    firstNames(
      reversals.map(({ text }) => text),
      '; ',
      first.count,
    );
  await list(
    'FUNDING_REVERSED',
    named && `The bank took back credited money, and nothing was moved: ${named}`,
  );
}
