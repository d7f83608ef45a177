/**
 * A supplier as the service calls it. The number of concurrent calls of each supplier is limited, so that a hanging supplier
 * does not delay others. Each call is counted (`circuit-breaker.ts`) and timed, and the raw responses about a purchase are stored
 * sealed.
 */
import type { Database } from '../../data/database/database';
import { storeRawResponse } from '../../data/purchases/purchase-polls';
import type { SupplierCall } from '../../data/suppliers/supplier-calls';
import { safeName, safeText } from '../../domain/safe-text';
import { supplierResponse, type Sealer } from '../../security/sealing';
import { RawSupplierResponse, type Supplier } from '../../domain/suppliers/port';
import { CallHeldBack, isSupplierError } from '../../domain/suppliers/supplier-errors';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import type { CircuitBreaker } from './circuit-breaker';
import { propertyOf } from '../../domain/unknown-values';

/** The maximum number of concurrent purchases at one supplier in this process. Order requests wait for them. */
const MAX_PURCHASES = 60;
/** The limit of all other calls. It is separate, so that they delay no purchase. */
const MAX_LOOKUPS = 30;
/** Milliseconds that a call waits for its turn before it fails as unavailable. */
const TURN_LIMIT_MS = 2_000;
/** Milliseconds until a call that found no turn is retried. */
const RETRY_AFTER_MS = 1_000;

/** Limits and observes every supplier of the registry. */
export function observedSuppliers(
  suppliers: ReadonlyMap<string, Supplier>,
  records: Records,
): ReadonlyMap<string, Supplier> {
  const limits: Limits = {
    purchases: new ConcurrencyLimiter({ maxPerOwner: MAX_PURCHASES }),
    lookUps: new ConcurrencyLimiter({ maxPerOwner: MAX_LOOKUPS }),
  };
  return new Map([...suppliers].map(([name, supplier]) => [name, observed(supplier, limits, records)]));
}

/** The calls in progress. Each supplier is an owner. */
interface Limits {
  purchases: ConcurrencyLimiter;
  lookUps: ConcurrencyLimiter;
}

/** Where calls are recorded. */
export interface Records {
  database: Database;
  sealer: Sealer;
  circuits: CircuitBreaker;
  /** Called after each call. The time includes the wait for its turn. */
  observe: (labels: SupplierCall & { outcome: string }, seconds: number) => void;
}

function observed(supplier: Supplier, limits: Limits, records: Records): Supplier {
  const { circuits } = records;
  const storing = rawResponseStorage(records);
  const timed = timer(records);
  const limitPurchases = limited(supplier.name, limits.purchases);
  const limitLookUps = limited(supplier.name, limits.lookUps);
  const kindOf = (call: string, family: string): SupplierCall => ({ supplier: supplier.name, family, call });
  const lookUp = <T>(kind: SupplierCall, call: Call<T>) =>
    timed(kind, () => limitLookUps(() => circuits.call(kind, call)));
  const { withdraw, esimPlans, rechargePlans, esimStatus } = supplier;
  return {
    ...supplier,
    purchase: (request, mayBeSent) => {
      const { family, reference } = request;
      const kind = kindOf('purchase', family);
      const mightBeSent = mayBeSent();
      const purchase = () => {
        if (mightBeSent && !mayBeSent()) throw heldBack(supplier.name);
        return circuits.purchase(kind, () => supplier.purchase(request, mayBeSent));
      };
      return storing(reference, () => timed(kind, () => limitPurchases(purchase)));
    },
    find: (lookup) =>
      storing(lookup.reference, () => lookUp(kindOf('find', lookup.family), () => supplier.find(lookup))),
    ...(withdraw && {
      withdraw: (lookup) =>
        storing(lookup.reference, () => lookUp(kindOf('withdraw', lookup.family), () => withdraw(lookup))),
    }),
    ...(esimPlans && { esimPlans: (sku) => lookUp(kindOf('esim-plans', 'ESIM'), () => esimPlans(sku)) }),
    ...(rechargePlans && {
      rechargePlans: (profile) => lookUp(kindOf('recharge-plans', 'ESIM'), () => rechargePlans(profile)),
    }),
    ...(esimStatus && { esimStatus: (iccid) => lookUp(kindOf('esim-status', 'ESIM'), () => esimStatus(iccid)) }),
  };
}

type Call<T> = () => Promise<T>;

const heldBack = (name: string) =>
  new CallHeldBack(safeText`${safeName(name)}: too many calls are in progress`, RETRY_AFTER_MS);

function limited(name: string, limiter: ConcurrencyLimiter): <T>(call: Call<T>) => Promise<T> {
  return async (call) => {
    const permit = await limiter.acquire({ owner: name }, TURN_LIMIT_MS);
    if (!permit) throw heldBack(name);
    try {
      return await call();
    } finally {
      permit.release();
    }
  };
}

/** Runs calls and reports how long each took and how it ended. */
function timer({ observe }: Records) {
  return async <T>(kind: SupplierCall, run: Call<T>): Promise<T> => {
    const began = performance.now();
    const report = (outcome: string) => observe({ ...kind, outcome }, (performance.now() - began) / 1_000);
    try {
      const result = await run();
      report('answered');
      return result;
    } catch (error) {
      report(outcomeOf(error));
      throw error;
    }
  };
}

/** The label of a failed call. A call that the service held back is no failure of the supplier. */
function outcomeOf(error: unknown): string {
  if (error instanceof CallHeldBack) return 'CallHeldBack';
  return isSupplierError(error) ? error.name : 'Error';
}

/** Runs calls about a purchase and stores the raw supplier response. A failure to store it does not affect the call. */
function rawResponseStorage({ database, sealer }: Records) {
  const store = async (outcome: unknown, reference: string) => {
    const rawResponse = rawResponseOf(outcome);
    if (!rawResponse) return;
    await storeRawResponse(database, reference, sealer.seal(supplierResponse(reference), rawResponse.text));
  };
  return async <T>(reference: string, call: Call<T>): Promise<T> => {
    try {
      const outcome = await call();
      void Promise.allSettled([store(outcome, reference)]);
      return outcome;
    } catch (error) {
      void Promise.allSettled([store(error, reference)]);
      throw error;
    }
  };
}

/** The raw supplier response in a report or an error, if it has one. */
function rawResponseOf(outcome: unknown): RawSupplierResponse | undefined {
  const rawResponse = propertyOf(outcome, 'rawResponse');
  return rawResponse instanceof RawSupplierResponse ? rawResponse : undefined;
}
