import { Action } from '../../../parts/src/basics';
import { api } from '../api';

interface SendEventProps {
  id: string;
  type: string;
  /** Whether an endpoint has not accepted it. */
  isDue: boolean;
  changed: () => void;
}

/** Sends an event now: to each endpoint that takes it or received it. */
export function SendEvent({ id, type, isDue, changed }: SendEventProps) {
  const run = () => api(`/webhooks/events/${id}/redeliver`, { method: 'POST' }).then(changed);
  return (
    <Action run={run}>
      {isDue ? 'Send now' : 'Send again'}
      <span class="unseen">
        {' '}
        {type} {id}
      </span>
    </Action>
  );
}
