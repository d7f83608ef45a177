/** The outage of the mail server: workers record whether mails go out, and the service watch lists an outage for attention. */
import { mailOutages } from '../../domain/mail-retries';
import { firstRow, rows, type Database } from '../database/database';

/** SQL: the time after which a failure no longer belongs to the outage of the failure before. */
const outageEnds = `'${mailOutages.newAfterMs} milliseconds'`;

/** Records that the mail server has accepted an email, which ends an outage. */
export async function recordMailSuccess(database: Database): Promise<void> {
  await rows(database, 'DELETE FROM mail_outage');
}

// Reads first, so that the attempts of many mails write one row at most once in 10 s.
const failureStatement = `
INSERT INTO mail_outage AS outage (failing_since, last_failure_at, last_error)
SELECT now(), now(), $error
 WHERE NOT EXISTS (SELECT FROM mail_outage WHERE NOT is_older_than(last_failure_at, '10 seconds') AND last_error = $error)
ON CONFLICT (is_only) DO UPDATE
   SET failing_since = CASE WHEN is_older_than(outage.last_failure_at, ${outageEnds}) THEN now()
                            ELSE least(outage.failing_since, now()) END,
       last_failure_at = now(), last_error = excluded.last_error`;

/**
 * Records that the mail server did not accept a mail that it may accept later. `error`: a text without addresses. A rejection of one
 * mail for good is no failure of the server.
 */
export async function recordMailFailure(database: Database, error: string): Promise<void> {
  await rows(database, failureStatement, { error });
}

/** An outage of the mail server that has lasted for 10 minutes. */
interface MailOutage {
  failingSince: Date;
  lastError: string;
}

const outageStatement = `
SELECT failing_since AS "failingSince", last_error AS "lastError" FROM mail_outage
 WHERE last_failure_at - failing_since >= interval '${mailOutages.listedAfterMs} milliseconds' AND NOT is_older_than(last_failure_at, ${outageEnds})`;

/** Undefined if no mail has failed for half an hour, if a mail went out since, or if mails have failed for less than 10 minutes. */
export function findMailOutage(database: Database) {
  return firstRow<MailOutage>(database, outageStatement);
}
