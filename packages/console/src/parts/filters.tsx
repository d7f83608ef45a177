/** The filters of a list. */
import { mdiMagnify } from '@mdi/js';
import type { TargetedInputEvent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { FilterPanel } from '../../../parts/src/filter-panel';
import { Field, Form } from '../../../parts/src/form';
import { Icon } from '../../../parts/src/icon';
import type { Rejection } from '../../../parts/src/rejection';
import { go } from '../route';

/** A condition of a list: a choice of values with their names, a text or a day. */
export interface FilterField<Name extends string> {
  name: Name;
  label: string;
  hint?: string;
  options?: readonly (readonly [value: string, name: string])[];
  type?: 'search' | 'date';
  /** Whether its field stands above the list. The others open with a button. */
  isMain?: boolean;
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

const searchButton = (
  <>
    <Icon of={mdiMagnify} />
    <span class="unseen">Search</span>
  </>
);

interface FiltersProps<Name extends string> {
  fields: readonly FilterField<Name>[];
  filter: FilterValues<Name>;
  /** The link to the list with that filter. */
  hrefOf: (filter: FilterValues<Name>) => string;
  /** The rejection of the list. */
  rejection: Rejection | undefined;
}

/** The conditions as chips, and the forms that set them. A choice applies at once; texts and days apply with the button or Enter. */
export function Filters<Name extends string>({ fields, filter, hrefOf, rejection }: FiltersProps<Name>) {
  const [typed, setTyped] = useState(filter);
  // `Back` changes the filter. A new form would lose the focus.
  useLayoutEffect(() => setTyped(filter), [JSON.stringify(filter)]);
  const show = (chosen: FilterValues<Name>) => go(hrefOf(chosen));
  const submit = () => {
    show(typed);
    return Promise.resolve();
  };
  const typedInto = (name: Name) => (event: TargetedInputEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    setTyped((before) => ({ ...before, [name]: value }));
  };
  const main = fields.find(({ isMain }) => isMain);
  const others = fields.filter((field) => field !== main);
  const chips = fields
    .filter(({ name }) => filter[name] !== '')
    .map(({ name, label, options }) => ({
      label,
      text: options?.find(([value]) => value === filter[name])?.[1] ?? filter[name],
      remove: () => show({ ...filter, [name]: '' }),
    }));
  return (
    <>
      {main && (
        <Form class="search" kind="plain" button={searchButton} submit={submit}>
          <input
            type="search"
            maxLength={255}
            aria-label={main.label}
            placeholder={main.label}
            value={typed[main.name]}
            onInput={typedInto(main.name)}
          />
        </Form>
      )}
      {others.length > 0 && (
        <FilterPanel title="Filter" chips={chips} isOpen={others.some(({ name }) => name === rejection?.param)}>
          <Form class="arguments" kind="plain" button="Apply" submit={submit} rejection={rejection}>
            {others.map(({ name, label, hint, options, type = 'search' }) => (
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
          </Form>
        </FilterPanel>
      )}
    </>
  );
}
