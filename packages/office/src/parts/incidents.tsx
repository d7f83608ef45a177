/** Incidents at suppliers: whom each one hits, what to tell them, and the one retry that ends it. */
import { CopyButton, Progress } from '../../../parts/src/basics';
import { useState } from 'preact/hooks';
import { Fold } from '../../../parts/src/fold';
import { inWords, moment, words } from '../../../parts/src/format';
import { MoreRows, usePageSize } from '../../../parts/src/more-rows';
import { useReading } from '../reading';
import { hrefOf } from '../route';
import { entriesOf, hitBy } from '../sums';
import { Entries, type AttentionEntry } from './attention-entries';
import { Do } from './do';
import { List } from './list';
import type { Action } from './offered';
import { pageText } from './page-text';

export interface Incident {
  supplier: string;
  /** Null: every family. */
  family: string | null;
  cause: string;
  since: string;
  orders: number;
  clients: number;
  worth: readonly string[];
  tell: string;
  entries: number;
  action: Action | null;
  obstacle: string | null;
}

const causes = new Map([
  ['BLOCKED', 'rejects our account'],
  ['DOWN', 'does not answer'],
  ['LATE', 'reports no outcome'],
]);

interface IncidentsProps {
  of: readonly Incident[];
  changed: () => void;
}

export function Incidents({ of, changed }: IncidentsProps) {
  if (of.length === 0) return null;
  return (
    <section aria-labelledby="incidents">
      <h2 id="incidents">{of.length === 1 ? 'An incident' : 'Incidents'}</h2>
      <ul class="entries">
        {of.map((incident) => (
          <li
            key={`${incident.supplier} ${incident.family} ${incident.cause}`}
            class="card"
            data-incident={incident.supplier}
          >
            <OneIncident of={incident} changed={changed} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneIncident({ of, changed }: { of: Incident; changed: () => void }) {
  const { supplier, family, cause, since, tell, entries, action, obstacle } = of;
  return (
    <>
      <h3 class="card-head">
        <a href={hrefOf('suppliers', supplier)}>{supplier}</a> {causes.get(cause) ?? words(cause)}
        {family !== null && <span class="tag">{words(family)}</span>}
        <span class="quiet">since {moment(since)}</span>
      </h3>
      <p>{hitText(of)}</p>
      <p class="quiet">
        To tell a client: {pageText(tell)} <CopyButton label="what to tell a client" text={pageText(tell)} />
      </p>
      <div class="buttons">
        {action ? (
          <Do operation={action.operation} given={action.arguments} choices={action.choices} done={changed} />
        ) : (
          <span class="quiet">{obstacle === null ? '' : pageText(obstacle)}</span>
        )}
      </div>
      <List
        title="Who is hit"
        isFolded
        operation="suppliers hit"
        given={{ ...hitBy({ ...of }).values, since }}
        columns={['id', 'status', 'product_name', 'total_payable', 'client', 'delivered', 'quantity', 'placed_at']}
      />
      <List
        title="What only it sells"
        isFolded
        operation="suppliers only"
        given={{ name: supplier }}
        columns={['family', 'product_name']}
        nameOf={({ family: named, product_id: id }) => `${String(named)}/${String(id)}`}
      />
      <Fold title={entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`}>
        <EntriesOf incident={of} changed={changed} />
      </Fold>
    </>
  );
}

function hitText({ orders, clients, worth }: Incident): string {
  if (orders === 0) return 'It hits no open order.';
  const of = `${orders === 1 ? '1 open order' : `${orders.toLocaleString('en')} open orders`} of ${clients === 1 ? '1 client' : `${clients.toLocaleString('en')} clients`}`;
  return `It hits ${of}: ${inWords(worth.map(pageText))}.`;
}

/** The entries of an incident, a page at a time. */
function EntriesOf({ incident, changed }: { incident: Incident; changed: () => void }) {
  const { entries: count } = incident;
  const size = usePageSize();
  const [shown, setShown] = useState(size);
  const [changes, setChanges] = useState(0);
  const listed = useReading<AttentionEntry[]>(
    'attention',
    entriesOf({ ...incident }).values,
    // Another count means other entries.
    { version: changes, ticks: count },
    { limit: shown },
  );
  const changedHere = () => {
    setChanges((before) => before + 1);
    changed();
  };
  return (
    <>
      <Progress of={listed} />
      <Entries entries={listed.data ?? []} changed={changedHere} />
      {shown < count && <MoreRows isEndless={false} show={() => setShown(shown + size)} />}
    </>
  );
}
