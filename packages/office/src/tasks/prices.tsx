/** Discounts of clients, and rules about margins. */
import { useState } from 'preact/hooks';
import { Field } from '../../../parts/src/form';
import type { Answer, Values } from '../call';
import type { Subject } from '../operations';
import { textOf } from '../parts/cells';
import { Picker } from '../parts/picker';
import { sentenceOf, TaskForm, type TaskProps } from '../parts/task-form';
import { amountOf } from './amounts';
import { Choice, FamilyField, Line, Reason, UNKNOWN_REASON } from './fields';

/** What follows is a table of margins, which the page shows. */
const firstLine = (answer: Answer) => sentenceOf({ ...answer, remarks: [] }).split('\n')[0] ?? '';

export function DiscountTask(props: TaskProps) {
  const [picked, pick] = useState<Values>(props.given);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const percent = amountOf(typed);
  const isKnown = ['client', 'family', 'product'].every((name) => (picked[name] ?? '') !== '');
  const known = isKnown && percent.value !== undefined ? { ...picked, percent: percent.value } : undefined;
  return (
    <TaskForm
      {...props}
      button={percent.value === undefined ? 'Set the discount' : `Set ${percent.value} %`}
      values={known && { ...known, ...(reason.trim() && { reason }) }}
      previewed={known && { ...known, reason: UNKNOWN_REASON }}
      missing="Give the discount."
      said={firstLine}
    >
      {!('client' in props.given) && <Picked subject="client" {...{ picked, pick }} />}
      {!('product' in props.given) && <Picked subject="product" {...{ picked, pick }} />}
      <Percent
        label="Discount"
        name="percent"
        hint="In percent of the list price."
        failure={percent.failure}
        {...{ typed, type: setTyped }}
      />
      <Reason label="Reason (optional)" {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

type Whose = 'all' | 'client' | 'group';

export function MarginTask(props: TaskProps) {
  const { given } = props;
  const [picked, pick] = useState<Values>(given);
  const [whose, setWhose] = useState<Whose>('client' in given ? 'client' : 'group' in given ? 'group' : 'all');
  const [group, setGroup] = useState(textOf(given['group'] ?? ''));
  const [markup, setMarkup] = useState('');
  const [floor, setFloor] = useState('');
  const [reason, setReason] = useState('');
  const [markupRead, floorRead] = [amountOf(markup), amountOf(floor)];
  const { client, product, family } = picked;
  const scope: Values = {
    ...(family !== undefined && { family }),
    ...(product !== undefined && product !== '' && { product }),
    ...(whose === 'client' && client !== undefined && { client }),
    ...(whose === 'group' && { group }),
  };
  const isScopeKnown =
    family !== undefined && (whose !== 'client' || (client ?? '') !== '') && (whose !== 'group' || group !== '');
  const percents: Values = {
    ...(whose === 'all' && markupRead.value !== undefined && { markup: markupRead.value }),
    ...(floorRead.value !== undefined && { min_margin: floorRead.value }),
  };
  const known = isScopeKnown && Object.keys(percents).length > 0 ? { ...scope, ...percents } : undefined;
  return (
    <TaskForm
      {...props}
      button="Set the margin"
      values={known && reason.trim() !== '' ? { ...known, reason } : undefined}
      previewed={known && { ...known, reason: UNKNOWN_REASON }}
      missing={known ? 'Give the reason.' : 'Give a percentage.'}
      said={firstLine}
    >
      {!('family' in given) && <Scope {...{ picked, pick, whose, choose: setWhose, group, name: setGroup }} />}
      {whose === 'all' && (
        <Percent
          label="Markup"
          name="markup"
          hint="On the cost. It makes the list price of products from suppliers’ offers."
          failure={markupRead.failure}
          typed={markup}
          type={setMarkup}
        />
      )}
      <Percent
        label="Minimum margin"
        name="min_margin"
        hint="Of the price. A source that leaves less is not used."
        failure={floorRead.failure}
        typed={floor}
        type={setFloor}
      />
      <Reason {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

const whoseOptions = [
  { value: 'all', label: 'All clients' },
  { value: 'client', label: 'One client' },
  { value: 'group', label: 'A group' },
] as const;

interface ScopeProps {
  picked: Values;
  pick: (picked: Values) => void;
  whose: Whose;
  choose: (whose: Whose) => void;
  group: string;
  name: (group: string) => void;
}

/** Which products and clients the rule is about. */
function Scope({ picked, pick, whose, choose, group, name }: ScopeProps) {
  return (
    <>
      <FamilyField
        value={textOf(picked['family'] ?? '')}
        choose={(family) => pick({ ...picked, family, product: '' })}
      />
      <Picked subject="product" label="Product (optional: all of the family)" {...{ picked, pick }} />
      <Choice legend="For whom" chosen={whose} choose={choose} options={whoseOptions} />
      {whose === 'client' && <Picked subject="client" {...{ picked, pick }} />}
      {whose === 'group' && (
        <Field label="Group" name="group">
          {(ids) => <input {...ids} value={group} onInput={(event) => name(event.currentTarget.value)} />}
        </Field>
      )}
    </>
  );
}

interface PickedProps {
  subject: Subject;
  label?: string;
  picked: Values;
  pick: (picked: Values) => void;
}

/** A client or a product, found by its name. */
export function Picked({ subject, label, picked, pick }: PickedProps) {
  return (
    <Field label={label ?? (subject === 'client' ? 'Client' : 'Product')} name={subject}>
      {(ids) => (
        <Picker
          {...{ subject, ids }}
          isRequired={label === undefined}
          value={textOf(picked[subject] ?? '')}
          within={picked}
          pick={(value, family) => pick({ ...picked, [subject]: value, ...(family !== undefined && { family }) })}
        />
      )}
    </Field>
  );
}

function Percent({ label, ...more }: Parameters<typeof Line>[0]) {
  return <Line label={`${label} in percent`} inputMode="decimal" {...more} />;
}
