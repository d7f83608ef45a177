import { timedOut, withTimeout } from '../src/async/promises';
import type { EndedOrder } from '../src/data/orders/settle-order';
import { endMonitoring, findEsim } from '../src/data/esims/stored-esims';
import type { EsimPoll, MonitoredEsim } from '../src/domain/esims/esim-lifecycle';
import { nextPollDelayMs } from '../src/domain/esims/esim-polling';
import type { OrderKey } from '../src/domain/orders/order-messages';
import { safeText } from '../src/domain/safe-text';
import { second, timeAt } from '../src/domain/time';
import { wakeRechargedPlan } from '../src/ordering/esims/end-of-a-recharge';
import { startMonitor, type EsimOrder } from '../src/ordering/esims/esim-monitors';
import {
  esimStateOf,
  listFailingPolls,
  newEsimStateOf,
  syncEsim,
  UnreadableIccid,
  type EsimDependencies,
} from '../src/ordering/esims/esim-status';
import { SupplierUnavailable } from '../src/domain/suppliers/supplier-errors';
import type { ActivityDependencies } from './dependencies';
import { pollOfEsim } from './polls-by-retries';

/** How long one poll may take. Less than the time limit of `pollEsim` (`pollTimeoutMs`), so that its failure says why. */
const pollLimitMs = 18 * second;

/** How long Temporal may take to start a monitor: less than the limits of an order's first step and of `startEsimMonitor`. */
const startLimitMs = 3 * second;

type MonitorDependencies = EsimDependencies & Pick<ActivityDependencies, 'temporal'>;

/** The activity that starts an eSIM monitor. The first attempt calls it as a plain function, once it has settled the order. */
export const monitorStart = (deps: MonitorDependencies) => ({
  /**
   * Starts the monitor of a delivered eSIM, unless the monitor runs or has run. Fails if Temporal does not answer within 3 s.
   * `ended`: the order's values, if the caller has just settled the order. Without them, the database is read.
   */
  startEsimMonitor: async ({ orderId, nonce }: OrderKey, ended?: EndedOrder): Promise<void> => {
    if (ended) return start(deps, { orderId, nonce, ...ended }, newEsimStateOf(deps, ended));
    const esim = await findEsim(deps.database, { orderId, nonce });
    await start(deps, esim, esimStateOf(deps, esim));
  },
});

async function start({ temporal }: MonitorDependencies, esim: EsimOrder, esimState: MonitoredEsim): Promise<void> {
  const startDelay = nextPollDelayMs(esimState, esimState.changedAt, Math.random());
  const options = { workflowIdReusePolicy: 'REJECT_DUPLICATE', startDelay } as const;
  await temporal.withDeadline(Date.now() + startLimitMs, () => startMonitor(temporal, esim, esimState, options));
}

export const monitoring = (deps: MonitorDependencies) => {
  /** Returns the stored state if the ICCID cannot be decrypted: without the ICCID, the supplier cannot be polled. */
  async function stateAfterPoll(order: OrderKey, now: number): Promise<MonitoredEsim> {
    const esim = await findEsim(deps.database, order);
    try {
      return esimStateOf(deps, await syncEsim(deps, esim, timeAt(now)));
    } catch (error) {
      if (!(error instanceof UnreadableIccid)) throw error;
      return { ...esimStateOf(deps, esim), unreadable: true };
    }
  }

  /** As `stateAfterPoll`. Fails after the time limit. The poll continues, and its result is stored all the same. */
  async function stateInTime(order: OrderKey, now: number): Promise<MonitoredEsim> {
    const state = await withTimeout(stateAfterPoll(order, now), pollLimitMs);
    if (state === timedOut) throw new SupplierUnavailable(safeText`The supplier takes too long to answer`);
    return state;
  }

  return {
    /**
     * Polls the supplier once, and in a burst until the eSIM's state differs from the `known` one or the burst or the monitoring ends.
     * Stores each change with its event, and returns the state. The end of a recharge wakes the monitor of the order that it recharges.
     * A repeated call writes no event twice. If all polls since `failingSince` have failed for two days, the eSIM is on the attention
     * list until a poll is answered.
     */
    async pollEsim(order: OrderKey, known: MonitoredEsim, failingSince: number | null): Promise<EsimPoll> {
      const now = Date.now();
      const polled = await pollOfEsim(
        { known, failingSince, now },
        () => stateInTime(order, now),
        (error) => listFailingPolls(deps, order, error),
      );
      if (!polled.isOver) return polled;
      await endMonitoring(deps.database, order.orderId);
      await wakeRechargedPlan(deps, order);
      return polled;
    },
  };
};
