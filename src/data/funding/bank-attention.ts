/** The attention list's entries about bank statements. */
import { wholeService, type AttentionKind } from '../../domain/attention/attention-kinds';
import { firstNames, MAX_NAMED } from '../../domain/first-names';
import { clearAttention, raiseAttention } from '../attention/attention';
import { firstRow, rows, type Database, type Transaction } from '../database/database';
import { statementGaps, type StatementGap } from './statement-gaps';
import { reversedEntry } from './take-back-matching';

const waitingStatement = `
  SELECT count(*) AS count, min(booked_on)::text AS oldest FROM bank_entries WHERE state = 'WAITING' HAVING count(*) > 0`;

const reversalsStatement = `
  SELECT 'entry ' || entry.id || ' of ' || entry.booked_on || ' may take back ' || trim_scale(entry.amount) || ' ' || entry.currency
         || ' of entry ' || reversed.id AS text, count(*) OVER () AS count
    FROM bank_entries entry, LATERAL (${reversedEntry}) reversed
   WHERE entry.state = 'WAITING' AND (entry.is_reversal OR entry.refs <> '{}') ORDER BY entry.id LIMIT ${MAX_NAMED}`;

/** Lists the waiting entries, and those that take back credited money. Call it in the transaction that changes an entry. */
export async function reviewBankEntries(database: Database, transaction?: Transaction): Promise<void> {
  const list = (kind: AttentionKind, reason: string | undefined) => listOrClear(database, kind, reason, transaction);
  const waiting = await firstRow<{ count: number; oldest: string }>(database, waitingStatement, {}, transaction);
  await list(
    'BANK_ENTRIES_OPEN',
    waiting &&
      `Entries of our accounts that wait for a person: ${waiting.count}, the oldest booked on ${waiting.oldest}`,
  );
  const reversals = await rows<{ text: string; count: number }>(database, reversalsStatement, {}, transaction);
  const [first] = reversals;
  const named =
    first &&
    firstNames(
      reversals.map(({ text }) => text),
      '; ',
      first.count,
    );
  await list('FUNDING_REVERSED', named && `The bank took back credited money, and nothing was moved: ${named}`);
}

/** Lists the numbers of statements that are missing. Call it in the transaction that adds a statement, or accepts a gap. */
export async function reviewStatementGaps(database: Database, transaction: Transaction): Promise<void> {
  const gaps = await statementGaps(database, transaction);
  const named = firstNames(gaps.map(gapText), '; ');
  await listOrClear(database, 'STATEMENTS_MISSING', named === '' ? undefined : named, transaction);
}

function gapText({ before, account, firstNumber, lastNumber, afterDay, beforeDay }: StatementGap): string {
  const numbers =
    firstNumber === lastNumber ? `Statement ${firstNumber}` : `Statements ${firstNumber} to ${lastNumber}`;
  const verb = firstNumber === lastNumber ? 'is' : 'are';
  return `${numbers} of ${account} between ${afterDay} and ${beforeDay} ${verb} missing (gap ${before})`;
}

async function listOrClear(
  database: Database,
  kind: AttentionKind,
  reason: string | undefined,
  transaction: Transaction | undefined,
): Promise<void> {
  if (reason === undefined) await clearAttention(database, wholeService, [kind], transaction);
  else await raiseAttention(database, wholeService, kind, reason, transaction);
}
