import { defineQuery, setCurrentDetails, setHandler, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { actionText, timeText, type OperatorAction } from '../src/domain/operators/operator-actions';
import { endpointMessages, type DeliveryRun, type EndpointKey } from '../src/domain/webhooks/delivery-rules';
import { attention } from '../src/temporal/search-attributes';

/** The result of the query `state`. Times in UTC. */
interface EndpointSnapshot {
  endpointId: number;
  /** `FAULT`: the activity `deliverEvents` fails, so nothing is delivered. */
  state: DeliveryRun['state'] | 'FAULT';
  /** The state in words. */
  now: string;
  since: string;
  eventsPending: number | null;
  nextAttemptAt: string | null;
  lastResponse: string | null;
  attention: string | null;
  actions: OperatorAction[];
}

const stateQuery = defineQuery<EndpointSnapshot>(endpointMessages.state);

type State = EndpointSnapshot['state'];

const headlines: Readonly<Record<State, string>> = {
  IDLE: 'Works',
  BUSY: 'Works',
  CIRCUIT_OPEN: 'Fails: one event is sent as a probe, the others wait',
  PAUSED: 'Paused by an operator: all events wait',
  STOPPED: 'Disabled or deleted: nothing is sent',
  FAULT: 'Deliveries cannot run: a fault of the service',
};

const operations = {
  retryNow: { send: 'signal retryNow', argument: null, effect: 'sends the oldest event at once' },
  pause: { send: 'signal pause', argument: null, effect: 'holds all events back' },
  resume: { send: 'signal resume', argument: null, effect: 'releases the events' },
  skipEvent: {
    send: 'update skipEvent',
    argument: '"evt_..."',
    effect: 'gives up the event with this id; `ops webhooks` and the event log of the client list the ids',
  },
} as const satisfies Record<string, OperatorAction>;

const actions: Readonly<Record<State, readonly OperatorAction[]>> = {
  IDLE: [operations.pause],
  BUSY: [operations.pause],
  CIRCUIT_OPEN: [operations.retryNow, operations.skipEvent, operations.pause],
  PAUSED: [operations.resume, operations.skipEvent],
  STOPPED: [],
  FAULT: [operations.retryNow, operations.pause],
};

/** The text for a next attempt without a planned time. In the states that are not listed, a new event starts the next attempt. */
const unplannedAttempts: Readonly<Partial<Record<State, string>>> = {
  BUSY: 'now',
  PAUSED: 'none while paused',
  STOPPED: 'none',
};

/** The endpoint as operators see it: details, the query `state`, and the search attribute `Attention`. */
export class EndpointView {
  private state: State = 'BUSY';
  private since = Date.now();
  private pending: number | null = null;
  private nextAttemptAt: number | null = null;

  constructor(
    private readonly endpoint: EndpointKey,
    private lastResponse: string | null,
  ) {
    setHandler(stateQuery, () => this.snapshot(), {
      description:
        'The state of the endpoint, when it began, the pending events, the next attempt, the last response, and the available operations.',
    });
    setCurrentDetails(this.details());
  }

  show(run: DeliveryRun, lastResponse: string | null): void {
    const { state, pending, nextAttemptAt } = run;
    this.enter(state);
    this.pending = pending;
    this.nextAttemptAt = nextAttemptAt;
    this.lastResponse = lastResponse;
    showAttention(run.attention);
    setCurrentDetails(this.details());
  }

  /** Shows that deliveries cannot run, with the reason. */
  showFault(reason: string, nextAttemptAt: number): void {
    this.enter('FAULT');
    this.nextAttemptAt = nextAttemptAt;
    showAttention(reason);
    setCurrentDetails(this.details());
  }

  private enter(state: State): void {
    // IDLE and BUSY have the same headline, so a change between them does not restart `since`.
    if (headlines[state] !== headlines[this.state]) this.since = Date.now();
    this.state = state;
  }

  private snapshot(): EndpointSnapshot {
    const { state, since, pending, nextAttemptAt, lastResponse } = this;
    return {
      endpointId: this.endpoint.endpointId,
      state,
      now: headlines[state],
      since: timeText(since),
      eventsPending: pending,
      nextAttemptAt: nextAttemptAt === null ? null : timeText(nextAttemptAt),
      lastResponse,
      attention: shownAttention(),
      actions: [...actions[state]],
    };
  }

  private details(): string {
    const { since, nextAttemptAt, attention: reason, actions } = this.snapshot();
    const unplanned = unplannedAttempts[this.state] ?? 'as soon as there is a new event';
    return [
      ...(reason === null ? [] : [`**Needs attention:** ${reason}`]),
      `**${headlines[this.state]}**`,
      [
        `- Since: ${since}`,
        `- Events pending: ${this.pending ?? 'not counted yet'}`,
        `- Next attempt: ${nextAttemptAt ?? unplanned}`,
        `- Last response: ${this.lastResponse ?? 'none yet'}`,
      ].join('\n'),
      ...actionText(actions),
    ].join('\n\n');
  }
}

function shownAttention(): string | null {
  return workflowInfo().typedSearchAttributes.get(attention) ?? null;
}

/** Sets the search attribute `Attention`, by which operators find the endpoint. */
function showAttention(reason: string | null): void {
  if (shownAttention() !== reason) upsertSearchAttributes([{ key: attention, value: reason }]);
}
