/** Keyed hashes of recipients, by which operators find an order although it is sealed, and by which rules count it. */
import { comparableEmail, comparableMailbox } from '../../domain/orders/customer-input';
import type { Sealer } from '../../security/sealing';

/** Which addresses are one mailbox for the rules about recipients. docs/operators/holds.md. */
export interface MailboxSettings {
  dotsMatter: boolean;
}

/** The hash of the address, and that of its mailbox; null if the address is the plain form of its mailbox. */
export function emailHashes(
  sealer: Sealer,
  email: string,
  mailboxes: MailboxSettings,
): { emailHash: Buffer; mailboxHash: Buffer | null } {
  const address = comparableEmail(email);
  const mailbox = comparableMailbox(email, mailboxes);
  return {
    emailHash: sealer.lookupHash(address),
    mailboxHash: mailbox === address ? null : sealer.lookupHash(mailbox),
  };
}
