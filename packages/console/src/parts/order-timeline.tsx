import type { ComponentChildren } from 'preact';
import { send } from '../api';
import { moment } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { hrefOf } from '../route';
import type { Timeline, TimelineAttempt } from '../types';
import { Progress, Status } from '../../../parts/src/basics';
import { SendEvent } from './send-event';

interface Entry {
  at: string;
  content: ComponentChildren;
}

interface OrderTimelineProps {
  id: number;
  /** Changes with each event and attempt of the order. */
  version: number;
  /** Called after an event is sent. */
  changed: () => void;
}

/** What happened to an order, oldest first. */
export function OrderTimeline({ id, version, changed }: OrderTimelineProps) {
  const path = `/api/orders/${id}/timeline`;
  const timeline = useLoaded(() => send<Timeline>(path), path, version);
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Progress of={timeline} />
      {timeline.data && (
        <ol class="timeline card">
          {entriesOf(timeline.data, changed).map(({ at, content }, index) => (
            <li key={index}>
              <time dateTime={at}>{moment(at)}</time>
              <span>{content}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The entries by their time, after the placement: its transaction also writes events, which may have an earlier time. */
function entriesOf({ placed_at: placedAt, completed_at: completedAt, events }: Timeline, changed: () => void): Entry[] {
  const later: Entry[] = [
    ...events.flatMap((event) => [
      { at: event.created_at, content: <EventEntry event={event} changed={changed} /> },
      ...event.attempts.map((attempt) => ({
        at: attempt.attempted_at,
        content: <AttemptEntry type={event.type} attempt={attempt} />,
      })),
    ]),
    ...(completedAt === null ? [] : [{ at: completedAt, content: 'The order ended.' }]),
  ];
  later.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return [{ at: placedAt, content: 'The order was placed.' }, ...later];
}

function EventEntry({ event, changed }: { event: Timeline['events'][number]; changed: () => void }) {
  const waiting = event.deliveries.filter(({ status }) => status === 'PENDING');
  const isDue = event.deliveries.some(({ status }) => status === 'PENDING' || status === 'FAILED');
  return (
    <>
      Event <a href={hrefOf(`webhooks/${event.id}`)}>{event.type}</a>
      {event.deliveries.length === 0 && <span class="quiet"> · no endpoint takes it</span>}
      {waiting.map(({ endpoint_id: id, url, next_try_at: next }) => (
        <span key={id} class="quiet">
          {' '}
          · waits for {url}
          {next !== null && `, next attempt ${moment(next)}`}
        </span>
      ))}{' '}
      {isDue && <SendEvent id={event.id} type={event.type} isDue changed={changed} />}
    </>
  );
}

function AttemptEntry({ type, attempt }: { type: string; attempt: TimelineAttempt }) {
  const { success, url, response_status: status, error, duration_ms: took } = attempt;
  return (
    <>
      <Status of={success ? 'DELIVERED' : 'FAILED'} /> {type} to {url}: {status ?? error}, {took} ms
    </>
  );
}
