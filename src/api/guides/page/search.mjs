/** The search of the clients' pages. It reads the index at the first use. */
/* global document */
import MiniSearch from 'minisearch';

const box = document.querySelector('search');
const input = document.querySelector('#query');
const results = document.querySelector('#results');
const [status, list] = results.children;

const MAX_RESULTS = 12;

let index;

/** The index of the sections: their page, heading and text. */
async function load() {
  const response = await fetch(input.dataset.index);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const search = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page'],
    // Names such as `DUPLICATE_CLIENT_REFERENCE` and `client_reference` are indexed whole and by their parts.
    tokenize: (text) =>
      text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word])),
    searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  search.addAll(await response.json());
  return search;
}

function linkTo({ id, heading, page }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = id;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  item.append(link);
  return item;
}

async function show() {
  const query = input.value.trim();
  results.hidden = query === '';
  if (query === '') return;
  try {
    index ??= load();
    const found = (await index).search(query);
    if (query !== input.value.trim()) return;
    status.textContent = `Sections that match "${query}": ${found.length}`;
    list.replaceChildren(...found.slice(0, MAX_RESULTS).map(linkTo));
  } catch {
    index = undefined;
    status.textContent = 'The search index could not be loaded. Type again to retry.';
    list.replaceChildren();
  }
}

box.hidden = false;
input.addEventListener('input', () => void show());
input.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
  if (event.key !== 'Escape') return;
  input.value = '';
  void show();
});
// A link to a section of the same page loads no page, so the list would stay open.
list.addEventListener('click', () => {
  results.hidden = true;
});
