/** The search of the header. What is searched stays in this window: it is in no address, and the history has only its number. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { mdiMagnify } from '@mdi/js';
import { Icon } from '../../../parts/src/icon';
import { words } from '../../../parts/src/format';
import { call } from '../call';
import { useOffice } from '../office';
import { go, hrefOf } from '../route';
import { hrefOfFound, type Found, type SearchResult } from './found';

const searches = new Map<string, string>();

/** What was searched with this number; undefined after the page was loaded again. */
export function searchedValue(number: string | undefined): string | undefined {
  return searches.get(number ?? '');
}

/** Numbers the search. A page that was loaded again knows no number of before. */
function numbered(value: string): string {
  const number = `${performance.timeOrigin} ${searches.size}`;
  searches.set(number, value);
  return number;
}

/** The pause in typing after which the page reads suggestions. */
const PAUSE_MS = 150;

export function SearchBox() {
  const { operations } = useOffice();
  const [text, setText] = useState('');
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(NONE);
  const list = useId();
  useEffect(() => {
    const timer = window.setTimeout(() => setTyped(text.trim()), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  const searched = text.trim();
  const found = useSuggestions(searched === '' ? '' : typed);
  if (!operations.has('search')) return null;
  const suggested = searched === '' ? [] : (found ?? []);
  const status = searched === '' || !found ? '' : statusOf(found, operations.has('orders card'));
  const write = (value: string) => {
    setText(value);
    setActive(NONE);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = suggested[active];
    if (chosen) go(hrefOfFound(chosen));
    else if (searched !== '') go(hrefOf('search'), { search: numbered(searched) });
    if (searched !== '') write('');
  };
  /** Escape ends the suggestions. The arrows choose among them, and go back to what was typed. */
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') write('');
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const places = suggested.length + 1;
    setActive((before) => ((before + 1 + step + places) % places) - 1);
  };
  return (
    <form class="search" role="search" onSubmit={submit} onKeyDown={move}>
      <input
        type="text"
        enterkeyhint="search"
        name="value"
        role="combobox"
        aria-label="Search for an order, a client or a recipient"
        aria-autocomplete="list"
        aria-expanded={suggested.length > 0}
        aria-controls={list}
        {...(active !== NONE && { 'aria-activedescendant': `${list}-${active}` })}
        aria-keyshortcuts="/"
        placeholder="Search orders, clients, people, codes"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <Icon of={mdiMagnify} />
      <kbd aria-hidden="true">/</kbd>
      <div class="suggestions" hidden={status === ''}>
        <Suggestions {...{ list, active }} found={suggested} chosen={() => write('')} />
        {suggested.length === 0 && <p class="quiet">{status}</p>}
      </div>
      <p role="status" class="unseen">
        {status}
      </p>
    </form>
  );
}

/** No suggestion is chosen: Enter searches for what was typed. */
const NONE = -1;

/** What begins with the value, kind by kind; undefined until it is read. The last ones stay until those of a longer value arrive. */
function useSuggestions(value: string): readonly Found[] | undefined {
  const [found, setFound] = useState<readonly Found[]>();
  const { operations } = useOffice();
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    const operation = operations.get('search');
    if (value === '' || !operation) return setFound(undefined);
    void call<SearchResult>({ operation, values: { value, suggest: true } }).then(
      ({ result }) => latest.current === value && setFound(byKind(result.found)),
      // Enter says what is wrong.
      () => setFound(undefined),
    );
  }, [value]);
  return found;
}

const kindsOf = (found: readonly Found[]) => [...new Set(found.map(({ kind }) => kind))];

const byKind = (found: readonly Found[]) => kindsOf(found).flatMap((kind) => found.filter((one) => one.kind === kind));

/** What those hear who do not see the suggestions, and what everybody reads while there are none. */
function statusOf({ length }: readonly Found[], findsCodes: boolean): string {
  if (length > 0) return `${length} ${length === 1 ? 'suggestion' : 'suggestions'}. The arrow keys choose.`;
  const more = findsCodes ? 'codes, phone numbers, mail addresses and ' : '';
  return `Nothing begins with this. Enter also looks for ${more}references, and for the ids of events, and of order requests of the last 30 days.`;
}

interface SuggestionsProps {
  list: string;
  found: readonly Found[];
  active: number;
  chosen: () => void;
}

function Suggestions({ list, found, active, chosen }: SuggestionsProps) {
  return (
    <div id={list} role="listbox" aria-label="Suggestions">
      {kindsOf(found).map((kind) => (
        <div key={kind} role="group" aria-label={`${words(kind)}s`}>
          <p class="group-name" aria-hidden="true">
            {words(kind)}s
          </p>
          {found.map((one, index) => (
            <Suggestion
              key={index}
              {...{ one, chosen }}
              id={`${list}-${index}`}
              isShown={one.kind === kind}
              isActive={index === active}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface SuggestionProps {
  one: Found;
  id: string;
  isShown: boolean;
  isActive: boolean;
  chosen: () => void;
}

/** A link, so that it can be opened in another window. */
function Suggestion({ one, id, isShown, isActive, chosen }: SuggestionProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  if (!isShown) return null;
  return (
    <a ref={link} id={id} role="option" aria-selected={isActive} tabIndex={-1} href={hrefOfFound(one)} onClick={chosen}>
      {suggestionText(one)}
    </a>
  );
}

function suggestionText({ kind, id, name, order, client }: Found): string {
  if (order) {
    const reference = order.client_reference === null ? '' : ` ${order.client_reference},`;
    return `#${order.id}${reference} ${order.product_name}, ${order.client}`;
  }
  if (kind === 'client') return `${client?.name}, client ${id}`;
  if (kind === 'wallet' || kind === 'endpoint') return `${words(kind)} ${id}, ${name}, ${client?.name}`;
  if (kind === 'claim') return `Claim ${id} ${name}, ${client?.name}`;
  if (kind === 'member') return `${name}, ${client?.name}`;
  return name ?? `${words(kind)} ${id}`;
}
