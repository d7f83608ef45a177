/**
 * Polls suppliers for the status of delivered eSIMs, for their monitors and for clients that read an order. The database
 * decides what has changed. docs/specification.md#esim-orders.
 */
import { LRUCache } from 'lru-cache';
import { SingleFlight, timedOut, withTimeout } from '../../async/promises';
import { clearAttention, isSupplierDown, raiseAttention } from '../../data/attention/attention';
import { advanceEsim, findEsim, type EsimRecord, type PolledUsage } from '../../data/esims/stored-esims';
import type { EndedOrder } from '../../data/orders/settle-order';
import type { EsimOrderRow } from '../../data/purchases/families/esim';
import {
  implausibleTimes,
  monitoredEsim,
  newEsim,
  timesAfter,
  unreadableIccid,
  validityIsOver,
  type EsimStatus,
  type EsimTimes,
  type MonitoredEsim,
} from '../../domain/esims/esim-lifecycle';
import { isUnlimited, usageOf, usedPercent } from '../../domain/esims/esim-usage';
import { statusOfPlan } from '../../domain/esims/plans-of-one-profile';
import type { OrderKey } from '../../domain/orders/order-messages';
import { esimWorkflowId } from '../../domain/orders/order-ids';
import { safeText } from '../../domain/safe-text';
import { minute } from '../../domain/time';
import { esimField } from '../../security/sealing';
import type { Supplier } from '../../domain/suppliers/port';
import { ProfileUnknown, SupplierUnavailable } from '../../domain/suppliers/supplier-errors';
import type { OrderingDependencies } from '../dependencies';
import { retryNow } from '../order-workflow';

export type EsimDependencies = Pick<OrderingDependencies, 'database' | 'sealer' | 'suppliers'>;

/** The ICCID cannot be decrypted, so the supplier cannot be polled before an operator restores the key. */
export class UnreadableIccid extends Error {
  override readonly name = 'UnreadableIccid';
}

/**
 * Polls the eSIM's supplier. Stores the usage, and each change with its event. Puts an implausible time on the attention list.
 * Returns the stored eSIM: the same object if its state has not changed. Throws if the poll fails, and `UnreadableIccid` if the
 * ICCID cannot be decrypted.
 */
export async function syncEsim(deps: EsimDependencies, esim: EsimRecord, now: Date): Promise<EsimRecord> {
  const status = await statusOf(deps, esim, now);
  const times = timesAfter(esim, status, now);
  const usage = usageAfter(esim, status, times ?? esim);
  if (!times) {
    if (usage) await advanceEsim(deps.database, esim.orderId, esim, usage);
    return esim;
  }
  const implausible = implausibleTimes(esim, status, times);
  // Raised before the times are stored, because stored times are not checked again. After a crash here, both are repeated.
  if (implausible !== undefined)
    await raiseAttention(deps.database, { orderId: esim.orderId }, 'ESIM_TIMES_IMPLAUSIBLE', implausible);
  await advanceEsim(deps.database, esim.orderId, times, usage);
  return findEsim(deps.database, esim);
}

/**
 * Polls as `syncEsim`, for every caller but the eSIM's monitor. `wakeMonitor`: lets the monitor poll at once, if the state has changed,
 * because it may wait for a day.
 */
export async function syncAndWake(
  deps: EsimDependencies,
  esim: EsimRecord,
  wakeMonitor: (order: OrderKey) => Promise<unknown>,
): Promise<EsimRecord> {
  const synced = await syncEsim(deps, esim, new Date());
  if (synced !== esim) await wakeMonitor(esim);
  return synced;
}

/**
 * The usage to store. 0 % reaches no threshold: usage before the installation is a mistake of the supplier, and that of a recharged
 * profile is an event of its newest recharge. An unlimited plan has no amounts: those of its supplier are of one day.
 */
function usageAfter(
  { dataAmountGb, isRecharged }: EsimRecord,
  { usage }: EsimStatus,
  { installedAt }: EsimTimes,
): PolledUsage | undefined {
  if (usage && isUnlimited(dataAmountGb)) return { ...usageOf({ endsAt: usage.endsAt }), percent: 0 };
  const isOfOther = installedAt === null || isRecharged;
  return usage && { ...usage, percent: isOfOther ? 0 : usedPercent(usage, dataAmountGb) };
}

/**
 * Polls the status. Returns an empty one without a poll if the validity has ended, or if the supplier reports no status or is no
 * longer configured. A profile that the supplier does not know is on the attention list until a poll is answered.
 */
async function statusOf(deps: EsimDependencies, esim: EsimRecord, now: Date): Promise<EsimStatus> {
  const supplier = deps.suppliers.get(esim.supplier);
  if (validityIsOver(esim, now) || !supplier?.esimStatus) return {};
  const { orderId } = esim;
  const status = await sharedStatus(deps, supplier, esim).catch(async (error: unknown) => {
    if (error instanceof ProfileUnknown)
      await raiseAttention(deps.database, { orderId }, 'ESIM_UNKNOWN', unknownProfile(error));
    throw error;
  });
  if (esim.isListed) await clearAttention(deps.database, { orderId }, ['ESIM_UNKNOWN', 'ESIM_POLLS_FAILING']);
  return statusOfPlan(esim, status);
}

const unknownProfile = ({ message }: ProfileUnknown) => `The supplier does not know the eSIM: ${message}`;

const statusFlights = new SingleFlight<EsimStatus>();
/** The last status by the order with the profile, as long as the supplier would repeat it. */
const lastStatuses = new LRUCache<number, EsimStatus>({ max: 10_000 });

/**
 * The status of the profile. Orders that recharge it share the polls, and a supplier that caches the status is polled as often as
 * for one order.
 */
async function sharedStatus(
  deps: EsimDependencies,
  { esimStatus, traits: { esimStatusCachedMs: ttl } }: Supplier,
  esim: EsimRecord,
): Promise<EsimStatus> {
  const { profileOrderId, isRecharge, isRecharged } = esim;
  const isShared = isRecharge || isRecharged;
  const known = isShared ? lastStatuses.get(profileOrderId) : undefined;
  if (known) return known;
  const iccid = await openIccid(deps, esim);
  const poll = async (): Promise<EsimStatus> => (await esimStatus?.(iccid)) ?? {};
  const status = isShared ? await statusFlights.run(poll, String(profileOrderId)) : await poll();
  if (ttl !== undefined) lastStatuses.set(profileOrderId, status, { ttl });
  return status;
}

/**
 * Puts an eSIM whose polls fail on the attention list, unless its supplier is there, because the outage of a supplier concerns all of
 * its eSIMs, or unless the supplier does not know the eSIM, which is listed already. An answered poll removes it.
 */
export async function listFailingPolls({ database }: EsimDependencies, order: OrderKey, error: unknown): Promise<void> {
  // Every other error is not about this eSIM, and is listed or logged by itself.
  if (!(error instanceof SupplierUnavailable) || error instanceof ProfileUnknown) return;
  const { orderId, supplier } = await findEsim(database, order);
  if (await isSupplierDown(database, supplier)) return;
  const reason = `All polls of its state have failed for two days. The last one: ${error.message}`;
  await raiseAttention(database, { orderId }, 'ESIM_POLLS_FAILING', reason);
}

/** Decrypts the ICCID, as its supplier writes it. If that fails, raises `ICCID_UNREADABLE` and throws `UnreadableIccid`. */
export async function openIccid(
  { database, sealer }: EsimDependencies,
  { orderId, profileOrderId, iccid, isListed }: EsimRecord,
): Promise<string> {
  const opened = sealer.openForView(esimField(profileOrderId, 'iccid'), iccid);
  if (opened === null) {
    await raiseAttention(database, { orderId }, 'ICCID_UNREADABLE', unreadableIccid);
    throw new UnreadableIccid(`The ICCID of order ${orderId} cannot be decrypted`);
  }
  if (isListed) await clearAttention(database, { orderId }, ['ICCID_UNREADABLE']);
  return opened;
}

/** The state of the eSIM for its monitor, with the supplier's traits, which determine how often the monitor polls. */
export function esimStateOf({ suppliers }: EsimDependencies, esim: EsimRecord): MonitoredEsim {
  const { pushesEsims = false, esimStatusCachedMs } = suppliers.get(esim.supplier)?.traits ?? {};
  return monitoredEsim(esim, pushesEsims, esimStatusCachedMs);
}

/** Like `esimStateOf`, for an eSIM that has just been delivered. */
export function newEsimStateOf({ suppliers }: EsimDependencies, ended: EndedOrder): MonitoredEsim {
  const { pushesEsims = false, esimStatusCachedMs } = suppliers.get(ended.supplier)?.traits ?? {};
  return newEsim(ended.completedAt, pushesEsims, esimStatusCachedMs);
}

/** Milliseconds that a read waits for the supplier before it shows the stored status or usage. */
const READ_LIMIT_MS = 15_000;

const flights = new SingleFlight<EsimRecord | undefined>();
/** The nonces of orders whose supplier caches the eSIM's status and would only repeat the last status. */
const cachedBySupplier = new LRUCache<string, true>({ max: 10_000 });

/**
 * Returns the order after a poll if its eSIM is delivered and not known to be installed. Concurrent reads share one poll. No poll
 * is made while the supplier would repeat its last status. If the supplier is unavailable, returns the order unchanged.
 */
export async function refreshEsim(deps: OrderingDependencies, order: EsimOrderRow): Promise<EsimOrderRow> {
  if (order.status !== 'DELIVERED' || order.activationStatus !== 'NOT_INSTALLED') return order;
  if (cachedBySupplier.has(order.nonce)) return order;
  return withStatus(order, await sharedRefresh(deps, order));
}

/** Milliseconds for which a read shows the stored usage without a poll. */
const USAGE_FRESH_MS = minute;

/**
 * Polls the supplier of the delivered eSIM about its usage, unless the stored usage is younger than a minute, the supplier would
 * repeat it, or the eSIM is EXPIRED. Concurrent reads share one poll. If the supplier is unavailable, the stored usage stays.
 */
export async function refreshUsage(deps: OrderingDependencies, order: EsimOrderRow): Promise<void> {
  if (order.activationStatus === 'EXPIRED') return;
  const key = { orderId: order.id, nonce: order.nonce };
  const { supplier, usageCheckedAt } = await findEsim(deps.database, key);
  const { esimStatusCachedMs = 0 } = deps.suppliers.get(supplier)?.traits ?? {};
  const age = usageCheckedAt === null ? Infinity : Date.now() - usageCheckedAt.getTime();
  if (Math.abs(age) < Math.max(USAGE_FRESH_MS, esimStatusCachedMs)) return;
  await sharedRefresh(deps, order);
}

/** Returns the delivered order after a separate poll: a shared poll may have started before the caller's change. */
export async function pollEsimNow(deps: OrderingDependencies, order: EsimOrderRow): Promise<EsimOrderRow> {
  return withStatus(order, await refresh(deps, { orderId: order.id, nonce: order.nonce }));
}

/**
 * Whether no device has the profile of the delivered eSIM, by a poll of its own. Throws if the supplier does not answer within 15 s. A
 * supplier that reports no status is not polled. `wakeMonitor`: see `syncAndWake`.
 */
export async function isNotInstalled(
  deps: EsimDependencies,
  order: OrderKey,
  wakeMonitor: (order: OrderKey) => Promise<unknown>,
): Promise<boolean> {
  const esim = await findEsim(deps.database, order);
  const polled = await withTimeout(syncAndWake(deps, esim, wakeMonitor), READ_LIMIT_MS);
  if (polled === timedOut) throw new SupplierUnavailable(safeText`the supplier did not answer in time`);
  return polled.activationStatus === 'NOT_INSTALLED' && polled.installedAt === null;
}

function withStatus(order: EsimOrderRow, esim: EsimRecord | undefined): EsimOrderRow {
  if (!esim) return order;
  const { activationStatus, installedAt, activatedAt } = esim;
  return { ...order, activationStatus, installedAt, activatedAt };
}

/** Joins or starts the poll of the order's eSIM. Returns undefined if the poll takes too long or the process stops. */
async function sharedRefresh(deps: OrderingDependencies, { id, nonce }: EsimOrderRow): Promise<EsimRecord | undefined> {
  const refreshed = flights.run(() => refresh(deps, { orderId: id, nonce }), nonce);
  const esim = await withTimeout(refreshed, READ_LIMIT_MS, deps.stopping);
  return esim === timedOut ? undefined : esim;
}

async function refresh(deps: OrderingDependencies, order: OrderKey): Promise<EsimRecord | undefined> {
  try {
    const esim = await findEsim(deps.database, order);
    // The read does not wait for the signal.
    const synced = await syncAndWake(deps, esim, async () => void signalMonitor(deps, order));
    const { esimStatusCachedMs: ttl } = deps.suppliers.get(esim.supplier)?.traits ?? {};
    if (ttl !== undefined) cachedBySupplier.set(order.nonce, true, { ttl });
    return synced;
  } catch (error) {
    deps.log.warn({ err: error, orderId: order.orderId }, 'an eSIM could not be refreshed');
    return undefined;
  }
}

/** Lets the monitor of the eSIM poll at once. If the signal fails, the monitor finds the change at its next poll. */
export async function signalMonitor(
  { temporal, log }: Pick<OrderingDependencies, 'temporal' | 'log'>,
  { orderId, nonce }: OrderKey,
): Promise<void> {
  try {
    await retryNow(temporal, esimWorkflowId(orderId, nonce));
  } catch (error) {
    log.warn({ err: error, orderId }, 'the eSIM monitor could not be signalled');
  }
}
