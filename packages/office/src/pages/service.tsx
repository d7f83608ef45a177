import type { Values } from '../call';
import type { Row } from '../parts/cells';
import { Do } from '../parts/do';
import { List } from '../parts/list';

const schedule = ({ schedule: name }: Row): Values => ({ schedule: String(name) });

/** The schedules that keep the service in order, and its checks. */
export function ServicePage() {
  return (
    <>
      <div class="buttons" role="group" aria-label="Checks">
        <Do operation="ledger verify" />
        <Do operation="reconcile" />
      </div>
      <List
        title="Schedules"
        operation="maintenance list"
        rowActions={[
          { operation: 'maintenance run', given: schedule },
          { operation: 'maintenance pause', given: schedule, fits: ({ paused }) => paused === false },
          { operation: 'maintenance resume', given: schedule, fits: ({ paused }) => paused === true },
        ]}
      />
    </>
  );
}
