/**
 * The browsers that ask for codes by mail. A code belongs to the browser that asked for it, and so do its limits.
 * docs/decisions/0080-bind-codes-to-browsers.md.
 */
import { openInvitation } from './invitations';

/**
 * The name under which the library stores a code. It has the browser, so a code of another browser is another code. It ends with the
 * library's own name and so with the address.
 */
export function mailCodeName(libraryName: string, deviceHash: Buffer): string {
  return `${deviceHash.toString('base64url')} ${libraryName}`;
}

/** A request for a code, or a guess. */
export interface MailCode {
  email: string;
  /** The hash of the browser. */
  deviceHash: Buffer;
  /** The /24 or /48 network of the browser. */
  network: string;
}

/**
 * SQL: the person with the address; whether the person has signed in in the browser; whether an open invitation of the address has opened
 * the browser; and where its wrong codes are counted. Strangers cannot use up the counts of a known or opened browser.
 */
export const askingBrowser = `
  person AS (SELECT id, "suspendedAt" FROM "user" WHERE email = lower($email)),
  known AS (SELECT FROM known_devices JOIN person ON person_id = person.id WHERE device_hash = $deviceHash),
  opened AS (
    SELECT FROM invitations WHERE email = lower($email) AND $deviceHash::bytea = ANY (opened_browsers) AND ${openInvitation}),
  place AS (SELECT CASE WHEN EXISTS (SELECT FROM opened) THEN 'invitation' ELSE $network END AS network),
  full_mailbox AS (
    SELECT FROM wrong_code_counts
     WHERE email = lower($email) AND paused_until > now() AND NOT EXISTS (SELECT FROM opened))`;
