/** A field that finds clients, suppliers, wallets and products by name while a person types. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { money } from '../../../parts/src/format';
import { call, type Values } from '../call';
import { featureOf } from '../families';
import { useOffice, type Office } from '../office';
import type { Subject } from '../operations';
import { textOf } from './cells';

interface Found {
  /** As the operation takes it. */
  value: string;
  name: string;
  /** What tells it apart from others of the name. */
  about: string;
  /** Of a product, whose id is one within its family. */
  family?: string;
}

interface ClientRow {
  id: number;
  name: string;
  status: string;
}

interface WalletRow {
  id: number;
  client: string;
  currency_code: string;
  balance: string;
  closed_at: string | null;
}

interface ProductRow {
  id: number;
  family: string;
  name: string;
  country: string | null;
  currency: string;
}

const LIMIT = 8;

/** How each subject is found. `within`: the other values of the form. */
const finders: Readonly<
  Record<
    Subject,
    {
      operation: string;
      values: (search: string, within: Values) => Values;
      found: (rows: unknown, search: string) => Found[];
    }
  >
> = {
  client: {
    operation: 'clients list',
    values: (search) => ({ search, limit: LIMIT }),
    found: (rows) =>
      (rows as ClientRow[]).map(({ id, name, status }) => ({
        value: String(id),
        name,
        about: `client ${id}${status === 'ACTIVE' ? '' : `, ${status.toLowerCase()}`}`,
      })),
  },
  supplier: {
    operation: 'suppliers list',
    values: () => ({}),
    found: (rows, search) =>
      (rows as { supplier: string }[])
        .filter(({ supplier }) => supplier.toLowerCase().includes(search.toLowerCase()))
        .map(({ supplier }) => ({ value: supplier, name: supplier, about: '' })),
  },
  wallet: {
    operation: 'wallets list',
    values: (search) => ({ search, limit: LIMIT }),
    found: (rows) =>
      (rows as WalletRow[]).map(({ id, client, currency_code: currency, balance, closed_at: closed }) => ({
        value: String(id),
        name: `${client}, ${currency}`,
        about: `wallet ${id}, ${closed === null ? money(balance, currency) : 'closed'}`,
      })),
  },
  product: {
    operation: 'products list',
    values: (search, { family }) => ({
      search,
      limit: LIMIT,
      ...(family !== undefined && family !== '' && { family }),
    }),
    found: (rows) =>
      (rows as ProductRow[]).map(({ id, family, name, country, currency }) => ({
        value: String(id),
        name,
        about: [featureOf(family), country, currency, `product ${id}`].filter(Boolean).join(', '),
        family: featureOf(family),
      })),
  },
};

/** The names of values that a person has picked, so that the field shows them again after `Back`. */
const names = new Map<string, string>();

/** Whether the role may search for the subject. */
export function canPick({ operations }: Office, subject: Subject): boolean {
  return operations.has(finders[subject].operation);
}

/** The pause in typing after which the list is read. */
const PAUSE_MS = 150;

interface PickerProps {
  subject: Subject;
  /** The attributes that connect the control with its label. */
  ids: { id: string };
  isRequired: boolean;
  value: string;
  /** The other values of the form. */
  within: Values;
  pick: (value: string, family: string | undefined) => void;
}

export function Picker({ subject, ids, isRequired, value, within, pick }: PickerProps) {
  const list = useId();
  const key = (of: string) => `${subject} ${of} ${subject === 'product' ? textOf(within['family'] ?? '') : ''}`;
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const found = useFound(subject, typed, within);
  const isOpen = typed !== undefined && found.length > 0;
  const chosen = Math.min(active, found.length - 1);
  const choose = (one: Found) => {
    names.set(`${subject} ${one.value} ${one.family ?? ''}`, one.name);
    setTyped(undefined);
    pick(one.value, one.family);
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'ArrowDown' && !isOpen) setTyped(typed ?? '');
    if (!isOpen) return;
    const picked = found[chosen];
    if (step !== undefined) setActive((chosen + step + found.length) % found.length);
    else if (event.key === 'Enter' && picked) choose(picked);
    else if (event.key === 'Escape') setTyped(undefined);
    else return;
    // Enter must not send the form, and Escape not close its dialog.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="picker">
      <input
        {...ids}
        required={isRequired}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        {...(isOpen && { 'aria-activedescendant': `${list}-${chosen}` })}
        autoComplete="off"
        spellcheck={false}
        placeholder={`Type a name`}
        value={typed ?? names.get(key(value)) ?? value}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          // Who has a number or a key at hand can paste it.
          pick(event.currentTarget.value, undefined);
        }}
        onClick={() => typed === undefined && setTyped('')}
        onBlur={() => setTyped(undefined)}
        onKeyDown={move}
      />
      <ul id={list} role="listbox" aria-label={`Found: ${subject}s`} hidden={!isOpen}>
        {found.map((one, index) => (
          <li
            key={`${one.family} ${one.value}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Before the field loses the focus, which closes the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(one)}
          >
            <span>{one.name}</span> <span class="quiet">{one.about}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the text finds; nothing before a person types. */
function useFound(subject: Subject, typed: string | undefined, within: Values): readonly Found[] {
  const { operations } = useOffice();
  const [found, setFound] = useState<readonly Found[]>([]);
  const latest = useRef(typed);
  latest.current = typed;
  const { operation: name, values, found: foundIn } = finders[subject];
  useEffect(() => {
    const operation = operations.get(name);
    if (typed === undefined || !operation) return setFound([]);
    const timer = window.setTimeout(() => {
      const search = typed.trim();
      void call<unknown>({ operation, values: values(search, within) }).then(
        ({ result }) => latest.current === typed && setFound(foundIn(result, search)),
        // A person can still type the value.
        () => setFound([]),
      );
    }, PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed, name]);
  return found;
}
