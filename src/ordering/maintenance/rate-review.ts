/** Lists exchange rates that have not been set or confirmed for longer than the operator allows. */
import type { Database } from '../../data/database/database';
import { firstNames } from '../../domain/first-names';
import { listExactly } from '../../data/attention/attention';
import { listOldRates, type OldRate } from '../../data/prices/reference-rates';
import { wholeService } from '../../domain/attention/attention-kinds';

/** Makes the attention list show whether rates are older than `maxAgeHours`; 0 allows every age. */
export async function reviewRateAges(database: Database, maxAgeHours: number): Promise<void> {
  const old = maxAgeHours === 0 ? [] : await listOldRates(database, maxAgeHours);
  const named = firstNames(old.map(textOf), ', ');
  const reason = `Rates are older than ${maxAgeHours} hours (${old.length}): ${named}. Set each again, also if it is still right`;
  await listExactly(database, 'RATES_OLD', old.length > 0 ? [{ subject: wholeService, reason }] : []);
}

function textOf({ kind, source, destination, updatedAt }: OldRate): string {
  return `${kind} ${source}/${destination} of ${updatedAt.toISOString()}`;
}
