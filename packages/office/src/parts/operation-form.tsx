/** The form of an operation, made from its description: the arguments, what it will do, and the result. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Facts, Failure, Rejected, useRun } from '../../../parts/src/basics';
import { decimalShown, moment, money } from '../../../parts/src/format';
import { decimalFrom } from '../../../parts/src/typed-amounts';
import { Form } from '../../../parts/src/form';
import { call, CallError, preview, readText, type Answer, type Value, type Values } from '../call';
import type { ArgumentView, OperationView } from '../operations';
import { ArgumentField, argumentInWords, type Written } from './argument-field';
import { choiceText, codeInWords, isRows, type Row } from './cells';
import { pageText } from './page-text';
import { Permit } from './permit';
import { ResultView } from './result';
import { SecondFactor } from './second-factor';

/** The arguments that say why and how, after those that say what. */
export const last: readonly string[] = ['reason', 'force'];

interface OperationFormProps {
  operation: OperationView;
  /** Values that the page knows. The form shows them and does not ask for them. */
  given?: Values | undefined;
  /** Arguments of which the order allows only some values. */
  choices?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Called after a change, and after one that was rejected, because the page may be out of date. For example to read it again. */
  done?: (() => void) | undefined;
  /** Gets the result of a change if it is a sentence, and shows it. Default: the form shows it. */
  said?: ((text: string) => void) | undefined;
}

/** What the person confirms before a change. */
interface Confirmation {
  values: Values;
  /** What will change; null if the operation does not say. */
  text: string | null;
}

export function OperationForm({ operation, given = {}, choices = {}, done, said }: OperationFormProps) {
  const [written, setWritten] = useState<Readonly<Record<string, Written>>>({});
  const [confirmation, setConfirmation] = useState<Confirmation>();
  const [answer, setAnswer] = useState<Answer | string>();
  const [progress, setProgress] = useState('');
  const asked = operation.arguments.filter(({ name }) => !(name in given) && !isExcluded(operation, name, given));
  const sorted = [
    ...asked.filter(({ name }) => !last.includes(name)),
    ...asked.filter(({ name }) => last.includes(name)),
  ];
  const run = async (values: Values) => {
    setProgress('');
    if (operation.isDocument) setAnswer(await readText(operation, values, 'text/plain'));
    else setAnswer(await call({ operation, values, progress: setProgress }));
    setConfirmation(undefined);
  };
  const change = async (values: Values) => {
    setProgress('');
    const changed = await call({ operation, values, progress: setProgress }).finally(done);
    const sentence = said && sentenceIn(operation, changed);
    if (sentence !== undefined) return said?.(sentence);
    setAnswer(changed);
    setWritten({});
    setConfirmation(undefined);
  };
  const submit = async () => {
    const values = { ...given, ...valuesOf(sorted, written) };
    setAnswer(undefined);
    if (operation.effect === 'reads') return run(values);
    const text = operation.hasPreview ? await preview(operation, values).finally(done) : null;
    setConfirmation({ values, text });
  };
  const isChange = operation.effect !== 'reads';
  // In a dialog, what can be read is read at once, and what nothing has to be given for is confirmed at once.
  const isBegun = said !== undefined && asked.every(({ isRequired }) => !isRequired && !isChange);
  const first = useRun(submit);
  useEffect(() => {
    if (isBegun) first.start();
  }, []);
  const stage = useStage(confirmation ? 'confirmation' : isChange && answer !== undefined ? 'result' : 'form');
  if (confirmation)
    return (
      <div ref={stage} class="operation" tabIndex={-1}>
        <Confirm
          {...{ operation, confirmation, run: change, progress }}
          back={asked.length > 0 ? () => setConfirmation(undefined) : undefined}
          blamed={(name) => sorted.some((argument) => argument.name === name)}
        />
      </div>
    );
  return (
    <div ref={stage} class="operation" tabIndex={-1}>
      <Given operation={operation} values={given} />
      {(isBegun ? asked.length > 0 : answer === undefined || !isChange || !said) && (
        <Form submit={submit} button={isChange ? 'Continue' : 'Show'} class="arguments">
          {sorted.map((argument) => (
            <ArgumentField
              key={argument.name}
              argument={
                choices[argument.name]
                  ? { ...argument, choices: choices[argument.name] ?? [], kind: 'choice' }
                  : argument
              }
              written={written[argument.name]}
              within={{ ...given, ...valuesOf(sorted, written) }}
              write={(value) => setWritten((before) => ({ ...before, [argument.name]: value }))}
              writeOther={(name, value) => setWritten((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </Form>
      )}
      {(first.isBusy || progress !== '') && !answer && <p role="status">{progress || 'Loading …'}</p>}
      <Rejected of={first.rejection} />
      {answer !== undefined && <ResultView operation={operation} answer={answer} />}
    </div>
  );
}

/** What a change says about itself; undefined if a person has to read its data, or what went wrong. */
function sentenceIn({ name, button }: OperationView, { result, remarks, mark }: Answer): string | undefined {
  if (mark !== 0) return undefined;
  if (typeof result === 'string') return [...remarks, pageText(result)].join(' ');
  const [row] = isRows(result) && result.length === 1 ? result : [];
  if (row && name === 'wallets credit-limit')
    return `Wallet ${String(row['id'])} of ${String(row['client'])} has a credit limit of ${money(String(row['credit_limit']), String(row['currency_code']))}.`;
  if (row && 'closed_at' in row && 'balance' in row) return walletText(row);
  const outcome = row?.['outcome'];
  return typeof outcome === 'string' ? `${button}: ${pageText(outcome)}.` : undefined;
}

function walletText({ id, client, closed_at: closed, is_default: isDefault }: Row): string {
  const state = closed === null ? 'open' : 'closed';
  return `Wallet ${String(id)} of ${String(client)} is ${state}${isDefault === true ? ', and the default' : ''}.`;
}

/** Whether the argument belongs to another alternative than the given ones. */
function isExcluded({ alternatives }: OperationView, name: string, given: Values): boolean {
  const known = alternatives.find((group) => group.some((each) => each in given));
  return known !== undefined && alternatives.some((group) => group !== known && group.includes(name));
}

/** Moves the focus to what replaces the last stage of the form: its button, which had the focus, is gone. */
function useStage(stage: 'form' | 'confirmation' | 'result') {
  const element = useRef<HTMLDivElement>(null);
  const shown = useRef(stage);
  useEffect(() => {
    if (shown.current !== stage) element.current?.focus();
    shown.current = stage;
  }, [stage]);
  return element;
}

/** Values as the person confirms them. */
function Given({ operation, values }: { operation: OperationView; values: Values }) {
  const kindOf = (name: string) => operation.arguments.find((argument) => argument.name === name)?.kind;
  return (
    <Facts
      of={Object.entries(values).map(
        ([name, value]) => [argumentInWords(name), shown(value, name, kindOf(name))] as const,
      )}
    />
  );
}

/** A value as the person confirms it. */
function shown(value: Value, name: string, kind: ArgumentView['kind'] | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return 'name' in value ? value.name : value.join(', ');
  if (kind === 'decimal') return decimalShown(String(value));
  if (kind === 'time') return moment(String(value));
  const isListed = kind === 'choice' || kind === 'choices';
  const items = isListed ? String(value).split(',') : [];
  return isListed ? items.map((one) => choiceText(name, one)).join(', ') : codeInWords(String(value));
}

interface ConfirmProps {
  operation: OperationView;
  confirmation: Confirmation;
  run: (values: Values) => Promise<void>;
  progress: string;
  /** Absent if there is nothing to correct. */
  back: (() => void) | undefined;
  /** Whether the form has a field of the name, which can be corrected. */
  blamed: (name: string) => boolean;
}

/** The last step before a change: what it does, and what may still be missing. */
function Confirm({ operation, confirmation: { values, text }, run, progress, back, blamed }: ConfirmProps) {
  const [isForced, setIsForced] = useState(false);
  const [error, setError] = useState<CallError>();
  const heading = useId();
  const { isBusy, rejection, start } = useRun(async () => {
    setError(undefined);
    try {
      await run(isForced ? { ...values, force: true } : values);
    } catch (caught) {
      if (caught instanceof CallError) setError(caught);
      throw caught;
    }
  });
  const secrets = operation.arguments.filter(({ isConfidential }) => isConfidential).map(({ name }) => name);
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.includes(name)));
  const needsForce = error?.kind === 'FORCE_REQUIRED' || isForced;
  const url = error?.confirmationUrl;
  return (
    <section class="confirm" aria-labelledby={heading}>
      <h3 id={heading}>{operation.button}?</h3>
      <p class={text === null ? 'quiet' : 'preview'}>{text === null ? `${operation.about}.` : pageText(text)}</p>
      <Given operation={operation} values={rest} />
      {needsForce && <Permit {...{ operation, isForced, setIsForced }} />}
      {url !== undefined ? <SecondFactor url={url} resume={start} /> : <Failure text={rejection?.text} />}
      {isBusy && <p role="status">{progress === '' ? 'In progress …' : progress}</p>}
      <div class="buttons">
        <button
          type="button"
          class={operation.effect === 'money' ? 'danger' : 'primary'}
          aria-busy={isBusy}
          onClick={start}
        >
          {operation.button}
        </button>
        {back && (
          <button type="button" onClick={back}>
            {rejection?.param !== undefined && blamed(rejection.param) ? 'Correct it' : 'Back'}
          </button>
        )}
      </div>
    </section>
  );
}

/** What the person wrote, as the API takes it. Empty fields are left out. */
export function valuesOf(asked: readonly ArgumentView[], written: Readonly<Record<string, Written>>): Values {
  const pairs = asked.map((argument) => [argument.name, valueOf(argument, written[argument.name])] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, Value] => pair[1] !== undefined));
}

function valueOf({ kind, isRequired }: ArgumentView, given: Written): Value | undefined {
  // A copied id or amount often has spaces around it.
  const written = typeof given === 'string' && kind !== 'secret' ? given.trim() : given;
  // Spaces alone are no value. The service says what the argument needs.
  if (isRequired && written === '' && given !== '') return given;
  if (written === undefined || written === '') return undefined;
  // As on a command line, and as the descriptions of arguments write it.
  if (written === '""') return '';
  if (kind === 'switch') return written === 'yes';
  if (kind === 'time' && typeof written === 'string') return new Date(written).toISOString();
  if (kind === 'decimal' && typeof written === 'string') return decimalFrom(written);
  if ((kind !== 'list' && kind !== 'numbers') || typeof written !== 'string') return written;
  const lines = written.split('\n').map((line) => line.trim());
  const filled = lines.filter((line) => line !== '');
  return filled.length === 0 ? undefined : filled;
}
