/** Lists failures of orders that are more frequent than on the day before. */
import { listExactly } from '../../data/operations/attention';
import type { Database } from '../../data/database/database';
import { listUnusualFailures, type UnusualFailure } from '../../data/purchases/order-results';
import { bySupplier } from '../../data/operations/supplier-health';

/** An entry names so many failures at most; those of all products of a supplier come first. */
const MAX_NAMED = 5;

/** Makes the attention list agree with the failures that are unusually frequent now. */
export async function reviewUnusualFailures(database: Database): Promise<void> {
  const unusual = await listUnusualFailures(database);
  const named = unusual.filter(
    ({ supplier }, index) =>
      unusual.slice(0, index).filter((one) => one.supplier === supplier).length < MAX_NAMED,
  );
  await listExactly(database, 'FAILURES_UNUSUAL', bySupplier(named, reasonOf));
}

function reasonOf(failure: UnusualFailure): string {
  const { family, productId, failureCode, minutes, ended, failed, endedBefore, failedBefore } = failure;
  const what = productId === null ? 'All products' : `${family} product ${productId}`;
  const before = endedBefore === 0 ? 'no orders' : `${failedBefore} of ${endedBefore}`;
  return `${what}: ${failed} of ${ended} orders failed with ${failureCode} in ${minutes} minutes, on the day before ${before}`;
}
