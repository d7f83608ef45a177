/** The link in a mailed invitation, which opens a browser. docs/decisions/0080-bind-codes-to-browsers.md. */
import { createHash, randomBytes } from 'node:crypto';

/** The hash of the secret in a link. */
export function invitationSecretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A new link to the door at this origin, with the hash to store. Only the mail may have the link. */
export function newInvitationLink(origin: string): { href: string; secretHash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  // In the query, which our logs leave out.
  return { href: `${origin}/identity/invitation?secret=${secret}`, secretHash: invitationSecretHash(secret) };
}
