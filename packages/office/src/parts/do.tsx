import { useRef, useState } from 'preact/hooks';
import { Dialog, Failure, useRun, type Kind } from '../../../parts/src/basics';
import { call, CallError, type Values } from '../call';
import { useOperation } from '../office';
import type { OperationView } from '../operations';
import { taskOf } from '../tasks/tasks';
import { useOffer } from './offers';
import { ChangeForm } from './change-form';
import { OperationForm } from './operation-form';
import { useSaid } from './said';
import { sentences, useUndo } from './undo';
import { SecondFactor } from './second-factor';
import { atFirst, sentenceOf } from './task-form';

interface DoProps {
  /** The name of the operation. */
  operation: string;
  given?: Values | undefined;
  /** Of an action that the service offers. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** What the button says, if it depends on the page. Default: what the operation says. */
  label?: string;
  kind?: Kind;
  /** It belongs to a row of a list, whose state the list has judged. */
  isInRow?: boolean;
  /** What names its row for those who do not see it. */
  row?: string;
  /** Called once a change is made and its dialog is closed. */
  done?: () => void;
}

/** A button that does an operation, or opens its dialog. Nothing for a role that may not use it, and while it cannot be done. */
export function Do({ operation: name, isInRow = false, ...props }: DoProps) {
  const { given, choices } = props;
  const operation = useOperation(name);
  const isKnown = !operation || operation.effect === 'reads' || !given || choices !== undefined || isInRow;
  const isOffered = useOffer({ operation: name, arguments: given ?? {} }, isKnown);
  if (!operation || !isOffered) return null;
  return isDoneAtOnce(operation, props.given) ? (
    <DoNow operation={operation} {...props} />
  ) : (
    <DoInDialog operation={operation} {...props} />
  );
}

type Viewed = Omit<DoProps, 'operation' | 'isInRow'> & { operation: OperationView };

/** Whether nothing has to be asked: it changes neither money nor access, and the page knows what it needs. */
function isDoneAtOnce({ name, isHarmless, arguments: asked }: OperationView, given: Values = {}): boolean {
  if (name === 'orders retry') return 'order' in given;
  // The end of a session takes access.
  return isHarmless && name !== 'sessions end' && asked.every((one) => !one.isRequired || one.name in given);
}

/** The name of the button for those who do not see its row. The operation is for tests. */
const named = ({ name }: OperationView, label: string, row: string | undefined) => ({
  'data-operation': name,
  ...(row !== undefined && { 'aria-label': `${label}: ${row}` }),
});

function DoNow({ operation, given = {}, label = operation.button, row, kind = 'plain', done }: Viewed) {
  const { say, follow } = useSaid();
  const undo = useUndo(operation.name, given, done);
  const [confirmationUrl, setConfirmationUrl] = useState<string>();
  const run = useRun(async () => {
    setConfirmationUrl(undefined);
    const work = call({ operation, values: given });
    try {
      const first = await atFirst(work);
      if (first) say(sentences.get(operation.name) ?? sentenceOf(first), undo);
      else await follow(`${operation.button} …`, work.then(sentenceOf));
    } catch (error) {
      if (!(error instanceof CallError) || error.confirmationUrl === undefined) throw error;
      setConfirmationUrl(error.confirmationUrl);
    }
    done?.();
  });
  const close = () => setConfirmationUrl(undefined);
  return (
    <>
      <button type="button" class={kind} {...named(operation, label, row)} aria-busy={run.isBusy} onClick={run.start}>
        {label}
      </button>
      <Failure text={run.rejection?.text} />
      {confirmationUrl !== undefined && (
        <Dialog title={operation.button} close={close}>
          <SecondFactor url={confirmationUrl} resume={run.start} />
        </Dialog>
      )}
    </>
  );
}

function DoInDialog({ operation, given, choices = {}, label = operation.button, row, kind = 'plain', done }: Viewed) {
  const { say } = useSaid();
  const [isOpen, setIsOpen] = useState(false);
  const [isShown, hasChanged] = [useRef(false), useRef(false)];
  const task = taskOf(operation.name, given ?? {});
  const Task = task?.content ?? (operation.presentOf.length > 0 ? ChangeForm : undefined);
  const open = () => {
    isShown.current = true;
    hasChanged.current = false;
    setIsOpen(true);
  };
  const close = () => {
    isShown.current = false;
    setIsOpen(false);
    if (hasChanged.current) done?.();
    hasChanged.current = false;
  };
  // The page is read again without the dialog: its row may be gone then. A person may close it before the operation ends.
  const changed = () => {
    if (isShown.current) hasChanged.current = true;
    else done?.();
  };
  const said = (text: string) => {
    close();
    say(text);
  };
  return (
    <>
      <button type="button" class={kind} {...named(operation, label, row)} onClick={open}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={task?.title ?? operation.button} close={close}>
          {Task ? (
            <Task {...{ operation, choices, close, changed }} given={given ?? {}} />
          ) : (
            <>
              <p class="quiet">{operation.about}.</p>
              <OperationForm {...{ operation, given, choices, said }} done={changed} />
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
