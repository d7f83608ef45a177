/** Every operation of the role, each with its form, or with the page that replaces it. */
import { useState } from 'preact/hooks';
import { Fold } from '../../../parts/src/fold';
import { Field } from '../../../parts/src/form';
import { pageInsteadOfForm } from '../main-lists';
import { useOffice, useOperation } from '../office';
import type { OperationView } from '../operations';
import { ChangeForm } from '../parts/change-form';
import { OperationForm } from '../parts/operation-form';
import { hrefOf } from '../route';

/** The page of the list, or the form of the operation. */
function hrefOfOperation(name: string): string {
  const page = pageInsteadOfForm(name);
  return page === undefined ? hrefOf('operations', ...name.split(' ')) : hrefOf(page);
}

const effects = { reads: 'reads', changes: 'changes', money: 'moves money' } as const;

/** The list, by subject. */
export function OperationsPage() {
  const { groups, operations, person } = useOffice();
  const [wanted, setWanted] = useState('');
  const matching = [...operations.values()].filter(({ name, subject, button, about }) =>
    `${subject} ${button} ${about} ${name}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const subjects = [...new Set(matching.map(({ subject }) => subject))];
  return (
    <>
      <p>
        What the role <strong>{person.role}</strong> may do.
      </p>
      <Field label="Find an operation">
        {(ids) => (
          <input {...ids} type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        )}
      </Field>
      {subjects.map((subject) => (
        <Fold key={subject} title={subject} isOpen={wanted.trim() !== ''}>
          <p class="quiet">{groups.find(({ name }) => name === subject)?.about}</p>
          <ul class="operations card">
            {matching
              .filter((operation) => operation.subject === subject)
              .map(({ name, button, about, effect }) => (
                <li key={name}>
                  <a href={hrefOfOperation(name)}>{button}</a>
                  <span>{about}</span>
                  <span class={`tag effect-${effect}`}>{effects[effect]}</span>
                </li>
              ))}
          </ul>
        </Fold>
      ))}
    </>
  );
}

export function OperationPage({ name }: { name: string }) {
  const operation = useOperation(name);
  if (!operation)
    return (
      <p>
        Your role has no such operation. <a href={hrefOf('operations')}>All operations</a>
      </p>
    );
  return (
    <section aria-label={operation.button}>
      <p>
        {operation.about}. <span class={`tag effect-${operation.effect}`}>{effects[operation.effect]}</span>
      </p>
      <div class="card">
        {pageInsteadOfForm(name) !== undefined ? (
          <a href={hrefOfOperation(name)}>The page of this list</a>
        ) : operation.presentOf.length > 0 ? (
          <Change key={name} operation={operation} />
        ) : (
          <OperationForm key={name} operation={operation} />
        )}
      </div>
      <p>
        <a href={hrefOf('operations')}>All operations</a>
      </p>
    </section>
  );
}

/** A change, whose form is empty again once it is made. */
function Change({ operation }: { operation: OperationView }) {
  const [made, setMade] = useState(0);
  const shared = { operation, given: {}, choices: {}, changed: () => undefined };
  return <ChangeForm key={made} {...shared} close={() => setMade((before) => before + 1)} />;
}
