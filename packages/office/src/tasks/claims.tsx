/** Decisions about a claim. docs/operators/claims.md. */
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import type { Values } from '../call';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { useReading } from '../reading';
import { amountOf } from './amounts';
import { AmountField, Check, Choice, Reason, UNKNOWN_REASON } from './fields';

interface Claim {
  id: number;
  unit: number | null;
  wallet_currency: string;
  purchases: { cost: string | null }[];
}

type How = 'refund' | 'amount' | 'replace';

const options = [
  {
    value: 'refund',
    label: 'Refund it',
    about: 'The client gets the price of the unit, and a code is void. Right when the supplier confirms the fault.',
  },
  {
    value: 'replace',
    label: 'Replace it',
    about: 'Buys the unit once more at our cost. Right when the client still needs the goods.',
  },
  {
    value: 'amount',
    label: 'Refund an amount',
    about: 'The client keeps the goods. Right when only a part of their value is lost.',
  },
] as const;

export function AcceptTask(props: TaskProps) {
  const claim = useClaim(props);
  const [how, setHow] = useState<How>();
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [isMailed, setIsMailed] = useState(false);
  if (!claim.data) return <Progress of={claim} />;
  const currency = claim.data.wallet_currency;
  const amount = amountOf(typed);
  const known = knownOf(props.given, how, amount.value, isMailed);
  // An unused eSIM can only be refunded.
  const ways = props.given['how'] === 'refund' ? options.filter(({ value }) => value !== 'replace') : options;
  return (
    <TaskForm
      {...props}
      button={how === 'replace' ? 'Accept and replace' : 'Accept and refund'}
      values={known && reason.trim() !== '' ? { ...known, reason } : undefined}
      previewed={known && { ...known, reason: UNKNOWN_REASON }}
      missing={known ? 'Give the reason.' : how === 'amount' ? 'Give the amount.' : 'Choose what the client gets.'}
    >
      <Choice legend="What the client gets" isTall options={ways} chosen={how} choose={setHow} />
      {how === 'amount' && (
        <AmountField name="amount" failure={amount.failure} {...{ currency, typed, type: setTyped }} />
      )}
      {how !== undefined && how !== 'replace' && (
        <Check label="Mail the client’s contact, too" {...{ isChecked: isMailed, check: setIsMailed }} />
      )}
      <Reason {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

function knownOf(given: Values, how: How | undefined, amount: string | undefined, mail: boolean): Values | undefined {
  if (how === undefined || (how === 'amount' && amount === undefined)) return undefined;
  if (how === 'replace') return { ...given, how };
  return { ...given, how: 'refund', mail, ...(how === 'amount' && amount !== undefined && { amount }) };
}

export function RejectTask(props: TaskProps) {
  const [reason, setReason] = useState('');
  return (
    <TaskForm
      {...props}
      button="Reject the claim"
      isDanger
      values={reason.trim() === '' ? undefined : { ...props.given, reason }}
      missing="Give the reason."
    >
      <p>The client keeps the goods and gets nothing back. It can file a new claim while the time to claim lasts.</p>
      <Reason {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

/** What the supplier pays us for the goods: in the currency of their cost. */
export function SupplierCreditTask(props: TaskProps) {
  const claim = useClaim(props);
  const [typed, setTyped] = useState('');
  const [written, setCurrency] = useState<string>();
  if (!claim.data) return <Progress of={claim} />;
  const [, costCurrency] = claim.data.purchases.find(({ cost }) => cost !== null)?.cost?.split(' ') ?? [];
  const currency = written ?? costCurrency ?? claim.data.wallet_currency;
  const amount = amountOf(typed);
  const values = amount.value === undefined ? undefined : { ...props.given, credit: `${currency}=${amount.value}` };
  return (
    <TaskForm {...props} button="Record the credit" values={values} missing="Give the amount.">
      <p>What the supplier credits us for the goods. A later credit of the claim replaces it.</p>
      <AmountField
        name="credit"
        failure={amount.failure}
        {...{ currency, typed, type: setTyped, changeCurrency: setCurrency }}
      />
    </TaskForm>
  );
}

const useClaim = ({ given }: TaskProps) => useReading<Claim>('claims show', { claim: given['claim'] ?? 0 });
