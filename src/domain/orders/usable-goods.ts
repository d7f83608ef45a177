/**
 * The rules that delivered codes and profiles must meet. docs/specification.md#usable-codes.
 * Rule: which delivered goods are usable, and what is a claim URL
 */
import { byWord } from '../by-word';
import type { EsimGoods, Goods, VoucherGoods } from './goods';
import { isLocalHost } from '../local-hosts';
import { isIccid, normalIccid, normalLpaString, passesLuhn, readLpaString } from '../esims/profile-codes';
import { safeText, type SafeText } from '../safe-text';
import { expiryOf, lastMoment } from '../time';

/** In characters (code points), not in bytes. */
const MAX_CODE_LENGTH = 4_096;

/**
 * Control characters, format characters (zero-width and bidirectional ones), other invisible characters and unpaired surrogates,
 * none of which a customer can type. U+FFFD stands in place of a character that a decoder could not read.
 */
const unusable = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFD]/u;

/**
 * Returns the goods with each text trimmed, the claim URL, the ICCID and the activation code in their normal form, and an expiry that is a
 * day at the end of this day. Two codes are the same if they are equal in this form.
 */
export function normalised<G extends Goods>(goods: G): G {
  const texts = Object.entries(goods).map(([name, value]: [string, string | boolean]) => {
    if (typeof value === 'boolean') return [name, value];
    return [name, normalForms[name]?.(value) ?? trim(value)];
  });
  return { ...goods, ...(Object.fromEntries(texts) as Partial<G>) };
}

const normalForms = byWord<(text: string) => string>({
  claimUrl: (text) => trim(text).replaceAll('&amp;', '&'),
  iccid: normalIccid,
  activationCode: normalLpaString,
  expiresAt: (text) => lastMoment(text.trim()),
});

/** Does not trim a text with U+FEFF, which `String.trim` would remove: the code must be rejected for this zero-width character. */
function trim(text: string): string {
  return text.includes('\uFEFF') ? text : text.trim();
}

/** Why a trimmed code cannot be used, without its contents; undefined if it can. `name`: the code's name in the text. */
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
  if (cardNumber === undefined && claimUrl === undefined) return safeText`it has neither a code nor a claim URL`;
  for (const [field, name] of voucherCodes) {
    const code = voucher[field];
    const fault = code === undefined ? undefined : codeFault(name, code);
    if (fault !== undefined) return fault;
  }
  if (claimUrl !== undefined && !isWebAddress(claimUrl)) return safeText`the claim URL is not a web address`;
  return expiresAt === undefined ? undefined : expiryFault(expiryOf(expiresAt), now);
}

/**
 * Whether the text is an absolute http or https address without blanks and user information, whose host is neither `localhost` nor an
 * address of a private network. `URL` accepts and repairs many other texts.
 */
export function isWebAddress(text: string): boolean {
  const isAbsolute = /^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text);
  return isAbsolute && !hasUser(text) && !isLocalHost(new URL(text).hostname);
}

/** Whether something precedes an `@` before the path. A person would take it for the host. */
const hasUser = (url: string) => /^https?:\/\/[^/\\?#]*@/i.test(url);

function expiryFault(expiry: Date | null | undefined, now: Date): SafeText | undefined {
  if (expiry === undefined) return safeText`its expiry is not a date`;
  return expiry !== null && expiry <= now ? safeText`it had expired when it arrived` : undefined;
}

/** Why a device cannot use a normal eSIM profile, without its contents; undefined if it can. */
export function profileFault({ iccid, activationCode, isTest }: Omit<EsimGoods, 'kind'>): SafeText | undefined {
  if (!isIccid(iccid, { isTest })) return safeText`the ICCID does not have 19 or 20 digits`;
  const lpa = readLpaString(activationCode);
  if (!lpa) return safeText`the activation code is not an LPA string of three parts`;
  if (lpa.needsConfirmation) return safeText`the profile needs a confirmation code`;
  return codeFault(safeText`activation code`, activationCode);
}

/** What operators should know about usable goods, without their contents; undefined without a remark. */
export function goodsRemark(goods: Goods): SafeText | undefined {
  return goods.kind === 'esim' && !passesLuhn(goods.iccid)
    ? safeText`The check digit of the ICCID is wrong`
    : undefined;
}
