/** Every operation of the role, each with its form. */
import { useState } from 'preact/hooks';
import { words } from '../../../parts/src/format';
import { Field } from '../../../parts/src/form';
import { useOffice, useOperation } from '../office';
import { OperationForm } from '../parts/operation-form';
import { hrefOf } from '../route';

const effects = { reads: 'reads', changes: 'changes', money: 'moves money' } as const;

/** The list, by subject. */
export function OperationsPage() {
  const { groups, operations, person } = useOffice();
  const [wanted, setWanted] = useState('');
  const matching = [...operations.values()].filter(({ name, about }) =>
    `${name} ${about}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const subjects = [...new Set(matching.map(({ name }) => subjectOf(name)))];
  return (
    <>
      <p>
        What the role <strong>{person.role}</strong> may do.
      </p>
      <Field label="Find an operation">
        {(ids) => (
          <input
            {...ids}
            type="search"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        )}
      </Field>
      {subjects.map((subject) => (
        <section key={subject} aria-labelledby={`subject-${subject}`}>
          <h2 id={`subject-${subject}`}>{words(subject)}</h2>
          <p class="quiet">{groups.find(({ name }) => name === subject)?.about}</p>
          <ul class="operations card">
            {matching
              .filter(({ name }) => subjectOf(name) === subject)
              .map(({ name, about, effect }) => (
                <li key={name}>
                  <a href={hrefOf('operations', ...name.split(' '))}>{name}</a>
                  <span>{about}</span>
                  <span class={`tag effect-${effect}`}>{effects[effect]}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function subjectOf(name: string): string {
  return name.split(' ')[0] ?? name;
}

export function OperationPage({ name }: { name: string }) {
  const operation = useOperation(name);
  if (!operation)
    return (
      <p>
        Your role has no operation {name}. <a href={hrefOf('operations')}>All operations</a>
      </p>
    );
  return (
    <section aria-label={name}>
      <p>
        {operation.about}. <span class={`tag effect-${operation.effect}`}>{effects[operation.effect]}</span>
      </p>
      <div class="card">
        <OperationForm key={name} operation={operation} />
      </div>
      <p>
        <a href={hrefOf('operations')}>All operations</a>
      </p>
    </section>
  );
}
