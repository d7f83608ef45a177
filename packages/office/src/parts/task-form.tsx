/** The form of a task: what a person chooses, what it will do, and the one button that does it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure, useRun } from '../../../parts/src/basics';
import { Form } from '../../../parts/src/form';
import { rejectionOf, type Rejection } from '../../../parts/src/rejection';
import { call, CallError, preview, type Answer, type Values } from '../call';
import type { OperationView } from '../operations';
import { pageText } from './page-text';
import { Permit } from './permit';
import { useSaid } from './said';
import { SecondFactor } from './second-factor';

/** What the page gives a task, whose dialog it shows. */
export interface TaskProps {
  operation: OperationView;
  /** The arguments that the page knows. */
  given: Values;
  /** The arguments of which the state allows only these values. */
  choices: Readonly<Record<string, readonly string[]>>;
  close: () => void;
  /** The page is out of date: it is read again once the dialog is closed. */
  changed: () => void;
}

interface TaskFormProps extends TaskProps {
  /** The arguments that the person has given; undefined while one is missing. */
  values: Values | undefined;
  /** What the preview is called with instead, once enough is known to say what will happen. */
  previewed?: Values | undefined;
  /** What to give first, while something is missing. */
  missing?: string | undefined;
  button: string;
  isDanger?: boolean;
  /** What the page says after it. Default: the sentence of the operation. */
  said?: (answer: Answer) => string;
  /** What the page says while it goes on. */
  busy?: string;
  /** What will happen, made from the preview. Default: the preview itself. */
  effect?: (preview: string) => ComponentChildren;
  children: ComponentChildren;
}

/** How long a dialog waits for the result. Then the page says that the work goes on, and shows it. */
const SOON_MS = 800;

export function TaskForm(props: TaskFormProps) {
  const { operation, values, previewed = values, button, busy = 'In progress …', children } = props;
  const { close, changed } = props;
  // What waits for a second person is not done: the sentence of the service says so.
  const said = (answer: Answer) =>
    props.said && answer.proposal === undefined
      ? [...answer.remarks, props.said(answer)].join(' ')
      : sentenceOf(answer);
  const { say, follow } = useSaid();
  const [isForced, setIsForced] = useState(false);
  const [error, setError] = useState<CallError>();
  const foreseen = usePreview(operation, previewed && isForced ? { ...previewed, force: true } : previewed);
  const run = async () => {
    if (!values) return;
    setError(undefined);
    const work = call({ operation, values: isForced ? { ...values, force: true } : values }).finally(changed);
    const first = await atFirst(work).catch((caught: unknown) => {
      if (caught instanceof CallError) setError(caught);
      throw caught;
    });
    close();
    if (first) say(said(first));
    else void follow(busy, work.then(said));
  };
  const again = useRun(run);
  const needsForce = error?.kind === 'FORCE_REQUIRED' || foreseen.needsForce || isForced;
  const url = error?.confirmationUrl;
  return (
    <Form
      class="task operation"
      submit={run}
      button={button}
      kind={props.isDanger ? 'danger' : 'primary'}
      isReady={values !== undefined && foreseen.isCurrent && foreseen.rejection === undefined}
      rejection={foreseen.rejection}
      isTextShown={url === undefined}
      beside={
        <div class="effect" aria-live="polite">
          {foreseen.text !== undefined &&
            foreseen.rejection === undefined &&
            (props.effect ?? asSentence)(foreseen.text)}
          {foreseen.rejection?.param === undefined && <Failure text={foreseen.rejection?.text} />}
          {values === undefined && foreseen.rejection === undefined && <p class="quiet">{props.missing}</p>}
        </div>
      }
    >
      {children}
      {needsForce && <Permit {...{ operation, isForced, setIsForced }} />}
      {url === undefined ? <Failure text={again.rejection?.text} /> : <SecondFactor url={url} resume={again.start} />}
    </Form>
  );
}

const asSentence = (text: string) => (text === '' ? null : <p>{text}</p>);

/** The sentence that the operation returns, after what it remarked. */
export function sentenceOf({ result, remarks }: Answer): string {
  return [...remarks, typeof result === 'string' ? pageText(result) : 'Done.'].join(' ');
}

/** The result of work that ends soon; undefined of work that goes on. Throws the error of work that fails soon. */
export function atFirst<Result>(work: Promise<Result>): Promise<Result | undefined> {
  const elapsed = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), SOON_MS));
  return Promise.race([work, elapsed]);
}

interface Foreseen {
  /** What will happen; empty if the operation does not say, undefined without values. */
  text: string | undefined;
  rejection: Rejection | undefined;
  /** Whether the operation asks for a tick before it does this. */
  needsForce: boolean;
  /** Whether it is about the present values. */
  isCurrent: boolean;
}

/** The pause in typing after which the preview is read. */
const PAUSE_MS = 150;

/** The preview of the values, read again whenever they change. The last one stays until the next one arrives. */
function usePreview(operation: OperationView, values: Values | undefined): Foreseen {
  const wanted = values && JSON.stringify(values);
  const [read, setRead] = useState<{ of: string; text: string; error?: unknown }>();
  const latest = useRef(wanted);
  latest.current = wanted;
  useEffect(() => {
    if (values === undefined || wanted === undefined || !operation.hasPreview) return;
    const keep = (text: string, error?: unknown) => {
      if (latest.current === wanted) setRead({ of: wanted, text, error });
    };
    const timer = window.setTimeout(() => {
      preview(operation, values).then(
        (text) => keep(pageText(text ?? '')),
        (error: unknown) => keep('', error),
      );
    }, PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [wanted]);
  const nothing = { rejection: undefined, needsForce: false, isCurrent: true };
  if (wanted === undefined) return { ...nothing, text: undefined };
  if (!operation.hasPreview) return { ...nothing, text: '' };
  const error = read?.error;
  return {
    text: read?.text,
    rejection: error === undefined ? undefined : rejectionOf(error),
    needsForce: error instanceof CallError && error.kind === 'FORCE_REQUIRED',
    isCurrent: read?.of === wanted,
  };
}
