/** The field for the code that a customer sent, which finds its card. The page shows no code, and forgets it once the card is found. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../../parts/src/form';
import { rejectionOf } from '../../../parts/src/rejection';
import { call } from '../call';
import { useOperation } from '../office';
import { cardStateText, partText } from '../parts/card-states';
import { hrefOf } from '../route';

interface Card {
  order_id: number;
  unit: number | null;
  state: string;
}

interface SentCodeProps {
  order: number;
  /** Whether something can be done about a card of the order in this state. */
  isOpen: (state: string) => boolean;
  /** Gets each card of the order that is found. */
  found: (card: Card) => void;
}

/** The pause in typing after which the code is looked up. */
const PAUSE_MS = 300;

/** Nothing for a role that searches by no codes. */
export function SentCode({ order, isOpen, found }: SentCodeProps) {
  const operation = useOperation('orders card');
  const [code, setCode] = useState('');
  const [cards, setCards] = useState<readonly Card[]>();
  const [failure, setFailure] = useState<string>();
  const latest = useRef(code);
  latest.current = code;
  useEffect(() => {
    const searched = code.trim();
    if (!operation || searched === '') return;
    const look = async () => {
      const { result } = await call<Card[]>({ operation, values: { code: searched } });
      if (latest.current !== code) return;
      setCards(result);
      if (result.length === 0) return;
      setCode('');
      for (const card of result) if (card.order_id === order) found(card);
    };
    const timer = window.setTimeout(
      () => void look().catch((error: unknown) => setFailure(rejectionOf(error).text)),
      PAUSE_MS,
    );
    return () => window.clearTimeout(timer);
  }, [code]);
  if (!operation) return null;
  return (
    <>
      <Field label="The code that the customer sent (optional)" hint="It finds the card, and is not kept.">
        {(ids) => (
          <input
            {...ids}
            type="password"
            autoComplete="new-password"
            spellcheck={false}
            value={code}
            onInput={(event) => {
              setCode(event.currentTarget.value);
              setCards(undefined);
              setFailure(undefined);
            }}
            // Enter must not send the form, whose card may be another one.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
      </Field>
      <div class="found-card" role="status">
        {failure ?? (cards && <Found {...{ cards, order, isOpen }} />)}
      </div>
    </>
  );
}

interface FoundProps extends Pick<SentCodeProps, 'order' | 'isOpen'> {
  cards: readonly Card[];
}

function Found({ cards, order, isOpen }: FoundProps) {
  if (cards.length === 0) return <p>No card has this code.</p>;
  return (
    <>
      {cards.map(({ order_id: of, unit, state }) => (
        <p key={`${of} ${unit}`} class={of === order && isOpen(state) ? '' : 'notice'}>
          <strong>{partText(unit)}</strong> of{' '}
          {of === order ? 'this order' : <a href={hrefOf('orders', of)}>order {of}</a>}: {cardStateText(state)}.
        </p>
      ))}
    </>
  );
}
