import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { defineQuery, setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  unreadableIccid,
  type ActivationStatus,
  type EsimPoll,
  type MonitoredEsim,
} from '../src/domain/esims/esim-lifecycle';
import { actionText, timeText, type OperatorAction } from '../src/domain/operators/operator-actions';
import { orderMessages, type OrderKey } from '../src/domain/orders/order-messages';
import { activationStatus, attention } from '../src/temporal/search-attributes';

/** The result of the query `state`. Times in UTC. */
interface EsimSnapshot {
  orderId: number;
  status: ActivationStatus;
  /** The state in words. */
  now: string;
  lastChangeAt: string;
  /** When the monitor polls next; null while it polls. */
  nextPollAt: string | null;
  /** Since when all polls have failed; null if the last one was answered. */
  failingSince: string | null;
  monitoredUntil: string;
  attention: string | null;
  actions: OperatorAction[];
}

const stateQuery = defineQuery<EsimSnapshot>(orderMessages.state);

/** What operators see of an eSIM: its details, the query `state`, and search attributes. */
export class EsimView {
  private shown: EsimPoll;
  private nextPollAt: number | null = null;

  /** `failingSince`: see `MonitorProgress`. */
  constructor(
    private readonly esim: OrderKey,
    esimState: MonitoredEsim,
    private failingSince: number | null,
  ) {
    this.shown = { esimState, isOver: false };
    setHandler(stateQuery, () => this.snapshot(), { description: 'The state of the eSIM, and what you can do.' });
    setCurrentDetails(this.details());
  }

  /** Shows that the monitor waits. `nextPollAt`: milliseconds since 1970. */
  showWait(nextPollAt: number): void {
    this.nextPollAt = nextPollAt;
    setCurrentDetails(this.details());
  }

  /** Shows that the monitor polls. */
  showPoll(): void {
    this.nextPollAt = null;
    setCurrentDetails(this.details());
  }

  /** Shows that the polls of a step have failed. */
  showFailure(failingSince: number): void {
    this.failingSince = failingSince;
    setCurrentDetails(this.details());
  }

  /** Shows the answer of a poll. Updates the search attributes: the status, and why the eSIM needs an operator. */
  showAnswer(polled: EsimPoll): void {
    const before = this.shown.esimState;
    this.shown = polled;
    this.failingSince = null;
    setCurrentDetails(this.details());
    const { status, unreadable } = polled.esimState;
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
      nextPollAt: this.nextPollAt === null ? null : timeText(this.nextPollAt),
      failingSince: this.failingSince === null ? null : timeText(this.failingSince),
      monitoredUntil: timeText(esimState.endsAt),
      attention: esimState.unreadable ? unreadableIccid : null,
      actions: this.actions(),
    };
  }

  private details(): string {
    const { lastChangeAt, failingSince, monitoredUntil, attention: reason, actions } = this.snapshot();
    return [
      ...(reason === null ? [] : [`**Needs attention:** ${reason}`]),
      `**${this.sentence()}**`,
      [
        `- Last change: ${lastChangeAt}`,
        ...(this.shown.isOver
          ? []
          : [
              this.nextPollText(),
              ...(failingSince === null ? [] : [`- All polls have failed since ${failingSince}`]),
              `- Monitored until ${monitoredUntil} at the latest`,
            ]),
      ].join('\n'),
      ...actionText(actions),
    ].join('\n\n');
  }

  private nextPollText(): string {
    if (this.nextPollAt === null) return '- Polls now: see `pollEsim` under "Pending Activities"';
    return `- Next poll: ${timeText(this.nextPollAt)}, sooner if the supplier sends an update`;
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
