/** Report constructors shared by the adapters. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import { safeText, safeWord, type SafeText } from '../../domain/safe-text';
import type { LookupReport, NotBought, PurchaseReport } from '../../domain/suppliers/port';
import { ResponseTooLong } from './limits';

/** The report of a purchase that was rejected. */
export type SupplierRejection = Extract<PurchaseReport, { state: 'REJECTED' | 'NOT_BOUGHT' }>;

/** The code if messages may name it, or `no known code`. */
export function namedCode(codes: readonly string[], code: string): SafeText {
  return safeWord(codes, code) ?? safeText`no known code`;
}

/** The detail of a rejection by the supplier. */
export function rejectedWith(codes: readonly string[], code: string): SafeText {
  return safeText`Refused: ${namedCode(codes, code)}`;
}

/** The report of a rejection without goods. `because`: set if the supplier, not the order, is the reason. */
export function rejectionReport(
  failureCode: FailureCode,
  detail: SafeText,
  because?: NotBought['because'],
): SupplierRejection {
  const report = { failureCode, detail, goods: [] };
  return because ? { state: 'NOT_BOUGHT', because, ...report } : { state: 'REJECTED', ...report };
}

/** The report of an order that fits no product of the supplier. Nothing is sent. */
export function noSuchProduct(detail: SafeText): SupplierRejection {
  return rejectionReport('PRODUCT_UNAVAILABLE', detail);
}

/** The detail of a lookup that shows several purchases with our reference. */
export function severalRows(count: number): SafeText {
  return safeText`The supplier shows ${count} purchases with our reference. Ask it which of them it sold`;
}

/** The report of a lookup that shows nothing reliable. `isShown`: it shows at least one row with the reference. */
export function ambiguous(detail: SafeText, isShown = true): LookupReport {
  return { state: 'AMBIGUOUS', isShown, detail };
}

/** The result of the lookup. A response longer than any purchase is ambiguous: another lookup would return the same. */
export async function unlessTooLong(lookup: Promise<LookupReport>): Promise<LookupReport> {
  try {
    return await lookup;
  } catch (error) {
    if (error instanceof ResponseTooLong) return ambiguous(error.message, false);
    throw error;
  }
}
