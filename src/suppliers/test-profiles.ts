/**
 * The profiles of eSIMs that the sandbox of a supplier sells.
 * Rule: profiles from the test environment of a supplier are marked as tests
 */
import type { LookupReport, Supplier } from '../domain/suppliers/port';

/** The supplier with each profile marked as a test. */
export function sellingTests(supplier: Supplier): Supplier {
  return {
    ...supplier,
    purchase: async (request, mayBeSent) => marked(await supplier.purchase(request, mayBeSent)),
    find: async (lookup) => marked(await supplier.find(lookup)),
  };
}

function marked<Report extends LookupReport>(report: Report): Report {
  if (!('goods' in report)) return report;
  const goods = report.goods.map((unit) => (unit.kind === 'esim' ? { ...unit, isTest: true as const } : unit));
  return { ...report, goods };
}
