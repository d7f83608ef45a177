/** Entries of the attention list, each with the action that ends it. */
import { useState } from 'preact/hooks';
import { words, moment } from '../../../parts/src/format';
import { Field, Form } from '../../../parts/src/form';
import { call } from '../call';
import { useOffice, useOperation } from '../office';
import { hrefOf } from '../route';
import { Do } from './do';
import type { Action } from './offered';
import { pageText } from './page-text';
import { useSaid } from './said';
import { useUndo } from './undo';

export interface AttentionEntry {
  id: number;
  kind: string;
  order_id: number | null;
  client: string | null;
  amount: string | null;
  age: string;
  supplier: string | null;
  endpoint_id: number | null;
  reason: string;
  since: string;
  explanation_parts: readonly { text: string; runbook: string | null }[];
  action: Action | null;
  /** Why there is no action. */
  obstacle: string | null;
  taken_by: string | null;
  taken_at: string | null;
  notes: readonly { at: string; by: string; text: string }[];
}

export function Entries({ entries, changed }: { entries: readonly AttentionEntry[]; changed: () => void }) {
  return (
    <ul class="entries">
      {entries.map((entry) => (
        <li key={entry.id} class="card" data-entry={entry.id}>
          <Entry entry={entry} changed={changed} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ entry, changed }: { entry: AttentionEntry; changed: () => void }) {
  const { person } = useOffice();
  const { id, action, taken_by: taker, notes } = entry;
  const given = { number: id };
  return (
    <>
      <h3 class="card-head">
        {words(entry.kind)}
        <span class="tag">{entry.age}</span>
        {entry.amount !== null && <span class="number">{pageText(entry.amount)}</span>}
        {taker !== null && (
          <span class="status status-pending">Taken by {taker === person.name ? 'you' : <bdi>{taker}</bdi>}</span>
        )}
      </h3>
      <p class="quiet">
        {entry.explanation_parts.map(({ text, runbook }) =>
          runbook === null ? text : <a href={`/office/runbook#${runbook}`}>{text}</a>,
        )}
      </p>
      <p>{pageText(entry.reason)}</p>
      <About entry={entry} />
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map(({ at, by, text }, index) => (
            <li key={index}>
              <time dateTime={at}>{moment(at)}</time> <bdi>{by}</bdi>: <bdi>{text}</bdi>
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        {action ? (
          <Do operation={action.operation} given={action.arguments} choices={action.choices} done={changed} />
        ) : (
          <span class="quiet">{entry.obstacle === null ? '' : pageText(entry.obstacle)}</span>
        )}
        {taker === null ? (
          <Do operation="attention take" given={given} isInRow done={changed} />
        ) : (
          <Do operation="attention release" given={given} isInRow done={changed} />
        )}
        <Note number={id} changed={changed} />
      </div>
    </>
  );
}

/** What the field for a note says. */
const NOTE = 'Note for colleagues, without names of customers';

/** A note, which is stored with one click after its text. */
function Note({ number, changed }: { number: number; changed: () => void }) {
  const operation = useOperation('attention note');
  const undo = useUndo('attention note', { number }, changed);
  const { say } = useSaid();
  const [text, setText] = useState('');
  if (!operation) return null;
  const submit = async () => {
    await call({ operation, values: { number, text } });
    setText('');
    say('The note is added.', undo);
    changed();
  };
  return (
    <Form class="note" submit={submit} button="Add the note" kind="plain" isReady={text.trim() !== ''}>
      <Field label={NOTE} name="text">
        {(ids) => (
          <input
            {...ids}
            autoComplete="off"
            maxLength={1_000}
            placeholder={NOTE}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
    </Form>
  );
}

/** What the entry is about, as links. */
function About({
  entry: { order_id: order, client, supplier, endpoint_id: endpoint, since },
}: {
  entry: AttentionEntry;
}) {
  return (
    <p class="about">
      {order !== null && <a href={hrefOf('orders', order)}>Order {order}</a>}
      {client !== null && <a href={hrefOf('clients', client)}>{client}</a>}
      {supplier !== null && <a href={hrefOf('suppliers', supplier)}>{supplier}</a>}
      {endpoint !== null && <span>Endpoint {endpoint}</span>}
      <span class="quiet">since {moment(since)}</span>
    </p>
  );
}
