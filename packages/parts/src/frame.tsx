/** The frame of the pages: the navigation at the side, a bar above the page, and the page with its heading. */
import { mdiMenu } from '@mdi/js';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon';
import { Keys } from './keys';
import type { PlaceGroup } from './places';

interface FrameProps {
  /** What the pages are, such as `Back office`. */
  name: string;
  icon: string;
  groups: readonly PlaceGroup[];
  /** What stands above every page: the search, and who one is. */
  bar: ComponentChildren;
  children: ComponentChildren;
}

export function Frame({ name, icon, groups, bar, children }: FrameProps) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = groups.filter(({ places }) => places.length > 0);
  const places = shown.flatMap((group) => group.places);
  const here = places.find(({ isCurrent }) => isCurrent)?.href;
  const menu = useId();
  useEffect(() => setIsOpen(false), [here]);
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the page
      </a>
      <header class={`top ${isOpen ? 'open' : ''}`}>
        <span class="brand">
          <Icon of={icon} />
          {name}
        </span>
        <button
          type="button"
          class="menu-button"
          aria-expanded={isOpen}
          aria-controls={menu}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon of={mdiMenu} />
          Menu
        </button>
        <nav id={menu} aria-label="Pages">
          {shown.map((group) => (
            <Group key={group.name} of={group} chosen={() => setIsOpen(false)} />
          ))}
        </nav>
      </header>
      <div class="column">
        <div class="bar" role="region" aria-label="Above every page">
          {bar}
        </div>
        {children}
      </div>
      <Keys places={places} />
    </div>
  );
}

function Group({ of: { name, places }, chosen }: { of: PlaceGroup; chosen: () => void }) {
  const heading = useId();
  return (
    <div role="group" aria-labelledby={name === undefined ? undefined : heading}>
      {name !== undefined && (
        <p id={heading} class="group-name">
          {name}
        </p>
      )}
      {places.map(({ title, href, icon, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined} onClick={chosen}>
          <Icon of={icon} />
          {title}
        </a>
      ))}
    </div>
  );
}

/** Moves the focus without changing the address. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}

interface PageProps {
  title: string;
  /** What the pages are, for the title of the window. */
  of: string;
  children: ComponentChildren;
}

const NameContext = createContext<(name: string | undefined) => void>(() => undefined);

/** Names the page after what it shows, once that is read. */
export function usePageName(name: string | undefined): void {
  const rename = useContext(NameContext);
  useEffect(() => {
    rename(name);
    return () => rename(undefined);
  }, [name]);
}

/** A page with its heading. The heading receives the focus when the page changes. */
export function Page({ title, of, children }: PageProps) {
  const [name, setName] = useState<string>();
  const named = name ?? title;
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    document.title = `${named} · ${of}`;
  }, [named]);
  useEffect(() => {
    if (shown.current !== undefined) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <main id="main" tabIndex={-1}>
      <h1 ref={heading} tabIndex={-1}>
        {named}
      </h1>
      <NameContext.Provider value={setName}>{children}</NameContext.Provider>
    </main>
  );
}
