/** Everything that needs a person, by default the oldest entry first. */
import { useState } from 'preact/hooks';
import { Empty, Progress } from '../../../parts/src/basics';
import { MoreRows, usePageSize } from '../../../parts/src/more-rows';
import { readText } from '../call';
import { useKept } from '../kept';
import { useOperation } from '../office';
import { Entries, type AttentionEntry } from '../parts/attention-entries';
import { Download } from '../parts/download';
import { Filters } from '../parts/filters';
import { Incidents, type Incident } from '../parts/incidents';
import { useReading, useTicks } from '../reading';
import { WaitingApprovals } from './approvals';

const REFRESH_MS = 20_000;
const names = ['kind', 'client', 'supplier', 'family', 'taken_by', 'not_taken', 'sort'];

export function AttentionPage() {
  const size = usePageSize();
  const { filters, filter, rows: shown = size, show } = useKept('attention');
  const [changes, setChanges] = useState(0);
  const ticks = useTicks(REFRESH_MS);
  // A person who looks for entries gets each by itself.
  const isFiltered = Object.keys(filters).length > 0;
  const entries = useReading<AttentionEntry[]>(
    'attention',
    isFiltered ? filters : { single: true },
    { version: changes, ticks },
    { limit: shown },
  );
  const operation = useOperation('attention');
  const incidents = useReading<Incident[]>('attention incidents', {}, { version: changes, ticks });
  const { data, remarks } = entries;
  const changed = () => setChanges((before) => before + 1);
  const grouped = isFiltered ? [] : (incidents.data ?? []);
  return (
    <>
      {operation && <Filters view={operation} names={names} values={filters} apply={filter} />}
      {remarks.map((remark) => (
        <p key={remark} class="notice" role="status">
          {remark}
        </p>
      ))}
      <WaitingApprovals />
      <Progress of={entries} />
      <Incidents of={grouped} changed={changed} />
      {data?.length === 0 && grouped.length === 0 && (
        <Empty what="Nothing needs a person.">What waits for a decision appears here.</Empty>
      )}
      <div class="section-head">
        <h2>Entries</h2>
        {operation && data && data.length > 0 && (
          <Download name="attention" type="text/csv" read={() => readText(operation, filters, 'text/csv')}>
            CSV
          </Download>
        )}
      </div>
      {data && <Entries entries={data} changed={changed} />}
      {data?.length === shown && <MoreRows isEndless show={() => show(shown + size)} />}
    </>
  );
}
