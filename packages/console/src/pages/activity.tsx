import { list, send } from '../api';
import { startOfDay, words, zone } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { At, Breakable, Empty } from '../../../parts/src/basics';
import { filterIn, type FilterField, type FilterValues } from '../parts/filters';
import { List } from '../parts/list';
import { useRows } from '../parts/rows';
import { hrefOf, queryText } from '../route';
import type { ActivityPart, ApiKey, MemberNames } from '../types';

type Activity = ActivityPart['entries'][number];

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
    ...(keys.data?.items ?? []).map(({ id, label, api_key: key }) => [`api_key/${id}`, label ?? key] as const),
  ]);
  const fields = fieldsOf(names);
  const filter = filterIn(fields, query);
  const wanted = wantedOf(filter);
  const entries = useRows({
    path: '/api/activity',
    query: wanted,
    by: 'before',
    itemsIn: (part: ActivityPart) => part.entries,
  });
  return (
    <>
      <p class="quiet">Sign-ins, changes of keys, networks, members and endpoints, and codes that members saw.</p>
      <List
        name="activity"
        caption="Activity, newest first"
        fields={fields}
        filter={filter}
        hrefOf={(chosen) => hrefOf(PAGE, chosen)}
        loaded={entries}
        items={entries.data ?? []}
        keyOf={({ id }) => id}
        columns={columnsOf(names)}
        empty={<Empty what="No entry matches." />}
        file={`activity.csv?${queryText(wanted)}`}
      />
    </>
  );
}

function Named({ of, names }: { of: string; names: ReadonlyMap<string, string> }) {
  return (
    <span class="wrapped">
      <Breakable text={names.get(of) ?? inWords(of)} />
    </span>
  );
}

const columnsOf = (names: ReadonlyMap<string, string>) => ({
  When: ({ at }: Activity) => <At time={at} />,
  Who: ({ actor }: Activity) => <Named of={actor} names={names} />,
  What: ({ action }: Activity) => words(action.replace('.', ' ')),
  Object: ({ object }: Activity) => <Named of={object} names={names} />,
  Address: ({ address }: Activity) => address ?? '',
});

/** The conditions as the service reads them. `to` includes its day. */
function wantedOf({ from, to, ...filter }: FilterValues<Name>): Record<string, string> {
  return { ...filter, from: startOfDay(from)?.toISOString() ?? '', to: startOfDay(to, 1)?.toISOString() ?? '' };
}
