import { list, send } from '../api';
import { moment, startOfDay, words, zone } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { Progress, Row, Table } from '../../../parts/src/basics';
import { filterIn, Filters, type FilterField, type FilterValues } from '../parts/filters';
import { hrefOf, queryText } from '../route';
import type { ActivityPart, ApiKey, MemberNames } from '../types';

const PER_PAGE = 50;
const PAGE = 'account/activity';

type Name = 'actor' | 'action' | 'from' | 'to';

function fieldsOf(names: ReadonlyMap<string, string>): FilterField<Name>[] {
  return [
    { name: 'actor', label: 'Who', options: [...names, ['operator', 'operator']] },
    { name: 'action', label: 'What', hint: 'A part of it, such as session' },
    { name: 'from', label: 'From', hint: `Days in ${zone()}`, type: 'date' },
    { name: 'to', label: 'To', type: 'date' },
  ];
}

/** `api_key/28` becomes `API key 28`. The id of a session tells a reader nothing. */
function inWords(object: string): string {
  const [kind = '', ...ids] = object.split('/');
  return kind === 'session' ? words(kind) : [words(kind), ...ids].join(' ');
}

/** Who did what in the account, and from which address. */
export function ActivityPage({ query }: { query: URLSearchParams }) {
  const members = useLoaded(() => send<MemberNames>('/api/member-names'), 'member-names');
  const keys = useLoaded(() => list<ApiKey>('/api-keys?per_page=500'), 'keys');
  const names = new Map([
    ...(members.data?.members ?? []).map(({ id, email }) => [`member/${id}`, email] as const),
    ...(keys.data?.items ?? []).map(
      ({ id, label, api_key: key }) => [`api_key/${id}`, label ?? key] as const,
    ),
  ]);
  const fields = fieldsOf(names);
  const filter = filterIn(fields, query);
  const before = query.get('before') ?? '';
  const wanted = wantedOf(filter);
  const path = `/api/activity?${queryText({ ...wanted, before, limit: String(PER_PAGE) })}`;
  const part = useLoaded(() => send<ActivityPart>(path), path);
  const next = part.data?.next ?? null;
  return (
    <section aria-labelledby="activity">
      <div class="section-head">
        <h2 id="activity">Activity</h2>
        <a href={`/console/api/activity.csv?${queryText(wanted)}`} download>
          Export as CSV
        </a>
      </div>
      <p class="quiet">
        Sign-ins, changes of keys, networks, members and endpoints, and codes that members saw.
      </p>
      <Filters
        fields={fields}
        filter={filter}
        hrefOf={(chosen) => hrefOf(PAGE, chosen)}
        rejection={part.rejection}
      />
      <Progress of={part} />
      {part.data?.entries.length === 0 && <p>No entry matches.</p>}
      {part.data && part.data.entries.length > 0 && <EntryTable entries={part.data.entries} names={names} />}
      <nav class="buttons" aria-label="Pages of the activity">
        {before !== '' && <a href={hrefOf(PAGE, filter)}>Newest</a>}
        {next !== null && <a href={hrefOf(PAGE, { ...filter, before: next })}>Older</a>}
      </nav>
    </section>
  );
}

function EntryTable({
  entries,
  names,
}: {
  entries: ActivityPart['entries'];
  names: ReadonlyMap<string, string>;
}) {
  return (
    <Table
      caption="Activity, newest first"
      isCaptionHidden
      columns={['When', 'Who', 'What', 'Object', 'Address']}
    >
      {entries.map(({ id, at, actor, action, object, address }) => (
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
  );
}

/** The conditions as the service reads them. `to` includes its day. */
function wantedOf({ from, to, ...filter }: FilterValues<Name>): Record<string, string> {
  return {
    ...filter,
    from: startOfDay(from)?.toISOString() ?? '',
    to: startOfDay(to, 1)?.toISOString() ?? '',
  };
}
