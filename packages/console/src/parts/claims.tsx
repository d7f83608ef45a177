import { useState } from 'preact/hooks';
import { api } from '../api';
import type { FamilyView } from '../families';
import { At, Dialog, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';
import { words } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import type { Claim, Feature, Order } from '../types';

/** What can be wrong, in words, and with the goods of which families. */
const kinds: Readonly<Record<Claim['kind'], { text: string; of: readonly Feature[] }>> = {
  INVALID_CODE: { text: 'The code is invalid', of: ['vouchers', 'esim'] },
  ALREADY_USED: { text: 'The code was used before', of: ['vouchers', 'esim'] },
  NOT_RECEIVED: { text: 'It did not arrive', of: ['vouchers', 'topups', 'esim'] },
  WRONG_GOODS: { text: 'It is not what was ordered', of: ['vouchers', 'topups', 'esim'] },
  NOT_WORKING: { text: 'It does not work', of: ['vouchers', 'topups', 'esim'] },
  // Only an eSIM shows whether it was used.
  UNUSED: { text: 'It is no longer needed, and was never installed', of: ['esim'] },
};

interface ClaimsProps {
  family: FamilyView;
  order: Order;
  /** Changes when the order may have changed. */
  version: number;
  /** Whether the scopes of the session permit claims. */
  canFile: boolean;
}

/** A button that reports a problem with the goods, and the claims of the order, newest first. */
export function Claims({ family, order, version, canFile }: ClaimsProps) {
  const [filedCount, setFiledCount] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const path = `/claims?order_id=${order.id}`;
  const claims = useLoaded(() => api<Claim[]>(path), path, version + filedCount);
  const filed = () => {
    setIsOpen(false);
    setFiledCount((before) => before + 1);
  };
  return (
    <>
      {canFile && (
        <div class="buttons">
          <button type="button" onClick={() => setIsOpen(true)}>
            Report a problem
          </button>
        </div>
      )}
      {isOpen && (
        <Dialog title="Report a problem" close={() => setIsOpen(false)}>
          <ClaimForm family={family} order={order} filed={filed} />
        </Dialog>
      )}
      {claims.failure !== undefined && <Progress of={claims} />}
      {claims.data && claims.data.length > 0 && (
        <section aria-labelledby="claims">
          <h2 id="claims">Reported problems</h2>
          <Table
            caption="Claims about the order"
            isCaptionHidden
            columns={['No.', 'Unit', 'Problem', 'State', 'Outcome', 'Reported', 'Answer due', 'Closed']}
          >
            {claims.data.map((claim) => (
              <Row
                key={claim.id}
                cells={[
                  claim.id,
                  claim.unit,
                  kinds[claim.kind].text,
                  <Status of={claim.state} />,
                  claim.outcome && words(claim.outcome),
                  <At time={claim.created_at} />,
                  <At time={claim.due_at} />,
                  <At time={claim.closed_at} />,
                ]}
              />
            ))}
          </Table>
        </section>
      )}
    </>
  );
}

function ClaimForm({ family, order, filed }: { family: FamilyView; order: Order; filed: () => void }) {
  const [kind, setKind] = useState<string>();
  const [unit, setUnit] = useState('1');
  const [text, setText] = useState('');
  const hasUnits = family.feature === 'vouchers';
  const submit = async () => {
    const body = { kind, text, ...(hasUnits && { unit: Number(unit) }) };
    await api<Claim>(`${family.orders}/${order.id}/claims`, { method: 'POST', body });
    filed();
  };
  return (
    <Form submit={submit} button="Report" isReady={kind !== undefined}>
      <fieldset>
        <legend>What is wrong?</legend>
        {Object.entries(kinds)
          .filter(([, { of }]) => of.includes(family.feature))
          .map(([each, { text: said }]) => (
            <label key={each} class="check">
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} /> {said}
            </label>
          ))}
      </fieldset>
      {hasUnits && (order.quantity ?? 1) > 1 && (
        <Field label="Which voucher" name="unit" hint={`Its number, from 1 to ${order.quantity}`}>
          {(ids) => (
            <input {...ids} inputMode="numeric" value={unit} onInput={(event) => setUnit(event.currentTarget.value)} />
          )}
        </Field>
      )}
      <Field label="What happened" name="text" hint="We store it encrypted.">
        {(ids) => <textarea {...ids} rows={3} value={text} onInput={(event) => setText(event.currentTarget.value)} />}
      </Field>
      <p class="quiet">We look into it, and answer with a refund, a replacement, or the reason for neither.</p>
    </Form>
  );
}
