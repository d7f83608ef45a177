/** Credits and corrections of a wallet. docs/operators/cli.md. */
import { useState } from 'preact/hooks';
import { Field } from '../../../parts/src/form';
import { money, plus } from '../../../parts/src/format';
import { isRows, textOf } from '../parts/cells';
import { Picker } from '../parts/picker';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { useReading } from '../reading';
import { amountOf } from './amounts';
import { AmountField, Balance, Choice, Line, Reason, UNKNOWN_REASON } from './fields';

interface Wallet {
  id: number;
  client: string;
  currency_code: string;
  balance: string;
}

const directions = [
  { value: 'credit', label: 'The balance is too low' },
  { value: 'debit', label: 'The balance is too high' },
] as const;

export function FundTask(props: TaskProps) {
  return <EntryTask {...props} isCorrection={false} />;
}

export function AdjustTask(props: TaskProps) {
  return <EntryTask {...props} isCorrection />;
}

function EntryTask({ isCorrection, ...props }: TaskProps & { isCorrection: boolean }) {
  const [picked, setPicked] = useState(textOf(props.given['wallet'] ?? ''));
  const [direction, setDirection] = useState<'credit' | 'debit'>('credit');
  const [typed, setTyped] = useState('');
  const [reference, setReference] = useState('');
  const [remarks, setRemarks] = useState('');
  const [reason, setReason] = useState('');
  const isPicked = /^[1-9]\d*$/.test(picked);
  const { data = [] } = useReading<Wallet[]>('wallets list', { limit: 1, ...(isPicked && { wallet: Number(picked) }) });
  const wallet = isPicked ? data[0] : undefined;
  const amount = amountOf(typed);
  const sum = amount.value === undefined || direction === 'credit' ? amount.value : `-${amount.value}`;
  const known =
    wallet && sum !== undefined && reference.trim() !== ''
      ? { wallet: wallet.id, amount: sum, reference, ...(remarks.trim() && { remarks }) }
      : undefined;
  const needsReason = isCorrection && reason.trim() === '';
  const verb = direction === 'credit' ? 'Credit' : 'Debit';
  const moves = wallet && amount.value !== undefined ? money(amount.value, wallet.currency_code) : '';
  return (
    <TaskForm
      {...props}
      button={`${verb} ${moves}`.trim()}
      isDanger={direction === 'debit'}
      values={known && !needsReason ? { ...known, ...(isCorrection && { reason }) } : undefined}
      previewed={known && (isCorrection ? { ...known, reason: UNKNOWN_REASON } : known)}
      missing={known ? 'Give the reason.' : 'Give the amount and the reference.'}
      said={({ result }) =>
        isPosted(result) ? `${verb}ed ${moves}.` : 'Nothing changed: the wallet has an entry with this reference.'
      }
      effect={(preview) =>
        wallet &&
        sum !== undefined && (
          <Balance
            {...{ preview, sum }}
            currency={wallet.currency_code}
            wallet={`Wallet ${wallet.id} of ${wallet.client}`}
            before={wallet.balance}
            after={plus(wallet.balance, sum)}
          />
        )
      }
    >
      {!('wallet' in props.given) && <PickedWallet {...{ picked, pick: setPicked }} />}
      {isCorrection && <Choice legend="Correction" options={directions} chosen={direction} choose={setDirection} />}
      <AmountField
        name="amount"
        currency={wallet?.currency_code ?? 'the currency of the wallet'}
        failure={amount.failure}
        {...{ typed, type: setTyped }}
      />
      <Line
        label="Reference"
        name="reference"
        hint="Such as the number of the bank transfer. The same reference moves money once."
        {...{ typed: reference, type: setReference }}
      />
      <Line
        label="Remarks (optional)"
        name="remarks"
        hint="The client reads them."
        {...{ typed: remarks, type: setRemarks }}
      />
      {isCorrection && <Reason {...{ reason, write: setReason }} />}
    </TaskForm>
  );
}

function PickedWallet({ picked, pick }: { picked: string; pick: (wallet: string) => void }) {
  return (
    <Field label="Wallet" name="wallet">
      {(ids) => (
        <Picker subject="wallet" ids={ids} isRequired value={picked} within={{}} pick={(value) => pick(value)} />
      )}
    </Field>
  );
}

/** Whether the entry is new: one with the same reference moves nothing. */
function isPosted(result: unknown): boolean {
  return isRows(result) && result[0]?.['outcome'] === 'posted';
}
