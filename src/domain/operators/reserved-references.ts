/**
 * References that operators give to fundings, adjustments and refunds.
 * Rule: which references are the service's own, and in which form references are compared
 */

/** Characters without a picture: U+2800 is the Braille pattern without dots, U+FFF9 to U+FFFB enclose annotations. */
const invisible = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/**
 * The form in which references of operators are compared: without case, width and invisible characters, trimmed. The database decides by
 * its own function (`reference_key`); this one finds reserved and empty references.
 */
export function referenceKey(reference: string): string {
  return withoutInvisible(reference).trim().toLowerCase();
}

/** The text in normal width (NFKC), without invisible characters. */
export function withoutInvisible(text: string): string {
  return text.normalize('NFKC').replace(invisible, '');
}

/** The entries that the service posts: `order-<id>`, `order-<id>-r<n>`, `conversion-<id>`, and `bank-<id>` with or without `-2`. */
const ofService = /^((order|conversion)-\d+|bank-\d+(-2)?$)/;

/** Whether the service makes references like this one, so that no operator may give it. `key`: as `reference_key` compares it. */
export function isOfService(key: string): boolean {
  return ofService.test(key);
}
