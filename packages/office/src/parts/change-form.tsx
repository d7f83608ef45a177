/**
 * The form of an operation that changes stored values: it begins with them, and sends what a person changed, so that two open forms do not
 * undo each other.
 */
import { useState } from 'preact/hooks';
import { Failure } from '../../../parts/src/basics';
import type { Values } from '../call';
import type { ArgumentView, OperationView } from '../operations';
import { UNKNOWN_REASON } from '../tasks/fields';
import { ArgumentField, type Written } from './argument-field';
import { last, valuesOf } from './operation-form';
import { allValues, changedValues, isPart, usePresent } from './present';
import { TaskForm, type TaskProps } from './task-form';

type Texts = Readonly<Record<string, Written>>;

export function ChangeForm(props: TaskProps) {
  const { operation, given } = props;
  const [written, setWritten] = useState<Texts>({});
  const asked = askedOf(operation, given);
  const subject = asked.filter(({ name }) => operation.presentOf.includes(name));
  const known = { ...given, ...valuesOf(subject, written) };
  const { present, rejection } = usePresent(operation, known);
  const fields = asked.filter((argument) => !subject.includes(argument));
  const changes = present && changedValues(fields, present, written);
  const values = present && operation.isWhole ? allValues(fields, present, written) : changes;
  const isMissing = fields.some(({ name, isRequired }) => isRequired && !(name in (values ?? {})));
  const hasChange = Object.keys(changes ?? {}).some((name) => !last.includes(name));
  const write = (name: string, value: Written) =>
    // Another subject has other values: nothing of the last one stays.
    setWritten((before) => ({
      ...(operation.presentOf.includes(name) ? valuesAmong(subject, before) : before),
      [name]: value,
    }));
  return (
    <TaskForm
      {...props}
      values={hasChange && !isMissing ? { ...known, ...values } : undefined}
      previewed={hasChange ? withReason(fields, { ...known, ...values }) : undefined}
      missing={present ? 'Change a value. What changes is shown here.' : 'The form then shows the present values.'}
      button={operation.button}
      isDanger={operation.effect === 'money'}
      effect={(text) => <p class="preview">{text}</p>}
    >
      {[...subject, ...(present ? fields : [])].map((argument) => (
        <ArgumentField
          key={argument.name}
          argument={props.choices[argument.name] ? chosenAmong(argument, props.choices) : argument}
          written={written[argument.name] ?? present?.[argument.name]}
          isPresent={present !== undefined && argument.name in present}
          within={known}
          write={(value) => write(argument.name, value)}
          writeOther={write}
        />
      ))}
      {present === undefined && <Failure text={rejection} />}
    </TaskForm>
  );
}

/** The arguments that the form asks for: those that say what, then those that say why and how. */
function askedOf({ arguments: all }: OperationView, given: Values): ArgumentView[] {
  const asked = all.filter(({ name }) => !(name in given) && !isPart(all, name));
  return [
    ...asked.filter(({ name }) => !last.includes(name)),
    ...asked.filter(({ name }) => last.includes(name) && name !== 'force'),
  ];
}

function valuesAmong(kept: readonly ArgumentView[], texts: Texts): Texts {
  return Object.fromEntries(kept.map(({ name }) => [name, texts[name]]));
}

const chosenAmong = (argument: ArgumentView, choices: TaskProps['choices']): ArgumentView => ({
  ...argument,
  choices: choices[argument.name] ?? [],
  kind: 'choice',
});

function withReason(fields: readonly ArgumentView[], values: Values): Values {
  const isNeeded = fields.some(({ name, isRequired }) => name === 'reason' && isRequired);
  return isNeeded ? { reason: UNKNOWN_REASON, ...values } : values;
}
