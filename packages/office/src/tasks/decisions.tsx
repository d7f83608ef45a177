/** Decisions about an open order: cancel, release, resolve. docs/operators/runbook.md. */
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import type { Values } from '../call';
import { textOf } from '../parts/cells';
import { TaskForm, type TaskProps } from '../parts/task-form';
import { useReading } from '../reading';
import { Choice, Reason, UNKNOWN_REASON } from './fields';
import { GoodsFields, goodsFile, isComplete, type Goods } from './goods';

const order = ({ given }: TaskProps) => `Order ${textOf(given['order'])}`;

export function CancelTask(props: TaskProps) {
  return (
    <ReasonTask
      {...props}
      about="The order ends, and the client gets its money back. That works only while nothing is bought."
      button="Cancel the order"
      busy={`${order(props)} is being cancelled …`}
      isDanger
    />
  );
}

export function ReleaseTask(props: TaskProps) {
  return (
    <ReasonTask
      {...props}
      about="The order is bought now. Release it when the client has confirmed that the order is its own."
      button="Release and buy"
      said={() => `${order(props)} is released, and is being bought.`}
      busy={`${order(props)} is being bought …`}
    />
  );
}

interface ReasonTaskProps extends TaskProps {
  about: string;
  button: string;
  busy: string;
  isDanger?: boolean;
  said?: () => string;
}

/** A decision that needs a reason only. */
function ReasonTask({ about, ...props }: ReasonTaskProps) {
  const [reason, setReason] = useState('');
  return (
    <TaskForm
      {...props}
      values={reason.trim() === '' ? undefined : { ...props.given, reason }}
      previewed={{ ...props.given, reason: UNKNOWN_REASON }}
      missing="Give the reason."
    >
      <p>{about}</p>
      <Reason {...{ reason, write: setReason }} />
    </TaskForm>
  );
}

/** Each decision: what it does, and when it is right. */
const decisions = [
  {
    value: 'ask-again',
    label: 'Ask the supplier again',
    about:
      'Looks the purchase up once more. Right when the supplier has repaired its records, or says that you can ask again.',
    button: 'Ask again',
  },
  {
    value: 'delivered',
    label: 'Deliver goods by hand',
    about:
      'The client gets the goods that you enter, like any delivery. Right when the supplier gave you the goods in another way.',
    button: 'Deliver',
  },
  {
    value: 'elsewhere',
    label: 'Buy from another supplier',
    about:
      'Buys the missing units from the next source. Right when the supplier says that it sold nothing, and another one can deliver.',
    button: 'Buy elsewhere',
  },
  {
    value: 'not-bought',
    label: 'Nothing was bought: refund',
    about:
      'Ends the order and refunds what was not delivered. Right when the supplier says that it sold nothing, and no other one can deliver.',
    button: 'End and refund',
  },
  {
    value: 'unusable',
    label: 'The goods cannot be used: refund',
    about:
      'Refunds the unusable units. Right when the supplier delivered goods that do not work, and will not correct them.',
    button: 'Refund the units',
  },
] as const;

/** What the task reads about its order. */
interface OpenOrder {
  order: { family: string };
  purchases: { state: string; units: number; stored: number }[];
}

/** The states of purchases whose goods may still come. */
const openStates = ['READY', 'SENT', 'PENDING'];

export function ResolveTask(props: TaskProps) {
  const { given, choices } = props;
  const story = useReading<OpenOrder>('orders story', { order: given['order'] ?? 0 });
  const [decision, setDecision] = useState<string>();
  const [reason, setReason] = useState('');
  const [entered, setEntered] = useState<readonly Goods[]>([]);
  if (!story.data) return <Progress of={story} />;
  const { family } = story.data.order;
  const units = story.data.purchases
    .filter(({ state }) => openStates.includes(state))
    .reduce((sum, { units: bought, stored }) => sum + bought - stored, 0);
  const possible = decisions.filter(({ value }) => choices['decision']?.includes(value) ?? true);
  const chosen = decisions.find(({ value }) => value === decision);
  const needsGoods = decision === 'delivered' && family !== 'TOPUP';
  const goods = Array.from({ length: units }, (_, index) => entered[index] ?? {});
  const isPoll = decision === 'ask-again';
  const isReasonGiven = isPoll || reason.trim() !== '';
  const isReady = isReasonGiven && (!needsGoods || isComplete(family, goods));
  const known: Values | undefined = chosen && { ...given, decision: chosen.value };
  // What happens does not depend on them, and the goods are sent once only.
  const unsaid: Values = { reason: UNKNOWN_REASON, ...(needsGoods && { goods: goodsFile([]) }) };
  return (
    <TaskForm
      {...props}
      button={chosen?.button ?? 'Resolve'}
      isDanger={decision === 'not-bought' || decision === 'unusable'}
      busy={`${order(props)} is being resolved: the supplier is asked first …`}
      values={
        known && isReady
          ? { ...known, ...(reason.trim() && { reason }), ...(needsGoods && { goods: goodsFile(goods) }) }
          : undefined
      }
      previewed={known && { ...known, ...(!isPoll && unsaid) }}
      missing={chosen ? (isReasonGiven ? 'Enter the goods.' : 'Give the reason.') : 'Choose a decision.'}
    >
      <Choice legend="What does the supplier say?" isTall options={possible} chosen={decision} choose={setDecision} />
      {needsGoods && <GoodsFields {...{ family, goods, change: setEntered }} />}
      {chosen && !isPoll && <Reason {...{ reason, write: setReason }} />}
    </TaskForm>
  );
}
