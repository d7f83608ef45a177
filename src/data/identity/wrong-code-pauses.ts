/**
 * The pauses and the limits of a day after wrong codes by mail, which the library lacks. A mailbox and its wrong codes have limits for all
 * browsers in which the person has never signed in. docs/decisions/0080-bind-codes-to-browsers.md.
 * Rule: how long a browser waits after wrong codes, and how many close a door for a day
 */
import { identityRows, type IdentityConnection, type IdentityPool } from './identity-pool';
import { askingBrowser, type MailCode } from './mail-code-browsers';

/** Guesses of one code. The library counts them. */
export const MAX_GUESSES = 3;
/** Wrong codes of a day in browsers that are not known: those of one network without a pause, its last one, and the last one of all. */
const WRONG_WITHOUT_PAUSE = 3;
const MAX_WRONG_OF_NETWORK = 10;
const MAX_WRONG_OF_MAILBOX = 30;

/** The limit of a day of which a wrong code was the last one. */
export type LastOfDay = 'network' | 'invitation' | 'mailbox';

/**
 * What a guess is. NONE: the browser has no code for the address, so it guesses nothing. WAITS: the browser has to wait after wrong codes;
 * the guess must not be made. MADE: it may be made. Without `countedFor`, the browser is known and the guess not counted; else it is
 * counted as wrong there until `forgiveGuess`.
 */
export type MailCodeGuess =
  | { state: 'NONE' | 'WAITS' }
  | { state: 'MADE'; countedFor: string | undefined; lastOf: LastOfDay | undefined };

/** SQL: whether a count of a day has begun anew, and its values then. */
const isPast = `(counts.since < now() - interval '1 day')`;
const nextOfDay = `
  wrong = CASE WHEN ${isPast} THEN 1 ELSE counts.wrong + 1 END,
  since = CASE WHEN ${isPast} THEN now() ELSE counts.since END`;

/**
 * Counts a guess before it is made, so that guesses at the same time are all counted (each has a `now()` of its own, so a pause that does not
 * exist has no time). It is counted for the pair of network and mailbox: after three wrong codes of a day, each one begins a
 * pause, of 1 minute, 2, 4 and so on; after ten, the pause lasts for the rest of the day. It is also counted for the mailbox, which
 * after thirty waits for the rest of the day. Wrong codes in browsers that an invitation has opened are a pair of their own, and do not
 * count for the mailbox.
 */
export async function beginGuess(
  pool: IdentityPool,
  { codeName, ...code }: MailCode & { codeName: string },
): Promise<MailCodeGuess> {
  const [guess] = await identityRows<{
    isLive: boolean;
    isKnown: boolean;
    network: string | null;
    ofNetwork: number | null;
    ofMailbox: number | null;
  }>(
    pool,
    `WITH ${askingBrowser},
     live AS (
       SELECT FROM verification
        WHERE identifier = $codeName AND "expiresAt" > now() AND value NOT LIKE '%:' || $maxGuesses::text),
     counted AS (
       INSERT INTO network_code_counts AS counts (email, network, wrong, since, paused_until)
       SELECT lower($email), network, 1, now(), '-infinity' FROM place
        WHERE EXISTS (SELECT FROM live) AND NOT EXISTS (SELECT FROM known) AND NOT EXISTS (SELECT FROM full_mailbox)
       ON CONFLICT (email, network) DO UPDATE
          SET ${nextOfDay},
              paused_until = CASE
                WHEN ${isPast} OR counts.wrong < $free THEN '-infinity'
                WHEN counts.wrong + 1 < $maxOfNetwork
                  THEN now() + make_interval(mins => (2 ^ (counts.wrong - $free))::integer)
                ELSE counts.since + interval '1 day' END
        WHERE ${isPast} OR counts.paused_until <= now()
       RETURNING network, wrong),
     of_mailbox AS (
       INSERT INTO wrong_code_counts AS counts (email, wrong, since, paused_until)
       SELECT lower($email), 1, now(), '-infinity' FROM counted WHERE network <> 'invitation'
       ON CONFLICT (email) DO UPDATE
          SET ${nextOfDay}, unlocks = CASE WHEN ${isPast} THEN 0 ELSE counts.unlocks END,
              paused_until = CASE
                WHEN ${isPast} OR counts.wrong + 1 < $maxOfMailbox THEN '-infinity' ELSE counts.since + interval '1 day' END
        WHERE ${isPast} OR counts.paused_until <= now()
       RETURNING wrong)
     SELECT EXISTS (SELECT FROM live) AS "isLive", EXISTS (SELECT FROM known) AS "isKnown", (SELECT network FROM counted) AS network,
            (SELECT wrong FROM counted) AS "ofNetwork", (SELECT wrong FROM of_mailbox) AS "ofMailbox"`,
    {
      ...code,
      codeName,
      maxGuesses: MAX_GUESSES,
      free: WRONG_WITHOUT_PAUSE,
      maxOfNetwork: MAX_WRONG_OF_NETWORK,
      maxOfMailbox: MAX_WRONG_OF_MAILBOX,
    },
  );
  if (!guess?.isLive) return { state: 'NONE' };
  if (guess.isKnown) return { state: 'MADE', countedFor: undefined, lastOf: undefined };
  const { network, ofNetwork, ofMailbox } = guess;
  // The mailbox may have got its last wrong code meanwhile.
  if (network === null || (network !== 'invitation' && ofMailbox === null)) return { state: 'WAITS' };
  const ofPlace = network === 'invitation' ? 'invitation' : 'network';
  const lastOfPlace = ofNetwork === MAX_WRONG_OF_NETWORK ? ofPlace : undefined;
  return { state: 'MADE', countedFor: network, lastOf: ofMailbox === MAX_WRONG_OF_MAILBOX ? 'mailbox' : lastOfPlace };
}

/** Counts a guess no longer, because its code was right or the network limit rejected it. `network`: what it was counted for. */
export async function forgiveGuess(
  pool: IdentityPool,
  { email, network }: Pick<MailCode, 'email' | 'network'>,
): Promise<void> {
  await identityRows(
    pool,
    `WITH forgiven AS (
       UPDATE network_code_counts SET wrong = wrong - 1, paused_until = '-infinity'
        WHERE email = lower($email) AND network = $network AND wrong > 0 RETURNING network)
     UPDATE wrong_code_counts SET wrong = wrong - 1, paused_until = '-infinity'
       FROM forgiven WHERE email = lower($email) AND wrong > 0 AND forgiven.network <> 'invitation'`,
    { email, network },
  );
}

/** The number of wrong codes of a day for the address, in browsers that are not known. */
export async function countWrongCodes(pool: IdentityConnection, email: string): Promise<number> {
  const [counted] = await identityRows<{ wrong: number }>(
    pool,
    `SELECT wrong FROM wrong_code_counts counts WHERE email = lower($email) AND NOT ${isPast}`,
    { email },
  );
  return counted?.wrong ?? 0;
}

/** Forgets the codes and the wrong codes for the address, so that browsers that are not known get codes again. */
export async function forgetCodes(pool: IdentityConnection, email: string): Promise<void> {
  const forget = (statement: string) => identityRows(pool, `${statement} WHERE email = lower($email)`, { email });
  // In the sequence in which a guess counts, then in that in which a code does.
  await forget('DELETE FROM network_code_counts');
  await forget('DELETE FROM wrong_code_counts');
  await forget('DELETE FROM device_code_counts');
  await forget('DELETE FROM network_mail_counts');
  await forget('DELETE FROM mail_code_counts');
}
