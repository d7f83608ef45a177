/** What delivered codes must look like to be of use. docs/specification.md#usable-codes. */
import type { Goods, VoucherGoods } from './goods';
import { safeText, type SafeText } from '../safe-text';

/** Characters, not bytes. */
const MAX_CODE_LENGTH = 4_096;

/**
 * Control characters, format characters (zero-width and bidirectional ones), all others that show nothing, and unpaired
 * surrogates. A decoder writes U+FFFD where it could not read the text, so the real character is lost.
 */
const unusable = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFD]/u;

/** The goods with white space removed around each text. Two codes are the same code if they are equal after this. */
export function trimmed<G extends Goods>(goods: G): G {
  const texts = Object.entries(goods).map(([name, text]: [string, string]) => [name, trim(text)]);
  return { ...goods, ...(Object.fromEntries(texts) as Partial<G>) };
}

/** `String.trim` also removes U+FEFF, which is a zero-width character: it stays, so that the code is rejected. */
function trim(text: string): string {
  return text.includes('\uFEFF') ? text : text.trim();
}

/** Why a trimmed code cannot be used, without its contents; undefined if it can. `name` says which code it is. */
export function codeFault(name: SafeText, code: string): SafeText | undefined {
  if (code === '') return safeText`its ${name} is empty`;
  if (code.length > MAX_CODE_LENGTH && [...code].length > MAX_CODE_LENGTH)
    return safeText`its ${name} is longer than ${MAX_CODE_LENGTH} characters`;
  if (unusable.test(code)) return safeText`its ${name} has a character that cannot be shown`;
  return undefined;
}

const voucherCodes = [
  ['cardNumber', safeText`card number`],
  ['pinCode', safeText`PIN`],
  ['claimUrl', safeText`claim URL`],
  ['referenceNumber', safeText`reference number`],
] as const;

/** Why a trimmed voucher that arrives at `now` cannot be used, without its contents; undefined if it can. */
export function voucherFault(voucher: VoucherGoods, now: Date): SafeText | undefined {
  const { cardNumber, claimUrl, expiresAt } = voucher;
  if (cardNumber === undefined && claimUrl === undefined)
    return safeText`it has neither a code nor a claim URL`;
  for (const [field, name] of voucherCodes) {
    const code = voucher[field];
    const fault = code === undefined ? undefined : codeFault(name, code);
    if (fault !== undefined) return fault;
  }
  return expiresAt === undefined ? undefined : expiryFault(Date.parse(expiresAt), now);
}

function expiryFault(expiry: number, now: Date): SafeText | undefined {
  if (Number.isNaN(expiry)) return safeText`its expiry is no date`;
  return expiry <= now.getTime() ? safeText`it had expired when it arrived` : undefined;
}
