/**
 * Limits of the codes that are mailed, which the library lacks. docs/decisions/0080-bind-codes-to-browsers.md.
 * Rule: how many codes by mail an address gets in an hour, and who gets one
 */
import { identityRows, type IdentityPool } from './identity-pool';
import { openInvitation } from './invitations';
import { askingBrowser, type MailCode } from './mail-code-browsers';

/** Codes of an hour for one address: of one browser, and of all browsers that are not known, from one network and together. */
const MAX_OF_DEVICE = 5;
const MAX_OF_NETWORK = 10;
const MAX_OF_MAILBOX = 30;

/** SQL: adds 1 to a count of an hour, unless it is at its maximum. */
const countedInHour = (max: string) => `
  DO UPDATE SET sent = CASE WHEN counts.since < now() - interval '1 hour' THEN 1 ELSE counts.sent + 1 END,
                since = CASE WHEN counts.since < now() - interval '1 hour' THEN now() ELSE counts.since END
   WHERE counts.since < now() - interval '1 hour' OR counts.sent < ${max}
  RETURNING sent`;

/**
 * Counts a code for the address. `isMailed` is false if the browser gets none: the address is neither that of a person who signs in by
 * mail nor invited, the browser had its codes of this hour, or the browser is neither known nor opened, and its network or the mailbox had
 * its codes, or the browser waits after wrong codes. `isLast`: the browser, its network or the mailbox gets no other code within the hour.
 */
export async function mayMailCode(pool: IdentityPool, code: MailCode): Promise<{ isMailed: boolean; isLast: boolean }> {
  const [counted] = await identityRows<{
    hasOwnCodes: boolean;
    ofDevice: number | null;
    ofNetwork: number | null;
    ofMailbox: number | null;
  }>(
    pool,
    `WITH ${askingBrowser},
     addressee AS (
       SELECT FROM person WHERE "suspendedAt" IS NULL AND NOT EXISTS (SELECT FROM account WHERE "userId" = person.id)
       UNION ALL
       SELECT FROM invitations WHERE email = lower($email) AND ${openInvitation} AND NOT EXISTS (SELECT FROM person)),
     own AS (SELECT FROM known UNION ALL SELECT FROM opened),
     waits AS (
       SELECT FROM full_mailbox
       UNION ALL
       SELECT FROM network_code_counts counts JOIN place USING (network)
        WHERE counts.email = lower($email) AND counts.paused_until > now()),
     device AS (
       INSERT INTO device_code_counts AS counts (device_hash, email, sent, since)
       SELECT $deviceHash::bytea, lower($email), 1, now()
        WHERE EXISTS (SELECT FROM addressee) AND (EXISTS (SELECT FROM known) OR NOT EXISTS (SELECT FROM waits))
       ON CONFLICT (device_hash, email) ${countedInHour('$maxOfDevice')}),
     of_network AS (
       INSERT INTO network_mail_counts AS counts (email, network, sent, since)
       SELECT lower($email), $network, 1, now() FROM device WHERE NOT EXISTS (SELECT FROM own)
       ON CONFLICT (email, network) ${countedInHour('$maxOfNetwork')}),
     mailbox AS (
       INSERT INTO mail_code_counts AS counts (email, sent, since)
       SELECT lower($email), 1, now() FROM of_network
       ON CONFLICT (email) ${countedInHour('$maxOfMailbox')})
     SELECT EXISTS (SELECT FROM own) AS "hasOwnCodes", (SELECT sent FROM device) AS "ofDevice",
            (SELECT sent FROM of_network) AS "ofNetwork", (SELECT sent FROM mailbox) AS "ofMailbox"`,
    { ...code, maxOfDevice: MAX_OF_DEVICE, maxOfNetwork: MAX_OF_NETWORK, maxOfMailbox: MAX_OF_MAILBOX },
  );
  const { hasOwnCodes = false, ofDevice = null, ofNetwork = null, ofMailbox = null } = counted ?? {};
  return hasOwnCodes
    ? { isMailed: ofDevice !== null, isLast: ofDevice === MAX_OF_DEVICE }
    : {
        isMailed: ofMailbox !== null,
        isLast: ofMailbox !== null && (ofNetwork === MAX_OF_NETWORK || ofMailbox === MAX_OF_MAILBOX),
      };
}
