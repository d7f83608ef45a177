/** Supplier access tokens and rate limit, shared by all processes in PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimToken,
  extendClaim,
  findToken,
  MAX_AHEAD_MS,
  reserveTurn,
  storeSupplierToken,
  type Lane,
} from '../../data/suppliers/stored-tokens-and-turns';
import type { Database } from '../../data/database/database';
import { safeText } from '../../domain/safe-text';
import { second } from '../../domain/time';
import { supplierToken, type Sealer } from '../../security/sealing';
import { CallHeldBack, SupplierUnavailable } from '../../domain/suppliers/supplier-errors';
import type { TurnKind } from '../../domain/suppliers/shared-state';
import { isUsable, type IssuedToken, type SharedState } from '../../domain/suppliers/shared-state';

interface Storage {
  database: Database;
  /** Called only for tokens, so that the ops CLI loads keys lazily. */
  sealer: () => Sealer | Promise<Sealer>;
  /** Whether other processes get the CPU first: they then wait only briefly for a token that this process has claimed. */
  hasLowPriority?: boolean;
}

/**
 * Lease for requesting a token: longer than the request takes. The claim lasts until then whether the request failed
 * or returned a token, because the supplier may reject a fresh token. So a supplier gets at most three requests in any minute, even
 * if the first of four is sent 15 s after its claim.
 */
const CLAIM_MS = 25 * second;
/** As `CLAIM_MS`, of a process that may get no CPU before it sends the request. When the request ends, the claim is extended. */
const LOW_PRIORITY_CLAIM_MS = 3 * second;
/** How long a call waits for a token before it fails as unavailable. */
const TOKEN_WAIT_MS = 10 * second;
/**
 * The lane of a call, and how long it waits for its turn before it fails as unavailable. A purchase may be sent for only 3 s after
 * its claim, so a later turn would be wasted. Lookups of purchases and pages of lists wait longer than the reads that clients
 * cause, so that many reads cannot keep the lane full.
 */
const turns: Readonly<Record<TurnKind, { lane: Lane; maxWaitMs: number }>> = {
  purchase: { lane: 'purchases', maxWaitMs: 2 * second },
  patient: { lane: 'others', maxWaitMs: MAX_AHEAD_MS },
  other: { lane: 'others', maxWaitMs: second },
};
const POLL_INTERVAL_MS = 200;
/**
 * The share of a supplier's limit for each of the two lanes. A fifth of the limit stays unused, because network latency varies.
 */
const SHARE_OF_LIMIT = 0.4;

/** The shared state of one supplier. Tokens are sealed. A call that would wait too long for its turn fails as `CallHeldBack`. */
export function sharedState(storage: Storage, supplier: string): SharedState {
  const tokens = new Map<string, IssuedToken>();
  return {
    token: async (name, issue, rejected) => {
      const known = tokens.get(name);
      if (isUsable(known, rejected)) return known.value;
      const token = await sharedToken(storage, { supplier, name }, issue, rejected);
      tokens.set(name, token);
      return token.value;
    },
    turn: async (perSecond, kind) => {
      const spacingMs = second / (perSecond * SHARE_OF_LIMIT);
      const { lane } = turns[kind];
      // With a low limit the spacing exceeds the read's timeout, so no second read would ever be sent.
      const maxWaitMs = Math.max(turns[kind].maxWaitMs, lane === 'others' ? spacingMs + 1 : 0);
      const waitMs = await reserveTurn(storage.database, { supplier, spacingMs, lane, maxWaitMs });
      if (waitMs === undefined) throw new CallHeldBack(safeText`Too many calls wait for their turn`, maxWaitMs);
      await sleep(waitMs);
    },
  };
}

async function sharedToken(
  { database, sealer: openSealer, hasLowPriority = false }: Storage,
  key: { supplier: string; name: string },
  issue: () => Promise<IssuedToken>,
  rejected: string | undefined,
): Promise<IssuedToken> {
  const field = supplierToken(`${key.supplier}/${key.name}`);
  const sealer = await openSealer();
  const endsAt = performance.now() + TOKEN_WAIT_MS;
  for (;;) {
    const stored = await findToken(database, key);
    const value = stored && sealer.openForView(field, stored.sealed);
    const token = stored && value ? { value, expiresAt: stored.expiresAt } : undefined;
    if (isUsable(token, rejected)) return token;
    const claimedAt = performance.now();
    const claimMs = hasLowPriority ? LOW_PRIORITY_CLAIM_MS : CLAIM_MS;
    if (await claimToken(database, key, stored?.sealed, { claimMs, maxWaitMs: CLAIM_MS })) {
      try {
        const issued = await issue();
        await storeSupplierToken(database, key, {
          sealed: sealer.seal(field, issued.value),
          expiresAt: issued.expiresAt,
        });
        return issued;
      } finally {
        if (hasLowPriority) await extendClaim(database, key, CLAIM_MS - (performance.now() - claimedAt));
      }
    }
    if (performance.now() > endsAt)
      throw new SupplierUnavailable(safeText`No access token: the next one may not be requested yet`, POLL_INTERVAL_MS);
    await sleep(POLL_INTERVAL_MS);
  }
}
