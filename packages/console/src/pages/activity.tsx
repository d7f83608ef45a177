import { list } from '../api';
import { moment, words } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { Progress, Row, Table } from '../../../parts/src/basics';
import { hrefOf } from '../route';
import type { Activity, Member } from '../types';

const PER_PAGE = 50;

/** `api_key/28` becomes `API key 28`. The id of a session tells a reader nothing. */
function inWords(object: string): string {
  const [kind = '', ...ids] = object.split('/');
  return kind === 'session' ? words(kind) : [words(kind), ...ids].join(' ');
}

/** Who did what in the account, and from which address. */
export function ActivityPage({ query }: { query: URLSearchParams }) {
  const number = Math.max(1, Number(query.get('page')) || 1);
  const path = `/activity?page=${number}&per_page=${PER_PAGE}`;
  const entries = useLoaded(() => list<Activity>(path), path);
  const members = useLoaded(() => list<Member>('/members?per_page=500'), 'members');
  const names = new Map(members.data?.items.map(({ id, email }) => [`member/${id}`, email]));
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      <p class="quiet">
        Sign-ins, changes of keys, networks, members and endpoints, and codes that members saw.
      </p>
      <Progress of={entries} />
      {entries.data && (
        <Table
          caption="Activity, newest first"
          isCaptionHidden
          columns={['When', 'Who', 'What', 'Object', 'Address']}
        >
          {entries.data.items.map(({ id, at, actor, action, object, address }) => (
            <Row
              key={id}
              cells={[
                moment(at),
                <span class="wrapped">{names.get(actor) ?? inWords(actor)}</span>,
                words(action.replace('.', ' ')),
                <span class="wrapped">{names.get(object) ?? inWords(object)}</span>,
                address ?? '',
              ]}
            />
          ))}
        </Table>
      )}
      <nav class="buttons" aria-label="Pages of the activity">
        {number > 1 && <a href={hrefOf('account/activity', { page: number - 1 })}>Newer</a>}
        {entries.data?.hasMore === true && (
          <a href={hrefOf('account/activity', { page: number + 1 })}>Older</a>
        )}
      </nav>
    </section>
  );
}
