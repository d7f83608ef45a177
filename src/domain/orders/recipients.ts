/** The recipient of an order, as a person names it: the notification email, or the phone number of a top-up. */
import { comparableEmail, comparablePhone } from './customer-input';

export interface Recipient {
  kind: 'email' | 'phone';
  /** The form that keyed hashes compare. */
  text: string;
}

export function emailRecipient(address: string): Recipient {
  return { kind: 'email', text: comparableEmail(address) };
}

/** Undefined for text that is no phone number. */
export function phoneRecipient(written: string): Recipient | undefined {
  const text = comparablePhone(written);
  return text === undefined ? undefined : { kind: 'phone', text };
}

/** The text whose keyed hash a request about the recipient leaves. Orders are found by another hash, which an erasure removes. */
export const requestText = ({ kind, text }: Recipient): string => `privacy-request/${kind}/${text}`;
