/** Lists claims that wait for an operator, and clients with unusually many claims. docs/operators/claims.md. */
import type { Database } from '../../data/database/database';
import { listKindsExactly, type AttentionEntry } from '../../data/attention/attention';
import { listUnusualClaims, listWaitingClaims, type UnusualClaims } from '../../data/orders/operated-claims';
import { wholeService, type AttentionKind } from '../../domain/attention/attention-kinds';
import { firstNames } from '../../domain/first-names';

/** Makes the attention list show the claims that are new, those that are due, and whether a client has unusually many. */
export async function reviewClaims(
  database: Database,
  { unusualCount: count, unusualPercent: percent }: { unusualCount: number; unusualPercent: number },
): Promise<void> {
  const waiting = await listWaitingClaims(database);
  const entriesOf = (why: string, idsOf: (one: (typeof waiting)[number]) => number[]): AttentionEntry[] =>
    waiting
      .filter((one) => idsOf(one).length > 0)
      .map((one) => {
        const ids = idsOf(one);
        return { subject: { orderId: one.orderId }, reason: `${why}: ${firstNames(ids.map(String), ', ')}` };
      });
  const unusual = await listUnusualClaims(database, { count, percent });
  const reason = `Unusually many claims within 30 days: ${firstNames(unusual.map(textOf), ', ')}`;
  const listed = new Map<AttentionKind, AttentionEntry[]>([
    ['CLAIM_NEW', entriesOf('Claims that no operator has decided, by number', ({ fresh }) => fresh)],
    ['CLAIM_DUE', entriesOf('Claims whose answer is due, by number', ({ due }) => due)],
    ['CLAIMS_UNUSUAL', unusual.length > 0 ? [{ subject: wholeService, reason }] : []],
  ]);
  await listKindsExactly(database, listed);
}

function textOf({ client, claims, units }: UnusualClaims): string {
  return `${client} (${claims} claims, ${units} delivered units)`;
}
