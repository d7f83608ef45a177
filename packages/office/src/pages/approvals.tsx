/** What waits for a second person, and the rules about it. */
import { useState } from 'preact/hooks';
import { Facts, Progress } from '../../../parts/src/basics';
import { asSentence } from '../../../parts/src/format';
import { useOffice, useOperation } from '../office';
import { operationInWords } from '../operations';
import { factsOf, type Row } from '../parts/cells';
import { Do } from '../parts/do';
import { List, Rows, type RowAction } from '../parts/list';
import { pageText } from '../parts/page-text';
import { Data } from '../parts/result';
import { useReading, useTicks } from '../reading';
import { hrefOf } from '../route';

const columns = ['id', 'operation', 'client', 'proposer', 'proposed_at', 'expires_at', 'approvers', 'state'];

const proposalHref = ({ id }: Row) => hrefOf('approvals', Number(id));

export function ApprovalsPage() {
  return (
    <>
      <List
        title="Proposals"
        operation="approvals list"
        filters={['state', 'mine']}
        columns={[...columns, 'decided_by', 'decided_at']}
        href={proposalHref}
        rowActions={useDecisions()}
      />
      <List
        title="Rules"
        operation="approval-rules list"
        actions={['approval-rules set']}
        rowActions={[{ operation: 'approval-rules remove', given: ({ id }) => ({ rule: Number(id) }) }]}
      />
    </>
  );
}

/** The decisions that the person may make about a proposal. The proposer may withdraw it. */
function useDecisions(): readonly RowAction[] {
  const { person } = useOffice();
  const given = ({ id }: Row) => ({ proposal: Number(id) });
  const isOwn = ({ state, proposer }: Row) => state === 'PENDING' && proposer === person.name;
  const mayApprove = (row: Row) => row['may_approve'] === true;
  return [
    { operation: 'approvals approve', given, fits: mayApprove },
    { operation: 'approvals reject', given, fits: (row) => mayApprove(row) || isOwn(row) },
  ];
}

/** One proposal: exactly what it will do, and the decision. */
export function ProposalPage({ id }: { id: number }) {
  const [changes, setChanges] = useState(0);
  const shown = useReading<Row>('approvals show', { proposal: id }, { version: changes });
  const decisions = useDecisions();
  const { data } = shown;
  return (
    <>
      <Progress of={shown} />
      {data && (
        <section class="card" aria-labelledby="proposal">
          <h2 id="proposal">{operationInWords(String(data['operation']))}</h2>
          <p class="preview">{sentenceOf(data['preview'])}</p>
          <Facts
            of={[
              ...factsOf(omit(data, ['id', 'operation', 'preview', 'may_approve', 'why', 'arguments'])),
              ['Why', sentenceOf(data['why'])],
            ]}
          />
          <details class="more">
            <summary>All data</summary>
            <Data name="Proposal" of={data['arguments']} />
          </details>
          <div class="buttons">
            {decisions
              .filter(({ fits }) => fits?.(data) ?? true)
              .map(({ operation, given }) => (
                <Do
                  key={operation}
                  operation={operation}
                  given={given(data)}
                  done={() => setChanges((before) => before + 1)}
                />
              ))}
          </div>
        </section>
      )}
    </>
  );
}

function sentenceOf(text: unknown): string {
  return asSentence(pageText(String(text)));
}

function omit(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

const REFRESH_MS = 60_000;

/** The proposals that wait for this person; nothing without one. */
export function WaitingApprovals() {
  return useOperation('approvals list') ? <OwnApprovals /> : null;
}

function OwnApprovals() {
  const [changes, setChanges] = useState(0);
  const decisions = useDecisions();
  const { data } = useReading<Row[]>(
    'approvals list',
    { mine: true },
    { version: changes, ticks: useTicks(REFRESH_MS) },
  );
  if (!data || data.length === 0) return null;
  return (
    <section aria-labelledby="waiting-approvals">
      <h2 id="waiting-approvals">Waits for your approval</h2>
      <Rows
        title="Waits for your approval"
        rows={data}
        columns={columns}
        href={proposalHref}
        rowActions={decisions}
        changed={() => setChanges((before) => before + 1)}
      />
    </section>
  );
}
