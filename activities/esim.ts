import { endFollowing, findEsim, type EsimRecord } from '../src/data/esims/esim-lifecycle';
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
import type { EsimLabel } from '../src/temporal/esim-monitor';
import type { ActivityDependencies } from './dependencies';

/** What the workflow that follows an eSIM asks of the world. */
export const esims = (deps: EsimDependencies) => {
  /** The eSIM's life after its supplier was polled. Without a readable ICCID it goes on by what is stored. */
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
     * Asks the supplier how the eSIM stands, stores what is new and tells where it is in its life by the
     * workflow's time (milliseconds since 1970). Repeated, nothing is told to clients twice.
     */
    async pollEsim(order: OrderKey, now: number): Promise<MonitoredEsim> {
      const esim = await findEsim(deps.database, order);
      const life = await lifeAfterPoll(esim, new Date(now));
      if (isMonitoringOver(life, now)) await endFollowing(deps.database, order.orderId);
      return life;
    },
  };
};

/** Less than the step may take in which it is part of selling, and than the step of its own. */
const answerLimitMs = 3 * second;

export const monitors = ({ temporal }: ActivityDependencies) => ({
  /**
   * Has the eSIM followed, from its first look on. One that is followed, or was, stays as it is. Fails where Temporal does
   * not answer soon.
   */
  async startEsimMonitor(order: OrderKey, label: EsimLabel, life: MonitoredEsim): Promise<void> {
    const startDelay = nextPollDelayMs(life, life.changedAt, 0, Math.random());
    const how = { workflowIdReusePolicy: 'REJECT_DUPLICATE', startDelay } as const;
    await temporal.withDeadline(Date.now() + answerLimitMs, () =>
      startMonitor(temporal, order, label, life, how),
    );
  },
});
