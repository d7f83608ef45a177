/** The currencies of ISO 4217: those of the package, which is older than our release, and the changes since then. */
import { data as ofPackage, type CurrencyCodeRecord } from 'currency-codes';

type CurrencyRecord = Pick<CurrencyCodeRecord, 'code' | 'number' | 'digits' | 'currency'>;

/** Added to ISO 4217 after the package's list of June 2024. */
const added: readonly CurrencyRecord[] = [
  { code: 'XCG', number: '532', digits: 2, currency: 'Caribbean Guilder' },
  { code: 'XAD', number: '396', digits: 2, currency: 'Arab Accounting Dinar' },
];

/** Withdrawn from ISO 4217 after June 2024. A wallet or a product may still use one of them. */
export const withdrawnCurrencies: readonly string[] = ['ANG', 'BGN', 'CUC'];

const isInPackage = ({ code }: CurrencyRecord) => ofPackage.some((known) => known.code === code);

/** Every code, including funds, metals and `XXX`. One that was added later stands at the end, so that no currency changes its id in a new database. */
export const knownCurrencies: readonly CurrencyRecord[] = [
  ...[...ofPackage].sort((one, other) => (one.code < other.code ? -1 : 1)),
  ...added.filter((currency) => !isInPackage(currency)),
];
