/** What the keyboard does without a mouse. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Dialog } from './basics';
import type { Place } from './places';

/** Where the browser keeps that a person wants no single keys, because voice input or a screen reader types them. */
const STORED = 'single-keys';

/** How long after `g` the letter of a page counts (milliseconds). */
const PAUSE_MS = 1_500;

/**
 * Listens to the keys: `/` searches, `j` and `k` move through the rows, `g` and a letter open a page, `?` shows this. None of them counts
 * while a person writes, or in a dialog.
 */
export function Keys({ places }: { places: readonly Place[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isOn, setIsOn] = useState(() => localStorage.getItem(STORED) !== 'off');
  const wentAt = useRef(-Infinity);
  const latest = useRef(places);
  latest.current = places;
  const box = useId();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isWriting(event.target) || document.querySelector('dialog[open]')) return;
      if (!isOn && event.key !== '?') return;
      const isAfterGo = event.timeStamp - wentAt.current < PAUSE_MS;
      wentAt.current = event.key === 'g' ? event.timeStamp : -Infinity;
      const place = isAfterGo && latest.current.find(({ key }) => key === event.key);
      if (place) openPlace(place);
      else if (event.key === '?') setIsOpen(true);
      else if (event.key === '/') searchField()?.focus();
      else if (event.key === 'j') moveRow(1);
      else if (event.key === 'k') moveRow(-1);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
  const turn = (on: boolean) => {
    localStorage.setItem(STORED, on ? 'on' : 'off');
    setIsOn(on);
  };
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" close={() => setIsOpen(false)}>
      <dl class="keys">
        {[
          ...(searchField() ? [['/', 'Search']] : []),
          ['j', 'Next row'],
          ['k', 'Row before'],
          ['Enter', 'Open the row'],
          ['Escape', 'Close a dialog or a menu'],
          ['?', 'Show the keys'],
          ...places.map(({ title, key }) => [`g ${key}`, title]),
        ].map(([keys = '', what]) => (
          <>
            <dt>
              {keys.split(' ').map((key) => (
                <>
                  <kbd>{key}</kbd>{' '}
                </>
              ))}
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <p class="check">
        <input id={box} type="checkbox" checked={isOn} onChange={(event) => turn(event.currentTarget.checked)} />
        <label for={box}>Keys of one letter work</label>
      </p>
    </Dialog>
  );
}

/** Whether keys are text here. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

function openPlace({ href }: Place): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('.top nav a');
  [...links].find((link) => link.getAttribute('href') === href)?.click();
}

/** The search of all pages, or that of the page. */
function searchField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.bar [role=combobox], main [type=search]');
}

/** Moves the focus to the first control of the next row or entry of the page. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll('main tbody tr, main .entries > li')];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[here === -1 ? 0 : here + step];
  next?.querySelector<HTMLElement>('a, button, summary')?.focus();
}
