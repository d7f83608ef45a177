/** Filters as chips, and the form that sets them. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { dateTimeValue, dateValue, shortMoment } from '../../../parts/src/format';
import { FilterPanel } from '../../../parts/src/filter-panel';
import { Form } from '../../../parts/src/form';
import type { Value, Values } from '../call';
import type { ArgumentView, OperationView } from '../operations';
import { ArgumentField, argumentInWords, type Written } from './argument-field';
import { choiceText, objectInWords, textOf } from './cells';
import { valuesOf } from './operation-form';

interface FiltersProps {
  view: OperationView;
  names: readonly string[];
  values: Values;
  apply: (values: Values) => void;
}

/** The form of the arguments by which a person filters and sorts a list. */
export function Filters({ view, names, values, apply }: FiltersProps) {
  const asked = names.flatMap((name) => view.arguments.filter((argument) => argument.name === name));
  const [written, setWritten] = useState<Readonly<Record<string, Written>>>({});
  // `Back` changes the values. A new form would lose the focus on its button.
  useLayoutEffect(
    () =>
      setWritten(
        Object.fromEntries(asked.map((argument) => [argument.name, writtenOf(argument, values[argument.name])])),
      ),
    [JSON.stringify(values)],
  );
  const chips = Object.entries(values).map(([name, value]) => ({
    label: argumentInWords(name),
    text: chipText(
      asked.find((argument) => argument.name === name),
      value,
    ),
    remove: () => apply(Object.fromEntries(Object.entries(values).filter(([each]) => each !== name))),
  }));
  return (
    <FilterPanel title="Filter and sort" chips={chips}>
      <Form
        class="arguments"
        kind="plain"
        button="Apply"
        submit={() => {
          apply(valuesOf(asked, written));
          return Promise.resolve();
        }}
      >
        {asked.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={{ ...argument, isRequired: false }}
            open="Any"
            written={written[argument.name]}
            within={valuesOf(asked, written)}
            writeOther={(name, value) => setWritten((before) => ({ ...before, [name]: value }))}
            write={(value) => setWritten((before) => ({ ...before, [argument.name]: value }))}
          />
        ))}
      </Form>
    </FilterPanel>
  );
}

function chipText(argument: ArgumentView | undefined, value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = textOf(value);
  if (argument?.kind === 'time' && isMoment(text)) return shortMoment(text);
  if (argument?.kind === 'object') return objectInWords(text, {});
  if (!argument || argument.choices.length === 0) return text;
  const chosen = text.split(',').map((choice) => choiceText(argument.name, choice));
  return chosen.join(', ');
}

/** A time or a day, and no age such as `12h`. */
const isMoment = (text: string) => !Number.isNaN(Date.parse(text));

/** The control's text for a value that applies. */
function writtenOf({ kind }: ArgumentView, value: Value | undefined): Written {
  if (value === undefined) return undefined;
  if (typeof value === 'boolean' && kind === 'switch') return value ? 'yes' : 'no';
  if (typeof value === 'boolean') return value;
  const text = textOf(value);
  if (kind === 'time') return isMoment(text) ? dateTimeValue(new Date(text)) : '';
  if (kind === 'day') return isMoment(text) ? dateValue(new Date(text)) : '';
  return text;
}
