/** Reports sources of plans that became inactive because the plan's own supplier changed what the plan contains. */
import type { Database, Transaction } from '../database/database';
import { firstNames } from '../../domain/first-names';
import { extendAttention } from '../attention/attention';
import type { StoppedSource } from './plan-sources';

/** Puts the supplier on the attention list if its list stopped sources. Adds them to an entry that no operator has settled yet. */
export async function reportStoppedSources(
  database: Database,
  { supplier, productId }: { supplier: string; productId: number },
  stopped: readonly StoppedSource[],
  transaction: Transaction,
): Promise<void> {
  if (stopped.length === 0) return;
  const named = firstNames(stopped.map(stoppedText), '. ');
  const newest = `Plans of eSIM product ${productId} changed at the supplier (${stopped.length}): ${named}`;
  await extendAttention(database, { supplier }, 'PLAN_CHANGED', newest, { transaction });
}

function stoppedText({ id, supplier, itemId }: StoppedSource): string {
  return `Source ${id} of variant ${itemId} at ${supplier} is inactive, because its data or validity differs now`;
}
