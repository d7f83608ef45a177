/** The search of the header. What is searched stays in this window: it is in no address, and the history has only its number. */
import { useState } from 'preact/hooks';
import { useOffice } from '../office';
import { go, hrefOf } from '../route';

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

export function SearchBox() {
  const { operations } = useOffice();
  const [text, setText] = useState('');
  if (!operations.has('search')) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    const searched = text.trim();
    if (searched === '') return;
    go(hrefOf('search'), { search: numbered(searched) });
    setText('');
  };
  return (
    <form class="search" role="search" onSubmit={submit}>
      <input
        type="search"
        name="value"
        aria-label="Search for an order, a client or a recipient"
        placeholder="Order, reference, email, phone, code, key"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button>Search</button>
    </form>
  );
}
