/** Claims and refunds of delivered orders, as the statements of the service store them. */
import { randomUUID } from 'node:crypto';
import { insertClaim } from '../../src/data/orders/client-claims';
import { acceptByRefund } from '../../src/data/orders/operated-claims';
import type { RequestedRefund } from '../../src/data/orders/stored-refunds';
import { acceptByReplacement } from '../../src/data/orders/replacement-orders';
import type { Database } from '../../src/data/database/database';
import { Exact } from '../../src/domain/prices/money';
import { sourceOf } from '../../dev/testbed/ledger-rows';

type Filed = Parameters<typeof insertClaim>[1];
type Replacement = Parameters<typeof acceptByReplacement>[1];

/** Files a claim, by default about the first unit. Undefined if the unit has an open one. */
export function fileClaim(
  database: Database,
  { clientId, orderId, unit = 1, kind = 'INVALID_CODE' }: Pick<Filed, 'clientId' | 'orderId'> & Partial<Filed>,
): Promise<number | undefined> {
  const sealedText = Buffer.from('sealed text');
  return insertClaim(database, { clientId, orderId, unit, kind, sealedText, dueDays: 5 });
}

/** Files a claim, as `fileClaim` does. Throws if the unit has an open one. */
export async function newClaim(...claim: Parameters<typeof fileClaim>): Promise<number> {
  const id = await fileClaim(...claim);
  if (id === undefined) throw new Error('There is an open claim');
  return id;
}

/** Accepts the claim by a refund of the unit, or of this amount. */
export function refundClaim(database: Database, id: number, amount?: string) {
  const refund = { id, reasonCode: 'INVALID_GOODS', mail: false } as const;
  const given = amount === undefined ? undefined : new Exact(amount);
  return database.transaction((transaction) => acceptByRefund(database, { ...refund, amount: given }, transaction));
}

/** Accepts the claim by another order, by default from the source 1. Returns its id. */
export function replaceClaim(database: Database, claimId: number, special: Partial<Replacement> = {}) {
  const nonce = randomUUID().slice(-12);
  const planned = { claimId, nonce, sources: [sourceOf(1)], sealedEmail: null, sealedInput: null, ...special };
  return database.transaction((transaction) => acceptByReplacement(database, planned, transaction));
}

/** A refund for goodwill, under a reference of its own. */
export function goodwill(
  orderId: number,
  extent: RequestedRefund['extent'],
  special: Partial<RequestedRefund> = {},
): RequestedRefund {
  const terms = { reference: randomUUID(), reasonCode: 'GOODWILL', note: undefined, mail: false } as const;
  return { orderId, extent, ...terms, ...special };
}
