/** Opens a claim for a client: which goods, what is wrong, and what the client reads. docs/operators/claims.md. */
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import { Field } from '../../../parts/src/form';
import { cardStateText } from '../parts/card-states';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { useReading } from '../reading';
import { NoteField, UNKNOWN_REASON } from './fields';
import { SentCode } from './sent-code';

interface Goods {
  order_id: number;
  family: string;
  cards: { unit: number; state: string }[];
}

const kinds = {
  INVALID_CODE: 'The code is invalid',
  ALREADY_USED: 'The code is used already',
  NOT_RECEIVED: 'The customer did not get the goods',
  WRONG_GOODS: 'These are other goods than the ordered ones',
  NOT_WORKING: 'The goods do not work',
  UNUSED: 'The eSIM is not used',
};

/** Whether the client still has the card, or a part of its price is left. */
const isClaimable = (state: string) => !['REFUNDED', 'REPLACED', 'VOIDED'].includes(state);

export function OpenClaimTask(props: TaskProps) {
  const goods = useReading<Goods>('orders refundable', { order: props.given['order'] ?? 0 });
  return goods.data ? <OpenClaimForm {...props} goods={goods.data} /> : <Progress of={goods} />;
}

function OpenClaimForm({ goods: { order_id: order, family, cards }, ...props }: TaskProps & { goods: Goods }) {
  const [first, ...others] = cards.filter(({ state }) => isClaimable(state));
  const [unit, setUnit] = useState(first && others.length === 0 ? String(first.unit) : '');
  const [kind, setKind] = useState('');
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const isNamed = cards.length === 0 || unit !== '';
  const known =
    kind !== '' && isNamed ? { ...props.given, kind, ...(unit !== '' && { unit: Number(unit) }) } : undefined;
  const isSaid = text.trim() !== '';
  return (
    <TaskForm
      {...props}
      button="Open the claim"
      values={known && isSaid ? { ...known, text, ...(note.trim() !== '' && { reason: note }) } : undefined}
      previewed={known && { ...known, text: UNKNOWN_REASON }}
      missing={!isNamed ? 'Choose the card.' : known ? 'Say what happened.' : 'Choose what is wrong.'}
    >
      {cards.length > 0 && (
        <>
          <SentCode
            order={order}
            isOpen={isClaimable}
            found={({ unit: found, state }) => found !== null && isClaimable(state) && setUnit(String(found))}
          />
          <Field label="Card" name="unit">
            {(ids) => (
              <select {...ids} required value={unit} onChange={(event) => setUnit(event.currentTarget.value)}>
                <option value="">Choose</option>
                {cards.map((card) => (
                  <option key={card.unit} value={String(card.unit)} disabled={!isClaimable(card.state)}>
                    Card {card.unit}
                    {card.state !== 'REFUNDABLE' && `, ${cardStateText(card.state)}`}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </>
      )}
      <Field label="What is wrong" name="kind">
        {(ids) => (
          <select {...ids} required value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">Choose</option>
            {Object.entries(kinds)
              .filter(([code]) => code !== 'UNUSED' || family === 'ESIM')
              .map(([code, words]) => (
                <option key={code} value={code}>
                  {words}
                </option>
              ))}
          </select>
        )}
      </Field>
      <NoteField
        label="What happened"
        name="text"
        hint="The client reads it. Name no other customer."
        note={text}
        write={setText}
      />
      <NoteField
        label="Our note (optional)"
        name="reason"
        hint="For colleagues and the audit. The client does not see it."
        {...{ note, write: setNote }}
      />
    </TaskForm>
  );
}
