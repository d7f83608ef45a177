/** The back office: who is signed in, the navigation, and the current page. */
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from '../../parts/src/basics';
import { isOutage, messageOf } from '../../parts/src/rejection';
import { RETRY_MS } from '../../parts/src/loading';
import { signOut } from './call';
import { OfficeProvider, openOffice, type Office } from './office';
import { pageOf, placesOf } from './pages';
import { SaidOnPage } from './parts/said';
import { SearchBox } from './parts/search-box';
import { useRoute, type Route } from './route';

export function App() {
  const [office, setOffice] = useState<Office>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const open = () =>
      void openOffice().then(setOffice, (error: unknown) => {
        setFailure(messageOf(error));
        if (isOutage(error)) window.setTimeout(open, RETRY_MS);
      });
    open();
  }, []);
  if (office) return <Opened office={office} />;
  return (
    <main>
      <h1>Back office</h1>
      <Failure text={failure} />
    </main>
  );
}

function Opened({ office }: { office: Office }) {
  const route = useRoute();
  const { title, content } = pageOf(route, office);
  return (
    <OfficeProvider value={office}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the page
      </a>
      <Top office={office} route={route} />
      <SaidOnPage page={title}>
        <Main title={title}>
          <Fragment key={title}>{content}</Fragment>
        </Main>
      </SaidOnPage>
    </OfficeProvider>
  );
}

/** Moves the focus without changing the address. */
function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}

/** The header: the search, the pages of the role, and who is signed in. In a narrow window it has a menu. */
function Top({ office, route }: { office: Office; route: Route }) {
  const [isOpen, setIsOpen] = useState(false);
  const page = route.path.join('/');
  useEffect(() => setIsOpen(false), [page]);
  const here = route.path[0] ?? '';
  const { name, role } = office.person;
  return (
    <header class={`top ${isOpen ? 'open' : ''}`}>
      <span class="brand">Back office</span>
      <SearchBox />
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen}
        aria-controls="menu"
        onClick={() => setIsOpen(!isOpen)}
      >
        Menu
      </button>
      <div id="menu">
        <div class="who">
          <a href="/identity/" class="name" title="You, your sessions and the second factor">
            {name}
          </a>
          <span class="tag">{role}</span>
          <button type="button" class="quiet" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
        <nav aria-label="Pages">
          {placesOf(office).map(({ part, title, href }) => (
            <a key={part} href={href} aria-current={here === part ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
      </div>
    </header>
  );
}

/** A page with its heading. The heading receives the focus when the page changes. */
function Main({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    document.title = `${title} · Back office`;
    if (shown.current !== undefined) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <main id="main" tabIndex={-1}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
