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
  type MonitoredEsim,
} from '../src/domain/esims/esim-lifecycle';
import { actionText, timeText, type OperatorAction } from '../src/domain/operations/operator-actions';
import { orderMessages, type OrderKey } from '../src/domain/orders/order-flow';
import { activationStatus, attention } from '../src/temporal/search-attributes';

interface EsimFacts {
  esimState: MonitoredEsim;
  /** Failed polls since the last successful one. */
  failures: number;
  /** Milliseconds since 1970; null once the monitor has ended. */
  nextPollAt: number | null;
}

/** The result of the query `state`. Times in UTC. */
interface EsimSnapshot {
  orderId: number;
  status: ActivationStatus;
  /** The state in words. */
  now: string;
  lastChangeAt: string;
  nextPollAt: string | null;
  monitoredUntil: string;
  pollsWithoutAnswer: number;
  attention: string | null;
  youCan: OperatorAction[];
}

const stateQuery = defineQuery<EsimSnapshot>(orderMessages.state);

/** What operators see of an eSIM: its details, the query `state`, and search attributes. */
export class EsimView {
  private facts: EsimFacts;

  constructor(
    private readonly esim: OrderKey,
    esimState: MonitoredEsim,
  ) {
    this.facts = { esimState, failures: 0, nextPollAt: null };
    setHandler(stateQuery, () => this.snapshot(), {
      description: 'The state of the eSIM, when its supplier is polled next, and what you can do.',
    });
  }

  show(facts: EsimFacts): void {
    this.facts = facts;
    setCurrentDetails(this.details());
  }

  /** Updates the search attributes: the status, and why the eSIM needs an operator. */
  showChanges(before: MonitoredEsim, { status, unreadable }: MonitoredEsim): void {
    const reason = unreadable ? unreadableIccid : null;
    const shownReason = workflowInfo().typedSearchAttributes.get(attention) ?? null;
    const changes: SearchAttributeUpdatePair[] = [
      ...(status === before.status ? [] : [{ key: activationStatus, value: status }]),
      ...(reason === shownReason ? [] : [{ key: attention, value: reason }]),
    ];
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  private snapshot(): EsimSnapshot {
    const { esimState, failures, nextPollAt } = this.facts;
    return {
      orderId: this.esim.orderId,
      status: esimState.status,
      now: this.sentence(),
      lastChangeAt: timeText(esimState.changedAt),
      nextPollAt: nextPollAt === null ? null : timeText(nextPollAt),
      monitoredUntil: timeText(esimState.endsAt),
      pollsWithoutAnswer: failures,
      attention: esimState.unreadable ? unreadableIccid : null,
      youCan: this.actions(),
    };
  }

  private details(): string {
    const { lastChangeAt, nextPollAt, monitoredUntil, attention: reason, youCan } = this.snapshot();
    return [
      ...(reason === null ? [] : [`**Needs attention:** ${reason}`]),
      `**${this.sentence()}**`,
      [
        `- Last change: ${lastChangeAt}`,
        ...(nextPollAt === null
          ? []
          : [
              `- Next poll: ${nextPollAt}, sooner if the supplier sends an update`,
              `- Monitored until ${monitoredUntil} at the latest`,
            ]),
      ].join('\n'),
      ...actionText(youCan),
    ].join('\n\n');
  }

  private sentence(): string {
    const { esimState, failures, nextPollAt } = this.facts;
    if (nextPollAt === null)
      return esimState.status === 'EXPIRED' ? 'EXPIRED' : `${esimState.status}, and past its time`;
    const silent = failures === 0 ? '' : `; its supplier did not answer the last ${failures} times`;
    return `${esimState.status}: its supplier is polled${silent}`;
  }

  private actions(): OperatorAction[] {
    if (this.facts.nextPollAt === null) return [];
    return [{ send: 'signal retryNow', argument: null, effect: 'polls the supplier at once' }];
  }
}
