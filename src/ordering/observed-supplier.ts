/**
 * A supplier as the service calls it: so many calls of it at a time, so that one that hangs holds up no
 * other, and how it answers on record for operators.
 */
import type { Database } from '../data/database';
import { recordSupplierFailure, recordSupplierSuccess } from '../data/supplier-health';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type Supplier,
} from '../suppliers/port';
import { ConcurrencyLimiter } from './concurrency-limiter';

/** Calls of one supplier at a time in this process: purchases, which somebody waits for, and all others. */
const MAX_PURCHASES = 60;
const MAX_QUESTIONS = 30;
/** Milliseconds a call waits for its turn before it is put off. */
const TURN_LIMIT_MS = 2_000;
/** When a call that was put off is tried again, in milliseconds. */
const PUT_OFF_MS = 1_000;
/** A success is recorded so often at the most, in milliseconds, unless a failure came before it. */
const RECORD_EVERY_MS = 10_000;

/** Every supplier of the registry, limited and observed. */
export function observedSuppliers(
  suppliers: ReadonlyMap<string, Supplier>,
  database: Database,
): ReadonlyMap<string, Supplier> {
  return new Map([...suppliers].map(([name, supplier]) => [name, observed(supplier, database)]));
}

function observed(supplier: Supplier, database: Database): Supplier {
  const record = recorder(supplier.name, database);
  const purchases = limited(supplier.name, MAX_PURCHASES);
  const questions = limited(supplier.name, MAX_QUESTIONS);
  const ask = <T>(call: Call<T>) => questions(() => record(call));
  const { withdraw, esimPlans, esimStatus } = supplier;
  return {
    ...supplier,
    purchase: (request, mayBeSent) => purchases(() => record(() => supplier.purchase(request, mayBeSent))),
    find: (lookup) => ask(() => supplier.find(lookup)),
    ...(withdraw && { withdraw: (lookup) => ask(() => withdraw(lookup)) }),
    ...(esimPlans && { esimPlans: (productSku) => ask(() => esimPlans(productSku)) }),
    ...(esimStatus && { esimStatus: (iccid) => ask(() => esimStatus(iccid)) }),
  };
}

type Call<T> = () => Promise<T>;

function limited(name: string, maxConcurrent: number): <T>(call: Call<T>) => Promise<T> {
  const limiter = new ConcurrencyLimiter({
    maxConcurrent,
    maxPerOwner: maxConcurrent,
    maxPerOwnerAmongOthers: maxConcurrent,
  });
  return async (call) => {
    const permit = await limiter.acquire({ owner: 0, kind: name }, TURN_LIMIT_MS);
    if (!permit) throw new SupplierUnavailable(`${name}: too many calls are under way`, PUT_OFF_MS);
    try {
      return await call();
    } finally {
      permit.release();
    }
  };
}

/** Runs calls and records how they ended. What cannot be recorded changes nothing about the call. */
function recorder(name: string, database: Database): <T>(call: Call<T>) => Promise<T> {
  let recordedAt = -Infinity;
  const succeeded = async () => {
    if (performance.now() - recordedAt < RECORD_EVERY_MS) return;
    recordedAt = performance.now();
    await recordSupplierSuccess(database, name);
  };
  const failed = async (error: unknown) => {
    const isBlocked = error instanceof SupplierAccountBlocked;
    const isSilent = error instanceof SupplierUnavailable || error instanceof SupplierOutcomeUnknown;
    if (!isBlocked && !isSilent) return;
    recordedAt = -Infinity;
    await recordSupplierFailure(database, name, error.message.slice(0, 200), isBlocked);
  };
  return async (call) => {
    try {
      const outcome = await call();
      void succeeded().catch(() => undefined);
      return outcome;
    } catch (error) {
      void failed(error).catch(() => undefined);
      throw error;
    }
  };
}
