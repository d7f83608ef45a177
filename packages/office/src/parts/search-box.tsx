/** The search of the header. What is searched stays in this window: it is in no address, and the history has only its number. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { mdiMagnify } from '@mdi/js';
import { Icon } from '../../../parts/src/icon';
import { words } from '../../../parts/src/format';
import { useOffice } from '../office';
import { useReading } from '../reading';
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
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => setTyped(text.trim()), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  if (!operations.has('search')) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    const searched = text.trim();
    if (searched === '') return;
    go(hrefOf('search'), { search: numbered(searched) });
    setText('');
  };
  /** Escape ends the suggestions. The arrows move between the field and the suggestions. */
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setText('');
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [input.current, ...(form.current?.querySelectorAll('a') ?? [])];
    const here = stops.findIndex((stop) => stop === document.activeElement);
    stops[(here + step + stops.length) % stops.length]?.focus();
  };
  return (
    <form ref={form} class="search" role="search" onSubmit={submit} onKeyDown={move}>
      <input
        ref={input}
        type="search"
        name="value"
        aria-label="Search for an order, a client or a recipient"
        aria-keyshortcuts="/"
        placeholder="Search orders, clients, people, codes"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Icon of={mdiMagnify} />
      <kbd aria-hidden="true">/</kbd>
      {text.trim() !== '' && typed !== '' && <Suggestions value={typed} chosen={() => setText('')} />}
    </form>
  );
}

/** What begins with the value, by kind. */
function Suggestions({ value, chosen }: { value: string; chosen: () => void }) {
  const { data } = useReading<SearchResult>('search', { value, suggest: true });
  const latest = useRef<SearchResult | undefined>(undefined);
  // The suggestions of the beginning stay until those of the longer value arrive.
  if (data) latest.current = data;
  const found = latest.current?.found ?? [];
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return (
    <div class="suggestions" hidden={found.length === 0}>
      {kinds.map((kind) => (
        <section key={kind} aria-label={`${words(kind)}s`}>
          <p class="group-name">{words(kind)}s</p>
          <ul>
            {found
              .filter((one) => one.kind === kind)
              .map((one, index) => (
                <li key={index}>
                  <a href={hrefOfFound(one)} onClick={chosen}>
                    {suggestionText(one)}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function suggestionText({ kind, id, name, order, client }: Found): string {
  if (order) {
    const reference = order.client_reference === null ? '' : ` ${order.client_reference},`;
    return `#${order.id}${reference} ${order.product_name}, ${order.client}`;
  }
  if (kind === 'member') return `${name}, ${client?.name}`;
  return name ?? client?.name ?? `${words(kind)} ${id}`;
}
