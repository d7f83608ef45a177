/** Who gets the goods of an order. */
import { useState } from 'preact/hooks';
import { CopyButton, Facts } from '../../../parts/src/basics';
import { Form } from '../../../parts/src/form';
import { call } from '../call';
import { captionOf, textOf, type Row } from '../parts/cells';
import type { TaskProps } from '../parts/task-form';
import { Reason } from './fields';

export function RevealTask({ operation, given, changed }: TaskProps) {
  const [reason, setReason] = useState('');
  const [revealed, setRevealed] = useState<{ facts: Row; remarks: readonly string[] }>();
  const submit = async () => {
    const { result, remarks } = await call<Row>({ operation, values: { ...given, reason } });
    setRevealed({ facts: result, remarks });
    changed();
  };
  if (revealed) return <Recipient {...revealed} />;
  return (
    <Form class="task operation" submit={submit} button="Reveal" isReady={reason.trim() !== ''} beside="">
      <p>The audit names you and the reason.</p>
      <Reason {...{ reason, write: setReason }} />
    </Form>
  );
}

function Recipient({ facts, remarks }: { facts: Row; remarks: readonly string[] }) {
  const known = Object.entries(facts).filter(([name, value]) => name !== 'order' && value !== null);
  return (
    <div class="result" role="status">
      <Facts
        of={known.map(([name, value]) => [
          captionOf(name),
          <span class="copyable">
            {textOf(value)} <CopyButton label={captionOf(name)} text={textOf(value)} />
          </span>,
        ])}
      />
      {remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
    </div>
  );
}
