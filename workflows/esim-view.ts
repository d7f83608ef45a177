import type { SearchAttributeUpdatePair } from '@temporalio/common';
import {
  defineQuery,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  unreadableIccid,
  type ActivationStatus,
  type EsimPoll,
  type MonitoredEsim,
} from '../src/domain/esims/esim-lifecycle';
import { actionText, timeText, type OperatorAction } from '../src/domain/operators/operator-actions';
import { pendingPolls } from '../src/domain/polling';
import { orderMessages, type OrderKey } from '../src/domain/orders/order-messages';
import { activationStatus, attention } from '../src/temporal/search-attributes';

/** The result of the query `state`. Times in UTC. */
interface EsimSnapshot {
  orderId: number;
  status: ActivationStatus;
  /** The state in words. */
  now: string;
  lastChangeAt: string;
  monitoredUntil: string;
  attention: string | null;
  actions: OperatorAction[];
}

const stateQuery = defineQuery<EsimSnapshot>(orderMessages.state);

/** What operators see of an eSIM: its details, the query `state`, and search attributes. */
export class EsimView {
  private shown: EsimPoll;

  constructor(
    private readonly esim: OrderKey,
    esimState: MonitoredEsim,
  ) {
    this.shown = { esimState, isOver: false };
    setHandler(stateQuery, () => this.snapshot(), {
      description: 'The state of the eSIM, and what you can do.',
    });
    setCurrentDetails(this.details());
  }

  /** Updates the details and the search attributes: the status, and why the eSIM needs an operator. */
  show(before: MonitoredEsim, changed: EsimPoll): void {
    this.shown = changed;
    setCurrentDetails(this.details());
    const { status, unreadable } = changed.esimState;
    const reason = unreadable ? unreadableIccid : null;
    const shownReason = workflowInfo().typedSearchAttributes.get(attention) ?? null;
    const changes: SearchAttributeUpdatePair[] = [
      ...(status === before.status ? [] : [{ key: activationStatus, value: status }]),
      ...(reason === shownReason ? [] : [{ key: attention, value: reason }]),
    ];
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  private snapshot(): EsimSnapshot {
    const { esimState } = this.shown;
    return {
      orderId: this.esim.orderId,
      status: esimState.status,
      now: this.sentence(),
      lastChangeAt: timeText(esimState.changedAt),
      monitoredUntil: timeText(esimState.endsAt),
      attention: esimState.unreadable ? unreadableIccid : null,
      actions: this.actions(),
    };
  }

  private details(): string {
    const { lastChangeAt, monitoredUntil, attention: reason, actions } = this.snapshot();
    return [
      ...(reason === null ? [] : [`**Needs attention:** ${reason}`]),
      `**${this.sentence()}**`,
      [
        `- Last change: ${lastChangeAt}`,
        ...(this.shown.isOver
          ? []
          : [pendingPolls('pollEsim'), `- Monitored until ${monitoredUntil} at the latest`]),
      ].join('\n'),
      ...actionText(actions),
    ].join('\n\n');
  }

  private sentence(): string {
    const { esimState, isOver } = this.shown;
    if (!isOver) return `${esimState.status}: its supplier is polled`;
    return esimState.status === 'EXPIRED' ? 'EXPIRED' : `${esimState.status}, and past its time`;
  }

  private actions(): OperatorAction[] {
    if (this.shown.isOver) return [];
    return [{ send: 'signal retryNow', argument: null, effect: 'polls the supplier at once' }];
  }
}
