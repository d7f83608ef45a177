/** Our bank accounts, and how banks write them. */

/** An account, to which clients transfer money. It has an IBAN and a BIC, or in countries without IBAN a number and a routing code. */
export interface BankAccount {
  beneficiary: string;
  /** Without blanks. */
  iban: string | null;
  bic: string | null;
  account_number: string | null;
  /** The code of the bank, such as a sort code, a routing number or an IFSC. */
  routing_code: string | null;
}

/** An account of ours, with other spellings that statements have of it. */
export interface OurAccount extends BankAccount {
  statementAccounts: readonly string[];
}

/** The account that receives a currency, by its ISO 4217 code. Empty without accounts. */
export type BankAccounts = ReadonlyMap<string, OurAccount>;

/**
 * The name under which the account is stored: its IBAN, or its routing code and number as `021000021/123456789`. Blanks, hyphens and
 * small letters in the settings do not change it, nor do other spellings.
 */
export function accountName({
  iban,
  routing_code: code,
  account_number: number,
}: Omit<BankAccount, 'beneficiary'>): string {
  return iban ?? `${compact(code ?? '')}/${compact(number ?? '')}`;
}

/** The account of ours that the bank writes so; undefined if there is none. */
export function ourAccount(written: string, accounts: Iterable<OurAccount>): OurAccount | undefined {
  const spellings = new Set(spellingsIn(written));
  return [...accounts].find((account) => spellingsOf(account).some((one) => spellings.has(one)));
}

/** Every spelling of the account that is known, in capital letters and digits. */
export function spellingsOf(account: OurAccount): string[] {
  const { iban, routing_code: code, account_number: number, statementAccounts } = account;
  const own = iban === null ? [compact(`${code}${number}`), compact(number ?? '')] : [iban];
  // German banks write bank code and number.
  const german = iban?.startsWith('DE') ? [iban.slice(4)] : [];
  return [...own, ...german, ...statementAccounts.map(compact)];
}

/** How the account may be meant: as a whole, without the currency behind it, without the BIC before it, and as a short German number. */
function spellingsIn(written: string): string[] {
  const plain = written.toUpperCase().replace(/(?<=\d)[A-Z]{3}$/, '');
  const [code = '', number = '', ...others] = plain.split('/');
  const german = others.length === 0 && /^\d{8}$/.test(code) ? [`${code}${compact(number).padStart(10, '0')}`] : [];
  return [written, plain, ...plain.split('/')]
    .map(compact)
    .concat(german)
    .filter((one) => one !== '');
}

function compact(written: string): string {
  return written.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
