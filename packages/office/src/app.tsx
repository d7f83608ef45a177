/** The back office: who is signed in, the navigation, and the current page. */
import { mdiChevronDown, mdiKeyOutline, mdiLogout, mdiPackageVariantClosedCheck, mdiSitemapOutline } from '@mdi/js';
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../../parts/src/basics';
import { Frame, Page } from '../../parts/src/frame';
import { Icon } from '../../parts/src/icon';
import { Popup } from '../../parts/src/popup';
import { isOutage, messageOf } from '../../parts/src/rejection';
import { RETRY_MS } from '../../parts/src/loading';
import { signOut } from './call';
import { OfficeProvider, openOffice, type Office } from './office';
import { pageOf, placesOf } from './pages';
import { SaidOnPage } from './parts/said';
import { SearchBox } from './parts/search-box';
import { useRoute } from './route';

const NAME = 'Back office';

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
  if (failure === undefined) return null;
  return (
    <main>
      <h1>{NAME}</h1>
      <Failure text={failure} />
    </main>
  );
}

function Opened({ office }: { office: Office }) {
  const route = useRoute();
  const { title, content } = pageOf(route, office);
  const page = `${route.path.join('/')} ${title}`;
  return (
    <OfficeProvider value={office}>
      <Frame
        name={NAME}
        icon={mdiPackageVariantClosedCheck}
        groups={placesOf(office, route.path[0] ?? '')}
        bar={
          <>
            <SearchBox />
            <Who office={office} />
          </>
        }
      >
        <SaidOnPage page={page}>
          <Page title={title} of={NAME}>
            <Fragment key={page}>{content}</Fragment>
          </Page>
        </SaidOnPage>
      </Frame>
    </OfficeProvider>
  );
}

/** Who is signed in, with which role, and what one does about oneself. */
function Who({ office: { person, roleMeaning } }: { office: Office }) {
  return (
    <Popup
      class="who"
      buttonClass="quiet"
      button={
        <>
          <span class="name">{person.name}</span>
          <span class="tag">{person.role}</span>
          <Icon of={mdiChevronDown} />
        </>
      }
    >
      <p>
        <strong>{person.email}</strong>
      </p>
      <p class="quiet">{roleMeaning}</p>
      <p class="quiet">Second factor: {person.hasSecondFactor ? 'set up' : 'not set up'}</p>
      <hr />
      <a href="/identity/">
        <Icon of={mdiKeyOutline} />
        Sessions and second factor
      </a>
      <a href="/temporal/">
        <Icon of={mdiSitemapOutline} />
        Temporal UI
      </a>
      <hr />
      <button type="button" onClick={() => void signOut()}>
        <Icon of={mdiLogout} />
        Sign out
      </button>
    </Popup>
  );
}
