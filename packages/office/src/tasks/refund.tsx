/** Refunds an order: the whole, cards of a list, or an amount. docs/operators/refunds.md. */
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import { money, plus } from '../../../parts/src/format';
import { Field } from '../../../parts/src/form';
import type { Values } from '../call';
import { cardStateText } from '../parts/card-states';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { useReading } from '../reading';
import { amountOf } from './amounts';
import { AmountField, Balance, Check, Choice, NoteField, Reason } from './fields';
import { SentCode } from './sent-code';

interface Refundable {
  order_id: number;
  client: string;
  wallet_id: number;
  is_wallet_closed: boolean;
  currency: string;
  balance: string;
  left: string;
  /** A refund of undelivered units that is not credited. */
  due: string | null;
  unit_sums: string[];
  cards: { unit: number; state: string }[];
}

const reasons = {
  INVALID_GOODS: 'The goods do not work',
  NOT_RECEIVED: 'The customer did not get them',
  WRONG_PRICE: 'The price was wrong',
  DUPLICATE: 'It was ordered twice',
  GOODWILL: 'Goodwill',
  OTHER: 'Another reason',
};

const reasonTexts = new Map(Object.entries(reasons));

/** One call names at most so many cards. A larger order is refunded by the number of its units. */
const MAX_NAMED = 200;

type Extent = 'cards' | 'whole' | 'amount';

const missing: Readonly<Record<Extent, string>> = { cards: 'Choose the cards.', whole: '', amount: 'Give the amount.' };

export function RefundTask(props: TaskProps) {
  const left = useReading<Refundable>('orders refundable', { order: props.given['order'] ?? 0 });
  if (!left.data) return <Progress of={left} />;
  if (left.data.due !== null) return <DueRefund {...props} left={left.data} />;
  return <RefundForm {...props} left={left.data} />;
}

/** The values with the reason, which the audit has in words; undefined before one is chosen. */
function withReason(values: Values, code: string, note: string): Values | undefined {
  if (code === '') return undefined;
  return { ...values, reason_code: code, reason: reasonTexts.get(code) ?? code, ...(note.trim() && { note }) };
}

function RefundForm({ left, ...props }: TaskProps & { left: Refundable }) {
  const { currency, cards, unit_sums: sums } = left;
  const open = cards.filter(({ state }) => state === 'REFUNDABLE').map(({ unit }) => unit);
  const [extent, setExtent] = useState<Extent>(open.length > 1 ? 'cards' : 'whole');
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const [isMailed, setIsMailed] = useState(false);
  const [reference] = useState(newReference);
  const tick = (units: readonly number[]) => {
    setExtent('cards');
    setChosen((before) => [...new Set([...before, ...units])]);
  };
  const amount = amountOf(typed);
  const extents: Record<Extent, { sum: string | undefined; values: Values }> = {
    cards: { sum: sums[chosen.length - 1], values: { unit: chosen.map(String) } },
    whole: { sum: left.left, values: wholeOf(left, open) },
    amount: { sum: amount.value, values: { amount: amount.value ?? '' } },
  };
  const { sum, values } = extents[extent];
  const known =
    sum === undefined ? undefined : { ...props.given, ...values, reference, mail: isMailed, expected_sum: sum };
  const moves = sum === undefined ? undefined : money(sum, currency);
  return (
    <TaskForm
      {...props}
      button={moves === undefined ? 'Refund' : `Refund ${moves}`}
      values={known && withReason(known, reason, note)}
      previewed={known && { ...known, reason_code: reason || 'OTHER' }}
      missing={sum === undefined ? missing[extent] : 'Choose the reason.'}
      said={() =>
        `Refunded ${moves} to ${left.client}.${left.is_wallet_closed ? ' It waits until the wallet is open.' : ''}`
      }
      effect={(preview) =>
        sum !== undefined && (
          <Balance
            {...{ preview, currency, sum }}
            wallet={`Wallet ${left.wallet_id} of ${left.client}`}
            before={left.balance}
            after={left.is_wallet_closed ? undefined : plus(left.balance, sum)}
          />
        )
      }
    >
      <CodeOfCard {...{ left, tick }} />
      <Choice
        legend="What to refund"
        chosen={extent}
        choose={setExtent}
        options={[
          ...(cards.length > 1 ? [{ value: 'cards' as const, label: 'Cards' }] : []),
          { value: 'whole', label: wholeLabel(left) },
          { value: 'amount', label: 'An amount' },
        ]}
      />
      {extent === 'cards' && (
        <Cards {...{ cards, chosen, choose: setChosen }} price={sums[0] && money(sums[0], currency)} />
      )}
      {extent === 'amount' && (
        <AmountField
          name="amount"
          {...{ currency, typed, type: setTyped }}
          failure={amount.failure}
          hint={`At most ${money(left.left, currency)} are left.`}
        />
      )}
      <RefundReason {...{ reason, choose: setReason }} />
      <NoteField
        label="Note (optional)"
        hint="For colleagues. The client does not see it."
        {...{ note, write: setNote }}
      />
      <Check label="Mail the client’s contact, too" {...{ isChecked: isMailed, check: setIsMailed }} />
    </TaskForm>
  );
}

interface CodeOfCardProps {
  left: Refundable;
  /** Nothing is ticked for a card that cannot be refunded: "all that is left" may be the card of another customer. */
  tick: (units: readonly number[]) => void;
}

/** The code that the customer sent, of an order of gift cards. */
function CodeOfCard({ left: { order_id: order, cards }, tick }: CodeOfCardProps) {
  const isOpen = (state: string) => state === 'REFUNDABLE';
  return cards.length === 0 ? null : (
    <SentCode
      {...{ order, isOpen }}
      found={({ unit, state }) => {
        if (unit !== null && cards.length > 1) tick(isOpen(state) ? [unit] : []);
      }}
    />
  );
}

/** Why the order is refunded, as the client reads it. */
function RefundReason({ reason, choose }: { reason: string; choose: (reason: string) => void }) {
  return (
    <Field label="Reason" name="reason_code" hint="The client reads it.">
      {(ids) => (
        <select {...ids} required value={reason} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">Choose</option>
          {Object.entries(reasons).map(([code, text]) => (
            <option key={code} value={code}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function wholeLabel({ left, currency, cards }: Refundable): string {
  const rest = money(left, currency);
  return cards.some(({ state }) => state !== 'REFUNDABLE') ? `All that is left, ${rest}` : `Whole order, ${rest}`;
}

/** The whole: each card by its name, whose code is then void; without cards, or for what amounts left over, the amount. */
function wholeOf({ left, unit_sums: sums }: Refundable, open: readonly number[]): Values {
  if (sums.at(-1) !== left) return { amount: left };
  if (open.length === sums.length && open.length <= MAX_NAMED) return { unit: open.map(String) };
  return { units: sums.length };
}

function Cards({
  cards,
  chosen,
  choose,
  price,
}: {
  cards: Refundable['cards'];
  chosen: readonly number[];
  choose: (chosen: readonly number[]) => void;
  price: string | undefined;
}) {
  return (
    <fieldset class="cards">
      <legend>Cards</legend>
      {cards.map(({ unit, state }) => (
        <label key={unit} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(unit)}
            disabled={state !== 'REFUNDABLE'}
            onChange={(event) =>
              choose(event.currentTarget.checked ? [...chosen, unit] : chosen.filter((each) => each !== unit))
            }
          />
          Card {unit} <span class="quiet">{stateText(state, price)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** What a card costs, or why it cannot be chosen. */
function stateText(state: string, price: string | undefined): string | undefined {
  if (state === 'REFUNDABLE') return price;
  return state === 'PARTLY_REFUNDED' ? 'refunded in part: choose an amount for the rest' : cardStateText(state);
}

/** The refund that a closed wallet could not get when the order ended. */
function DueRefund({ left, ...props }: TaskProps & { left: Refundable }) {
  const [reason, setReason] = useState('');
  return (
    <TaskForm
      {...props}
      button={`Credit ${money(left.due ?? '0', left.currency)}`}
      missing="Give the reason."
      values={reason.trim() === '' ? undefined : { ...props.given, reason }}
      previewed={props.given}
    >
      <p>
        The order ended while wallet {left.wallet_id} of {left.client} was closed, so its refund of{' '}
        {money(left.due ?? '0', left.currency)} still has to be credited.
      </p>
      <Reason {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

/** A reference of this refund: a second press of the button, or a call that is sent again, refunds nothing more. */
function newReference(): string {
  return `page-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36)).join('')}`;
}
