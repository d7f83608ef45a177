import { endMonitoring, findEsim, type EsimRecord } from '../src/data/esims/esim-lifecycle';
import {
  isMonitoringOver,
  monitoredEsim,
  nextPollDelayMs,
  type MonitoredEsim,
} from '../src/domain/esims/esim-lifecycle';
import type { OrderKey } from '../src/domain/orders/order-flow';
import { second } from '../src/domain/time';
import { startMonitor } from '../src/ordering/esims/esim-monitors';
import {
  isPushed,
  syncEsim,
  UnreadableIccid,
  type EsimDependencies,
} from '../src/ordering/esims/esim-status';
import type { ActivityDependencies } from './dependencies';

/** Less than the first step of an order may take, and less than the time limit of `startEsimMonitor`. */
const startLimitMs = 3 * second;

/** Starting the eSIM monitor, which the workflow of an order does. */
export const monitorStart = (deps: EsimDependencies & Pick<ActivityDependencies, 'temporal'>) => ({
  /** Starts the monitor of a delivered eSIM, unless it runs or has run. Fails if Temporal does not answer within 3 s. */
  async startEsimMonitor(order: OrderKey): Promise<void> {
    const esim = await findEsim(deps.database, order);
    const life = monitoredEsim(esim, isPushed(deps, esim));
    const startDelay = nextPollDelayMs(life, life.changedAt, 0, Math.random());
    const how = { workflowIdReusePolicy: 'REJECT_DUPLICATE', startDelay } as const;
    await deps.temporal.withDeadline(Date.now() + startLimitMs, () =>
      startMonitor(deps.temporal, esim, life, how),
    );
  },
});

/** The calls of the eSIM monitor. */
export const monitoring = (deps: EsimDependencies) => {
  /** Without a readable ICCID the supplier cannot be polled: the stored state counts. */
  async function lifeAfterPoll(esim: EsimRecord, now: Date): Promise<MonitoredEsim> {
    try {
      return monitoredEsim(await syncEsim(deps, esim, now), isPushed(deps, esim));
    } catch (error) {
      if (!(error instanceof UnreadableIccid)) throw error;
      return { ...monitoredEsim(esim, isPushed(deps, esim)), unreadable: true };
    }
  }

  return {
    /**
     * Polls the supplier and stores each change with its event. Returns the eSIM's state at `now`, the workflow's time in
     * milliseconds since 1970. Repeated, it writes no event twice.
     */
    async pollEsim(order: OrderKey, now: number): Promise<MonitoredEsim> {
      const life = await lifeAfterPoll(await findEsim(deps.database, order), new Date(now));
      if (isMonitoringOver(life, now)) await endMonitoring(deps.database, order.orderId);
      return life;
    },
  };
};
