/**
 * Limits of the codes by mail that the library lacks. A code belongs to the browser that asked for it, and so do its limits; a mailbox
 * and wrong codes have limits for all browsers in which the person has never signed in. docs/decisions/0080-bind-codes-to-browsers.md.
 */
import { identityRows, type IdentityPool } from './identity-pool';
import { openInvitation } from './invitations';

/** Codes of an hour: of one browser for one address, and of all browsers that are not known together. */
const MAX_OF_DEVICE = 5;
const MAX_OF_MAILBOX = 30;
/** Guesses of one code. The library counts them. */
export const MAX_GUESSES = 3;
/** Wrong codes of a day in browsers that are not known: those without a pause, and the last one. */
const WRONG_WITHOUT_PAUSE = 3;
const MAX_WRONG = 10;

/**
 * The name under which the library stores a code. It has the browser, so a code of another browser is another code. It ends with the
 * library's own name and so with the address.
 */
export function mailCodeName(libraryName: string, deviceHash: Buffer): string {
  return `${deviceHash.toString('base64url')} ${libraryName}`;
}

/** A request for a code, or a guess. */
interface MailCode {
  email: string;
  /** The hash of the browser. */
  deviceHash: Buffer;
}

const person = `person AS (SELECT id, "suspendedAt" FROM "user" WHERE email = lower($email))`;
const known = `known AS (
  SELECT FROM known_devices JOIN person ON person_id = person.id WHERE device_hash = $deviceHash)`;

/** SQL: adds 1 to a count of an hour, unless it is at its maximum. */
const countedInHour = (max: string) => `
  DO UPDATE SET sent = CASE WHEN counts.since < now() - interval '1 hour' THEN 1 ELSE counts.sent + 1 END,
                since = CASE WHEN counts.since < now() - interval '1 hour' THEN now() ELSE counts.since END
   WHERE counts.since < now() - interval '1 hour' OR counts.sent < ${max}
  RETURNING sent`;

/**
 * Counts a code for the address. `isMailed` is false if the browser gets none: the address is neither that of a person who signs in by
 * mail nor invited, the browser or the mailbox had its codes of this hour, or the browser is not known and waits after wrong codes.
 * `isLast`: no other code is mailed within the hour.
 */
export async function mayMailCode(
  pool: IdentityPool,
  code: MailCode,
): Promise<{ isMailed: boolean; isLast: boolean }> {
  const [counted] = await identityRows<{
    isKnown: boolean;
    ofDevice: number | null;
    ofMailbox: number | null;
  }>(
    pool,
    `WITH ${person},
     addressee AS (
       SELECT FROM person WHERE "suspendedAt" IS NULL AND NOT EXISTS (SELECT FROM account WHERE "userId" = person.id)
       UNION ALL
       SELECT FROM invitations WHERE email = lower($email) AND ${openInvitation} AND NOT EXISTS (SELECT FROM person)),
     ${known},
     waits AS (SELECT FROM wrong_code_counts WHERE email = lower($email) AND paused_until > now()),
     device AS (
       INSERT INTO device_code_counts AS counts (device_hash, email, sent, since)
       SELECT $deviceHash::bytea, lower($email), 1, now()
        WHERE EXISTS (SELECT FROM addressee) AND (EXISTS (SELECT FROM known) OR NOT EXISTS (SELECT FROM waits))
       ON CONFLICT (device_hash, email) ${countedInHour('$maxOfDevice')}),
     mailbox AS (
       INSERT INTO mail_code_counts AS counts (email, sent, since)
       SELECT lower($email), 1, now() FROM device WHERE NOT EXISTS (SELECT FROM known)
       ON CONFLICT (email) ${countedInHour('$maxOfMailbox')})
     SELECT EXISTS (SELECT FROM known) AS "isKnown", (SELECT sent FROM device) AS "ofDevice",
            (SELECT sent FROM mailbox) AS "ofMailbox"`,
    { ...code, maxOfDevice: MAX_OF_DEVICE, maxOfMailbox: MAX_OF_MAILBOX },
  );
  const { isKnown = false, ofDevice = null, ofMailbox = null } = counted ?? {};
  return isKnown
    ? { isMailed: ofDevice !== null, isLast: ofDevice === MAX_OF_DEVICE }
    : { isMailed: ofMailbox !== null, isLast: ofMailbox === MAX_OF_MAILBOX };
}

/**
 * What a guess is. NONE: the browser has no code for the address, so it guesses nothing. WAITS: the browser is not known, and has to wait
 * after wrong codes in such browsers; the guess must not be made. MADE: it may be made, and is counted as wrong until `forgiveGuess`.
 */
export type MailCodeGuess =
  | { state: 'NONE' | 'WAITS' }
  | { state: 'MADE'; isKnown: boolean; isLastOfDay: boolean };

/**
 * Counts a guess before it is made, so that guesses at the same time are all counted (each has a `now()` of its own, so a pause that does not
 * exist has no time). After three wrong codes of a day, each one begins a
 * pause, of 1 minute, 2, 4 and so on. After ten, the pause lasts for the rest of the day.
 */
export async function beginGuess(
  pool: IdentityPool,
  { codeName, ...code }: MailCode & { codeName: string },
): Promise<MailCodeGuess> {
  const isPast = `counts.since < now() - interval '1 day'`;
  const [guess] = await identityRows<{ isLive: boolean; isKnown: boolean; wrong: number | null }>(
    pool,
    `WITH ${person}, ${known},
     live AS (
       SELECT FROM verification
        WHERE identifier = $codeName AND "expiresAt" > now() AND value NOT LIKE '%:' || $maxGuesses::text),
     counted AS (
       INSERT INTO wrong_code_counts AS counts (email, wrong, since, paused_until)
       SELECT lower($email), 1, now(), '-infinity' WHERE EXISTS (SELECT FROM live) AND NOT EXISTS (SELECT FROM known)
       ON CONFLICT (email) DO UPDATE
          SET wrong = CASE WHEN ${isPast} THEN 1 ELSE counts.wrong + 1 END,
              since = CASE WHEN ${isPast} THEN now() ELSE counts.since END,
              paused_until = CASE
                WHEN ${isPast} OR counts.wrong < $free THEN '-infinity'
                WHEN counts.wrong + 1 < $max THEN now() + make_interval(mins => (2 ^ (counts.wrong - $free))::integer)
                ELSE counts.since + interval '1 day' END
        WHERE ${isPast} OR counts.paused_until <= now()
       RETURNING wrong)
     SELECT EXISTS (SELECT FROM live) AS "isLive", EXISTS (SELECT FROM known) AS "isKnown", (SELECT wrong FROM counted) AS wrong`,
    { ...code, codeName, maxGuesses: MAX_GUESSES, free: WRONG_WITHOUT_PAUSE, max: MAX_WRONG },
  );
  if (!guess?.isLive) return { state: 'NONE' };
  if (!guess.isKnown && guess.wrong === null) return { state: 'WAITS' };
  return { state: 'MADE', isKnown: guess.isKnown, isLastOfDay: guess.wrong === MAX_WRONG };
}

/** Counts a guess no longer, because its code was right or the network limit rejected it. */
export async function forgiveGuess(pool: IdentityPool, email: string): Promise<void> {
  await identityRows(
    pool,
    `UPDATE wrong_code_counts SET wrong = wrong - 1, paused_until = '-infinity' WHERE email = lower($email) AND wrong > 0`,
    { email },
  );
}
