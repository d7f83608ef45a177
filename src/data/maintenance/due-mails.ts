/** Mails that are due to clients. The statement that makes a change writes them; they are deleted once sent. docs/operators/mail.md. */
import { countRows, rows, type Database } from '../database/database';

/** How long a mail belongs to the process that claimed it: longer than the mail server may take. */
const CLAIMED_FOR = `interval '15 minutes'`;
/** The wait after a failed attempt. */
const RETRY_AFTER = `interval '1 minute'`;
/** For how long attempts continue. */
const GIVEN_UP_AFTER = `interval '1 day'`;

/** SQL: a table of due mails, with `due_at`. `Mail`: what a mail is composed from. */
export interface DueMails<Mail> {
  table: string;
  /** The columns of the primary key, such as `order_id, number`. */
  key: string;
  /** The column with the time of the change. */
  changedAt: string;
  /** The sequence in which mails are claimed. Default: the oldest first. */
  sequence?: string;
  /** The fields, from the row `mail` and the joined rows. */
  fields: { readonly [Field in keyof Mail]: string };
  joins?: string;
}

/** A mail that this process claimed, with its primary key. */
export type ClaimedMail<Mail> = Mail & { key: Readonly<Record<string, string | number>> };

/** Claims due mails in their sequence, at most `limit`. Returns them in the sequence of their keys. Another process can claim them only after 15 minutes. */
export function claimMails<Mail extends object>(
  database: Database,
  { table, key, sequence = 'due_at', fields, joins = '' }: DueMails<Mail>,
  limit: number,
) {
  const columns = Object.entries<string>(fields).map(([field, sql]) => `${sql} AS "${field}"`);
  return rows<ClaimedMail<Mail>>(
    database,
    `WITH mail AS (
       UPDATE ${table} SET due_at = now() + ${CLAIMED_FOR} WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE due_at <= now() ORDER BY ${sequence}, ${key} LIMIT $limit FOR UPDATE SKIP LOCKED)
       RETURNING *, (SELECT to_jsonb(key) FROM (SELECT ${key}) key) AS key)
     SELECT ${columns.join(', ')}, mail.key FROM mail ${joins} ORDER BY mail.key`,
    { limit },
  );
}

/** SQL: whether a row of the table is among `$keys`. */
const isAmongKeys = ({ table, key }: Pick<DueMails<object>, 'table' | 'key'>) =>
  `(${key}) IN (SELECT ${key} FROM jsonb_populate_recordset(NULL::${table}, $keys::jsonb))`;

type Claims = readonly Pick<ClaimedMail<object>, 'key'>[];
const bindsOf = (mails: Claims) => ({ keys: JSON.stringify(mails.map(({ key }) => key)) });

/** Ends mails that were sent, or that the mail server rejected for good. */
export async function endMails<Mail>(database: Database, due: DueMails<Mail>, mails: Claims): Promise<void> {
  await rows(database, `DELETE FROM ${due.table} WHERE ${isAmongKeys(due)}`, bindsOf(mails));
}

/** Makes mails due again in a minute, except those that have failed for a day. Returns the number of mails that are due again. */
export function retryMails<Mail>(database: Database, due: DueMails<Mail>, mails: Claims): Promise<number> {
  return countRows(
    database,
    `UPDATE ${due.table} SET due_at = now() + ${RETRY_AFTER}
      WHERE ${isAmongKeys(due)} AND ${due.changedAt} > now() - ${GIVEN_UP_AFTER} RETURNING due_at`,
    bindsOf(mails),
  );
}
