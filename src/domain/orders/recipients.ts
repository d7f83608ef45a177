/** Whom goods went to, as operators look for it: compared by keyed hashes, so that the same recipient is the same text. */

/** An address without what mail servers do not tell apart. */
export function comparableEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A phone number as orders keep it (`+` and digits), however it is typed; undefined if it is none. */
export function comparablePhone(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
  return /^[0-9]{4,15}$/.test(digits) ? `+${digits}` : undefined;
}
