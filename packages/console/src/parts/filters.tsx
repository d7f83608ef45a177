/** The filters of a list. */
import type { TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Rejection } from '../../../parts/src/rejection';
import { useIsNarrow } from '../../../parts/src/narrow';
import { go } from '../route';
import { Field, Form } from '../../../parts/src/form';

/** A condition of a list: a choice of values with their names, a text or a day. */
export interface FilterField<Name extends string> {
  name: Name;
  label: string;
  hint?: string;
  options?: readonly (readonly [value: string, name: string])[];
  type?: 'search' | 'date';
}

/** The conditions by name; an empty text matches everything. */
export type FilterValues<Name extends string> = Readonly<Record<Name, string>>;

/** The conditions in the URL of the page. */
export function filterIn<Name extends string>(
  fields: readonly FilterField<Name>[],
  query: URLSearchParams,
): FilterValues<Name> {
  return valuesOf(fields, (name) => query.get(name) ?? '');
}

function valuesOf<Name extends string>(
  fields: readonly FilterField<Name>[],
  valueOf: (name: Name) => string,
): FilterValues<Name> {
  return Object.fromEntries(fields.map(({ name }) => [name, valueOf(name)])) as FilterValues<Name>;
}

interface FiltersProps<Name extends string> {
  fields: readonly FilterField<Name>[];
  filter: FilterValues<Name>;
  /** The link to the list with that filter. */
  hrefOf: (filter: FilterValues<Name>) => string;
  /** The rejection of the list. */
  rejection: Rejection | undefined;
}

/** The form of the conditions. In a narrow window it is closed at first, so that the list comes first. */
export function Filters<Name extends string>(props: FiltersProps<Name>) {
  const { filter } = props;
  const isNarrow = useIsNarrow();
  const form = <FilterForm key={JSON.stringify(filter)} {...props} />;
  if (!isNarrow) return form;
  const active = Object.values(filter).filter((value) => value !== '').length;
  return (
    <details class="card">
      <summary>{active === 0 ? 'Filters' : `Filters (${active})`}</summary>
      {form}
    </details>
  );
}

/** A choice applies at once; texts and days apply with the button or Enter. */
function FilterForm<Name extends string>({ fields, filter, hrefOf, rejection }: FiltersProps<Name>) {
  const [typed, setTyped] = useState(filter);
  const show = (chosen: FilterValues<Name>) => go(hrefOf(chosen));
  const submit = () => {
    show(typed);
    return Promise.resolve();
  };
  const typedInto = (name: Name) => (event: TargetedInputEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setTyped((before) => ({ ...before, [name]: value }));
  };
  const isFiltered = fields.some(({ name }) => filter[name] !== '');
  const cleared = valuesOf(fields, () => '');
  return (
    <Form class="filters" kind="plain" button="Filter" submit={submit} rejection={rejection}>
      {fields.map(({ name, label, hint, options, type = 'search' }) => (
        <Field key={name} name={name} label={label} hint={hint}>
          {(ids) =>
            options ? (
              <select
                {...ids}
                value={typed[name]}
                onChange={(event) => show({ ...typed, [name]: event.currentTarget.value })}
              >
                <option value="">Any</option>
                {options.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            ) : type === 'date' ? (
              <input {...ids} type="date" value={typed[name]} onInput={typedInto(name)} />
            ) : (
              <input {...ids} type="search" maxLength={255} value={typed[name]} onInput={typedInto(name)} />
            )
          }
        </Field>
      ))}
      {isFiltered && (
        <a class="clear" href={hrefOf(cleared)}>
          Clear the filters
        </a>
      )}
    </Form>
  );
}
