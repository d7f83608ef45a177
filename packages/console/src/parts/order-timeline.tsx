import type { ComponentChildren } from 'preact';
import { send } from '../api';
import { moment } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { hrefOf } from '../route';
import type { Timeline, TimelineAttempt } from '../types';
import { Progress, Status } from '../../../parts/src/basics';

interface Entry {
  at: string;
  content: ComponentChildren;
}

/** What happened to an order, oldest first. `version` changes with each event and attempt of the order. */
export function OrderTimeline({ id, version }: { id: number; version: number }) {
  const path = `/api/orders/${id}/timeline`;
  const timeline = useLoaded(() => send<Timeline>(path), path, version);
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <Progress of={timeline} />
      {timeline.data && (
        <ol class="timeline card">
          {entriesOf(timeline.data).map(({ at, content }, index) => (
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
function entriesOf({ placed_at: placedAt, completed_at: completedAt, events }: Timeline): Entry[] {
  const later: Entry[] = [
    ...events.flatMap((event) => [
      { at: event.created_at, content: <EventEntry event={event} /> },
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

function EventEntry({ event }: { event: Timeline['events'][number] }) {
  const waiting = event.deliveries.filter(({ status }) => status === 'PENDING');
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
      ))}
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
