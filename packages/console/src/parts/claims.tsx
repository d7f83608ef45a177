import { useState } from 'preact/hooks';
import { api } from '../api';
import type { FamilyView } from '../families';
import { Progress, Row, Status, Table } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';
import { moment, words } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import type { Claim, Order } from '../types';

const kinds = ['INVALID_CODE', 'ALREADY_USED', 'NOT_RECEIVED', 'WRONG_GOODS', 'NOT_WORKING'];
/** Only an eSIM shows whether it was used. */
const esimKinds = [...kinds, 'UNUSED'];

interface ClaimsProps {
  family: FamilyView;
  order: Order;
  /** Changes when the order may have changed. */
  version: number;
  /** Whether the scopes of the session permit claims. */
  canFile: boolean;
}

/** The claims of an order, newest first, and a form that files one. */
export function Claims({ family, order, version, canFile }: ClaimsProps) {
  const [filedCount, setFiledCount] = useState(0);
  const path = `/claims?order_id=${order.id}`;
  const claims = useLoaded(() => api<Claim[]>(path), path, version + filedCount);
  return (
    <section aria-labelledby="claims">
      <h2 id="claims">Claims</h2>
      <Progress of={claims} />
      {claims.data && claims.data.length > 0 && (
        <Table
          caption="Claims about the order"
          isCaptionHidden
          columns={['No.', 'Unit', 'Reason', 'State', 'Outcome', 'Filed', 'Answer due', 'Closed']}
        >
          {claims.data.map((claim) => (
            <Row
              key={claim.id}
              cells={[
                claim.id,
                claim.unit,
                words(claim.kind),
                <Status of={claim.state} />,
                claim.outcome && words(claim.outcome),
                moment(claim.created_at),
                moment(claim.due_at),
                moment(claim.closed_at),
              ]}
            />
          ))}
        </Table>
      )}
      {claims.data?.length === 0 && !canFile && <p class="quiet">No claims yet.</p>}
      {canFile && (
        <div class="card">
          <ClaimForm family={family} order={order} filed={() => setFiledCount((before) => before + 1)} />
        </div>
      )}
    </section>
  );
}

function ClaimForm({ family, order, filed }: { family: FamilyView; order: Order; filed: () => void }) {
  const [kind, setKind] = useState(kinds[0]);
  const [unit, setUnit] = useState('1');
  const [text, setText] = useState('');
  const hasUnits = family.feature === 'vouchers';
  const submit = async () => {
    const body = { kind, text, ...(hasUnits && { unit: Number(unit) }) };
    await api<Claim>(`${family.orders}/${order.id}/claims`, { method: 'POST', body });
    setText('');
    filed();
  };
  return (
    <Form submit={submit} button="Claim" kind="plain">
      <Field label="What is wrong" name="kind">
        {(ids) => (
          <select {...ids} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {(family.feature === 'esim' ? esimKinds : kinds).map((each) => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {hasUnits && (
        <Field label="Voucher no." name="unit">
          {(ids) => (
            <input
              {...ids}
              inputMode="numeric"
              value={unit}
              onInput={(event) => setUnit(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <Field label="What happened" name="text" hint="We store it encrypted.">
        {(ids) => (
          <textarea {...ids} rows={3} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        )}
      </Field>
    </Form>
  );
}
