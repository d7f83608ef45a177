/** The control of one argument. */
import { Field } from '../../../parts/src/form';
import { words } from '../../../parts/src/format';
import type { ArgumentView } from '../operations';
import { codeInWords } from './cells';

/** What the person wrote in a control. */
export type Written = string | boolean | { name: string; text: string } | undefined;

interface ArgumentFieldProps {
  argument: ArgumentView;
  written: Written;
  write: (written: Written) => void;
  /** What a choice says that is left open. */
  open?: string;
}

/** The description of an argument as a sentence. The control shows the choices itself. */
function sentenceOf(about: string): string {
  const text = about.replace(/ \(choices: [^)]*\)/, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function ArgumentField({ argument, written, write, open = 'Not given' }: ArgumentFieldProps) {
  const { name, about, kind, isRequired, standard } = argument;
  const hints = [
    sentenceOf(about),
    standard !== undefined && `Without it: ${standard}`,
    kind === 'list' && 'One a line',
  ];
  const label = isRequired ? words(name) : `${words(name)} (optional)`;
  return (
    <Field name={name} label={label} hint={hints.filter(Boolean).join('. ')}>
      {(ids) => <Control {...{ argument, written, write, open }} ids={{ ...ids, required: isRequired }} />}
    </Field>
  );
}

type Ids = Parameters<Parameters<typeof Field>[0]['children']>[0] & { required: boolean };

function Control({ argument, written, write, open, ids }: ArgumentFieldProps & { ids: Ids }) {
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
      return (
        <select {...ids} value={text} onChange={(event) => write(event.currentTarget.value)}>
          <option value="">{ids.required ? 'Choose' : open}</option>
          {(kind === 'switch' ? ['yes', 'no'] : choices).map((choice) => (
            <option key={choice} value={choice}>
              {kind === 'switch'
                ? `${words(choice)}: ${choice === 'yes' ? argument.about : argument.opposite}`
                : codeInWords(choice)}
            </option>
          ))}
        </select>
      );
    case 'file':
      return (
        <input {...ids} type="file" onChange={(event) => void readFile(event.currentTarget).then(write)} />
      );
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
    case 'number':
    case 'text':
      return (
        <input
          {...ids}
          {...remembered}
          placeholder={example ?? ''}
          {...(kind === 'number' && { inputMode: 'numeric' as const })}
          {...(name === 'reason' && { maxLength: 1_000 })}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      );
  }
}

async function readFile({ files }: HTMLInputElement): Promise<Written> {
  const file = files?.[0];
  return file && { name: file.name, text: await file.text() };
}
