/**
 * A supplier as the service calls it. The number of concurrent calls of each supplier is limited, so that a hanging supplier
 * does not delay others. Results are recorded for operators, and the raw responses about a purchase are stored sealed.
 */
import type { Database } from '../../data/database/database';
import { storeRawResponse } from '../../data/purchases/purchase-polls';
import {
  recordSupplierBlocked,
  recordSupplierFailure,
  recordSupplierSuccess,
  type SupplierCall,
} from '../../data/operations/supplier-health';
import { safeName, safeText } from '../../domain/safe-text';
import { supplierResponse, type Sealer } from '../../security/sealing';
import {
  CallHeldBack,
  isSupplierError,
  isSupplierFault,
  SupplierAccountBlocked,
  RawSupplierResponse,
  type Supplier,
} from '../../suppliers/port';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import type { CircuitBreaker } from './circuit-breaker';

/** The maximum number of concurrent purchases at one supplier in this process. Order requests wait for them. */
const MAX_PURCHASES = 60;
/** The limit of all other calls. It is separate, so that they delay no purchase. */
const MAX_LOOKUPS = 30;
/** Milliseconds that a call waits for its turn before it fails as unavailable. */
const TURN_LIMIT_MS = 2_000;
/** Milliseconds until a call that found no turn is retried. */
const RETRY_AFTER_MS = 1_000;
/** Milliseconds between two recorded successes, unless a failure came between. */
const RECORD_EVERY_MS = 10_000;

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

/** Where results are recorded. */
export interface Records {
  database: Database;
  sealer: Sealer;
  circuits: CircuitBreaker;
  /** Called after each call. The time includes the wait for its turn. */
  observe: (labels: SupplierCall & { outcome: string }, seconds: number) => void;
}

function observed(supplier: Supplier, limits: Limits, records: Records): Supplier {
  const record = recorder(supplier.name, records);
  const timed = timer(supplier.name, records);
  const limitPurchases = limited(supplier.name, limits.purchases);
  const limitLookUps = limited(supplier.name, limits.lookUps);
  const lookUp = <T>(kind: CallKind, call: Call<T>, reference?: string) =>
    timed(kind, () => limitLookUps(() => record(kind, call, reference)));
  const { circuits } = records;
  const circuitOf = (family: string) => ({ supplier: supplier.name, family });
  const { withdraw, esimPlans, esimStatus } = supplier;
  return {
    ...supplier,
    purchase: (request, mayBeSent) => {
      const { family, reference } = request;
      const kind = { call: 'purchase', family };
      const call = () => circuits.purchase(circuitOf(family), () => supplier.purchase(request, mayBeSent));
      const mightBeSent = mayBeSent();
      return timed(kind, () =>
        limitPurchases(() => {
          if (mightBeSent && !mayBeSent()) throw heldBack(supplier.name);
          return record(kind, call, reference);
        }),
      );
    },
    find: (lookup) => {
      const { family, reference } = lookup;
      const call = () => circuits.lookUp(circuitOf(family), () => supplier.find(lookup));
      return lookUp({ call: 'find', family }, call, reference);
    },
    ...(withdraw && {
      withdraw: (lookup) =>
        lookUp({ call: 'withdraw', family: lookup.family }, () => withdraw(lookup), lookup.reference),
    }),
    ...(esimPlans && {
      esimPlans: (sku) => lookUp({ call: 'esim-plans', family: 'ESIM' }, () => esimPlans(sku)),
    }),
    ...(esimStatus && {
      esimStatus: (iccid) => lookUp({ call: 'esim-status', family: 'ESIM' }, () => esimStatus(iccid)),
    }),
  };
}

type Call<T> = () => Promise<T>;
type CallKind = Omit<SupplierCall, 'supplier'>;

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
function timer(supplier: string, { observe }: Records) {
  return async <T>({ family, call }: CallKind, run: Call<T>): Promise<T> => {
    const began = performance.now();
    const report = (outcome: string) =>
      observe({ supplier, family, call, outcome }, (performance.now() - began) / 1_000);
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

/** Runs calls and records their results by kind. A failure to record does not affect the call. */
function recorder(
  supplier: string,
  { database, sealer }: Records,
): <T>(kind: CallKind, call: Call<T>, reference?: string) => Promise<T> {
  const succeededAt = new Map<string, number>();
  const keyOf = ({ family, call }: CallKind) => `${family} ${call}`;
  const succeeded = async (kind: CallKind) => {
    const now = performance.now();
    if (now - (succeededAt.get(keyOf(kind)) ?? -Infinity) < RECORD_EVERY_MS) return;
    succeededAt.set(keyOf(kind), now);
    await recordSupplierSuccess(database, { supplier, ...kind });
  };
  const failed = async (kind: CallKind, error: unknown) => {
    if (!isSupplierFault(error)) return;
    succeededAt.delete(keyOf(kind));
    const record = error instanceof SupplierAccountBlocked ? recordSupplierBlocked : recordSupplierFailure;
    await record(database, { supplier, ...kind }, error.message);
  };
  const storeRaw = async (outcome: unknown, reference: string | undefined) => {
    const rawResponse = rawResponseOf(outcome);
    if (!rawResponse || reference === undefined) return;
    await storeRawResponse(database, reference, sealer.seal(supplierResponse(reference), rawResponse.text));
  };
  return async (kind, call, reference) => {
    try {
      const outcome = await call();
      void Promise.allSettled([succeeded(kind), storeRaw(outcome, reference)]);
      return outcome;
    } catch (error) {
      void Promise.allSettled([failed(kind, error), storeRaw(error, reference)]);
      throw error;
    }
  };
}

/** The raw supplier response in a report or an error, if it has one. */
function rawResponseOf(outcome: unknown): RawSupplierResponse | undefined {
  const { rawResponse } = Object(outcome) as { rawResponse?: unknown };
  return rawResponse instanceof RawSupplierResponse ? rawResponse : undefined;
}
