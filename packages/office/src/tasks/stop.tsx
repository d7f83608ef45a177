/** Stops a sale. docs/operators/stopped-sales.md. */
import { useState } from 'preact/hooks';
import type { Values } from '../call';
import { textOf } from '../parts/cells';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { Check, Choice, FamilyField, Line, Reason, UNKNOWN_REASON } from './fields';
import { Picked } from './prices';

type Scope = 'product' | 'family' | 'subcategory' | 'country';

const scopes = [
  { value: 'product', label: 'A product' },
  { value: 'family', label: 'A family' },
  { value: 'subcategory', label: 'A subcategory' },
  { value: 'country', label: 'A country' },
] as const;

/** The arguments of each scope, the ones that it needs first. */
const argumentsOf: Readonly<Record<Scope, { needed: readonly string[]; more: readonly string[] }>> = {
  product: { needed: ['product', 'family'], more: [] },
  family: { needed: ['family'], more: [] },
  subcategory: { needed: ['subcategory'], more: [] },
  country: { needed: ['country'], more: ['family'] },
};

export function StopTask(props: TaskProps) {
  const { hold, ...given } = props.given;
  const isNamed = Object.keys(given).length > 0;
  const [scope, choose] = useState<Scope>('product');
  const [picked, pick] = useState<Values>({});
  const [isHeld, setIsHeld] = useState(hold === true);
  const [reason, setReason] = useState('');
  const named = isNamed ? given : namedBy(scope, picked);
  const known = named && { ...named, ...(isHeld && { hold: true }) };
  return (
    <TaskForm
      {...props}
      button="Stop the sale"
      isDanger
      values={known && reason.trim() !== '' ? { ...known, reason } : undefined}
      previewed={known && { ...known, reason: UNKNOWN_REASON }}
      missing={known ? 'Give the reason.' : 'Name what to stop.'}
      said={() => 'The sale is stopped.'}
    >
      {!isNamed && <ScopeFields {...{ scope, choose, picked, pick }} />}
      <Check label="Hold the open orders of which nothing was sent" {...{ isChecked: isHeld, check: setIsHeld }} />
      <Reason {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

/** What the person has named; undefined while something is missing. */
function namedBy(scope: Scope, picked: Values): Values | undefined {
  const { needed, more } = argumentsOf[scope];
  const isGiven = (name: string) => textOf(picked[name] ?? '').trim() !== '';
  if (!needed.every(isGiven)) return undefined;
  return Object.fromEntries([...needed, ...more.filter(isGiven)].map((name) => [name, picked[name] ?? '']));
}

interface ScopeFieldsProps {
  scope: Scope;
  choose: (scope: Scope) => void;
  picked: Values;
  pick: (picked: Values) => void;
}

function ScopeFields({ scope, choose, picked, pick }: ScopeFieldsProps) {
  const set = (name: string) => (value: string) => pick({ ...picked, [name]: value });
  const familyField = (label: string) => (
    <FamilyField label={label} value={textOf(picked['family'] ?? '')} choose={set('family')} />
  );
  const line = (name: string, label: string, hint: string) => (
    <Line {...{ name, label, hint }} typed={textOf(picked[name] ?? '')} type={set(name)} />
  );
  return (
    <>
      <Choice
        legend="What"
        options={scopes}
        chosen={scope}
        choose={(chosen) => {
          choose(chosen);
          pick({});
        }}
      />
      {scope === 'product' && <Picked subject="product" {...{ picked, pick }} />}
      {scope === 'family' && familyField('Family')}
      {scope === 'subcategory' && line('subcategory', 'Subcategory', 'Of gift cards, by its name.')}
      {scope === 'country' && (
        <>
          {line('country', 'Country', 'Its code, such as TR; GLO for products of all countries.')}
          {familyField('Family (optional)')}
        </>
      )}
    </>
  );
}
