/** What clients claim about delivered goods, and the decisions. docs/operators/claims.md. */
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import type { Row } from '../parts/cells';
import { ClaimList } from '../parts/claim-list';
import { Do } from '../parts/do';
import type { Action } from '../parts/offered';
import { Data } from '../parts/result';
import { useReading } from '../reading';

export function ClaimsPage() {
  return <ClaimList title="Newest first" given={{}} filters={['client', 'state', 'open', 'sort']} />;
}

interface ShownClaim extends Row {
  actions: readonly Action[];
}

/** One claim: what its supplier asks for, and what role and state allow. */
export function ClaimPage({ id }: { id: number }) {
  const [changes, setChanges] = useState(0);
  const shown = useReading<ShownClaim>('claims show', { claim: id }, { version: changes });
  const changed = () => setChanges((before) => before + 1);
  if (!shown.data) return <Progress of={shown} />;
  const { actions, id: _id, client_id: _client, text, ...claim } = shown.data;
  return (
    <>
      <div class="buttons" role="group" aria-label="Actions">
        {actions.map(({ operation, arguments: given, choices }) => (
          <Do key={operation} {...{ operation, given, choices }} done={changed} />
        ))}
      </div>
      {typeof text === 'string' && (
        <section class="card" aria-labelledby="said">
          <h2 id="said">What the client says</h2>
          <p>{text}</p>
        </section>
      )}
      <div class="card">
        <Data name="Claim" of={claim} />
      </div>
    </>
  );
}
