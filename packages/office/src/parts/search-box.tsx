/** The search of the header. What is searched stays in this window: it is in no address and in no history. */
import { useState } from 'preact/hooks';
import { useOffice } from '../office';
import { go, hrefOf } from '../route';

let searched = '';

/** The last search of this window. */
export function searchedValue(): string {
  return searched;
}

export function SearchBox() {
  const { operations } = useOffice();
  const [text, setText] = useState('');
  if (!operations.has('search')) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    searched = text.trim();
    if (searched === '') return;
    go(hrefOf('search'), { at: String(Date.now()) });
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
