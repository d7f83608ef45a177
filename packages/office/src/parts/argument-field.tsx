/** The control of one argument. */
import { Field } from '../../../parts/src/form';
import { asSentence, decimalShown, words } from '../../../parts/src/format';
import { decimalFrom } from '../../../parts/src/typed-amounts';
import type { GivenFile, Values } from '../call';
import { useOffice } from '../office';
import type { ArgumentView } from '../operations';
import { choiceText } from './cells';
import { givenFile } from './drop-zone';
import { Numbers } from './numbers';
import { ObjectControl } from './object-control';
import { canPick, Picker } from './picker';

/** What the person wrote in a control. */
export type Written = string | boolean | GivenFile | undefined;

interface ArgumentFieldProps {
  argument: ArgumentView;
  written: Written;
  write: (written: Written) => void;
  /** The other values of the form, and what writes one of them: a product has a family. */
  within?: Values;
  writeOther?: (name: string, written: Written) => void;
  /** Of a filter: what a choice says that is left open. Every filter can be left open, so no label says so. */
  open?: string | undefined;
  /** It begins with the present value. */
  isPresent?: boolean;
}

/** The description of an argument as a sentence. The control shows the choices itself, and finds names. */
function sentenceOf({ about, choices }: ArgumentView): string {
  const text = about
    .replace(/ \(choices: [^)]*\)/, '')
    .replace(/: id, name or API key/, '')
    .replace(/: ([^:;]*)$/, (whole, listed: string) => (areChoices(listed, choices) ? '' : whole));
  return asSentence(text);
}

export function ArgumentField({ argument, ...props }: ArgumentFieldProps) {
  const { name, kind, isRequired, standard } = argument;
  const hasList = argument.choices.length > 0;
  const hint = sentenceOf(argument);
  const hints = [
    saysMore(argument, props.open !== undefined) && !isLabel(name, hint) && hint,
    standard !== undefined && !hasList && `Without it: ${standard}`,
    kind === 'list' && 'One a line',
    kind === 'numbers' && 'An empty field or 0: the usual number',
  ];
  return (
    <Field name={name} label={labelOf(argument, props)} hint={hints.filter(Boolean).join('. ') || undefined}>
      {(ids) => <Control {...props} argument={argument} ids={{ ...ids, required: isRequired }} />}
    </Field>
  );
}

/** Whether the description says more than the control, which lists the choices or finds the name. That of a filter needs no more. */
function saysMore({ about, subject, choices, kind }: ArgumentView, isFilter: boolean): boolean {
  if (about === 'id') return false;
  if (subject !== undefined && (isFilter || /^(id|name)\b/i.test(about))) return false;
  if (isFilter && kind === 'switch') return false;
  return choices.length === 0 || !(isFilter || areChoices(about, choices));
}

const areChoices = (listed: string, choices: readonly string[]) =>
  listed
    .replace(/^(one or more|some|one) of /, '')
    .split(/,\s*(?:or )?| or /)
    .every((each) => choices.some((choice) => choice.toLowerCase() === each.toLowerCase()));

/** Names of arguments that are no words of a person. */
const labels = new Map([
  ['force', 'Permit it'],
  ['operation', 'What needs a second person'],
  ['day_amount', 'Sum for all clients within 24 hours'],
  ['roles', 'Who may approve'],
  ['of', 'Member or key'],
  ['on', 'Charged on'],
  ['by', 'One row for each'],
  ['over', 'Period'],
  ['below', 'Threshold'],
  ['min', 'Smallest amount'],
  ['max', 'Largest amount'],
  ['min_margin', 'Minimum margin'],
  ['cost_percent', 'Cost in percent'],
  ['bulk_limit', 'Vouchers in one order'],
  ['rate_limit', 'Calls a minute'],
  ['cidrs', 'Networks'],
  ['codes_in_mail', 'Codes in mails'],
  ['hold', 'Hold its open orders'],
  ['dry_run', 'Only show'],
  ['as_product', 'Make a product'],
  ['accept_gone', 'Withdraw what is gone'],
  ['supplier_order', 'Id at the supplier'],
  ['key', 'API key'],
  ['mine', 'For me'],
]);

/** Whether the hint only repeats the label. */
const isLabel = (name: string, hint: string) =>
  hint.toLowerCase().replace(/^the /, '') === argumentInWords(name).toLowerCase();

/** What the argument is called on a page. */
export const argumentInWords = (name: string) => labels.get(name) ?? words(name);

function labelOf(
  { name, isRequired }: ArgumentView,
  { open, isPresent = false }: Pick<ArgumentFieldProps, 'open' | 'isPresent'>,
): string {
  const label = argumentInWords(name);
  return isRequired || isPresent || open !== undefined ? label : `${label} (optional)`;
}

type Ids = Parameters<Parameters<typeof Field>[0]['children']>[0] & { required: boolean };

type ControlProps = ArgumentFieldProps & { ids: Ids };

/** A field that finds what it names, or the control of the kind. */
function Control(props: ControlProps) {
  const office = useOffice();
  const { argument, written, write, within = {}, writeOther, ids } = props;
  const { subject } = argument;
  if (subject === undefined || !canPick(office, subject)) return <PlainControl {...props} />;
  return (
    <Picker
      {...{ subject, within, ids }}
      isRequired={ids.required}
      value={typeof written === 'string' ? written : ''}
      pick={(value, family) => {
        write(value);
        if (family !== undefined) writeOther?.('family', family);
      }}
    />
  );
}

function PlainControl({ argument, written, write, open, isPresent = false, ids }: ControlProps) {
  const text = typeof written === 'string' ? written : '';
  const { kind, isConfidential, choices, name, example } = argument;
  const remembered = isConfidential ? { autoComplete: 'off', spellcheck: false } : {};
  switch (kind) {
    case 'check':
      return (
        <input
          {...ids}
          type="checkbox"
          checked={written === true}
          onChange={(event) => write(event.currentTarget.checked || undefined)}
        />
      );
    case 'switch':
    case 'choice':
      return <OneOf {...{ argument, text, write, open, isPresent, ids }} />;
    case 'choices':
      return <Choices {...{ ids, name, choices, text, write }} label={labelOf(argument, { open, isPresent })} />;
    case 'file':
      return <input {...ids} type="file" onChange={(event) => void readFile(event.currentTarget).then(write)} />;
    case 'object':
      return <ObjectControl {...{ ids, text, write }} />;
    case 'numbers':
      return <Numbers {...{ ids, choices, text, write }} label={labelOf(argument, { open, isPresent })} />;
    case 'list':
      return (
        <textarea
          {...ids}
          rows={3}
          placeholder={example ?? ''}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      );
    case 'secret':
      return (
        <input
          {...ids}
          type="password"
          autoComplete="new-password"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      );
    case 'day':
    case 'month':
    case 'time':
      return (
        <input
          {...ids}
          type={({ day: 'date', month: 'month', time: 'datetime-local' } as const)[kind]}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      );
    case 'decimal':
    case 'number':
    case 'text':
      return (
        <input
          {...ids}
          {...remembered}
          placeholder={example ?? ''}
          inputMode={({ decimal: 'decimal', number: 'numeric', text: 'text' } as const)[kind]}
          {...(name === 'reason' && { maxLength: 1_000 })}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onBlur={() => kind === 'decimal' && write(decimalShown(decimalFrom(text)))}
        />
      );
  }
}

/** One of a few words, or yes and no. */
function OneOf({
  argument,
  text,
  write,
  open,
  isPresent = false,
  ids,
}: Omit<ControlProps, 'written'> & { text: string }) {
  const { kind, choices, name, standard } = argument;
  return (
    <select {...ids} value={text} onChange={(event) => write(event.currentTarget.value)}>
      {!(isPresent && text !== '') && (
        <option value="">
          {ids.required ? 'Choose' : standard === undefined ? (open ?? 'Not given') : choiceText(name, standard)}
        </option>
      )}
      {(kind === 'switch' ? ['yes', 'no'] : choices.filter((choice) => choice !== standard)).map((choice) => (
        <option key={choice} value={choice}>
          {kind === 'switch'
            ? `${words(choice)}: ${choice === 'yes' ? argument.about : argument.opposite}`
            : choiceText(name, choice)}
        </option>
      ))}
    </select>
  );
}

/** Several of a few words. */
function Choices({
  ids,
  name,
  choices,
  text,
  label,
  write,
}: {
  ids: Ids;
  name: string;
  choices: readonly string[];
  text: string;
  label: string;
  write: (written: Written) => void;
}) {
  const chosen = text.split(',').filter((each) => each !== '');
  const { required: _, ...attributes } = ids;
  return (
    <div {...attributes} role="group" aria-label={label} class="choices">
      {choices.map((choice) => (
        <label key={choice} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={(event) =>
              write(
                choices
                  .filter((each) => (each === choice ? event.currentTarget.checked : chosen.includes(each)))
                  .join(','),
              )
            }
          />
          {choiceText(name, choice)}
        </label>
      ))}
    </div>
  );
}

async function readFile({ files }: HTMLInputElement): Promise<Written> {
  const file = files?.[0];
  return file && givenFile(file);
}
