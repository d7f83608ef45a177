import { useState } from 'preact/hooks';
import { api, list, send } from '../api';
import { words } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { Action, At, Breakable, Dialog, Empty, Progress, Row, Status, Table } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';
import { useSorted } from '../../../parts/src/sorting';
import { filterIn, type FilterField, type FilterValues } from '../parts/filters';
import { List } from '../parts/list';
import { hrefOf } from '../route';
import type { Member, MemberRole, MemberSession, Session } from '../types';

/** What each role may do, as the page says it. */
const roles: Readonly<Record<MemberRole, string>> = {
  admin: 'everything',
  finance: 'wallets, statements and reports',
  support: 'orders, recipients and codes',
  viewer: 'reads, without recipients and codes',
};

/** The people of the account, their sessions, and whether they need a second factor. */
export function MembersPage({ session, query }: { session: Session; query: URLSearchParams }) {
  const members = useLoaded(() => list<Member>('/members?per_page=500'), 'members');
  const sessions = useLoaded(() => send<{ sessions: MemberSession[] }>('/api/member-sessions'), 'sessions');
  const rule = useLoaded(() => send<{ is_required: boolean }>('/api/second-factor'), 'second-factor');
  const filter = filterIn(fields, query);
  const [isInviting, setIsInviting] = useState(false);
  const changed = () => {
    setIsInviting(false);
    members.reload();
    sessions.reload();
  };
  return (
    <>
      <section aria-labelledby="members">
        <div class="section-head">
          <h2 id="members">Members</h2>
          <button type="button" class="primary" onClick={() => setIsInviting(true)}>
            Invite
          </button>
        </div>
        <List
          name="members"
          caption="Members, newest first"
          fields={fields}
          filter={filter}
          hrefOf={(chosen) => hrefOf('account/members', chosen)}
          loaded={members}
          items={matching(members.data?.items ?? [], filter)}
          keyOf={({ id }) => id}
          columns={columnsOf(session.member?.id, changed)}
          sortedBy={membersSortedBy}
          empty={
            members.data?.items.length === 0 ? (
              <Empty what="No members yet.">
                As soon as the first member has signed in, API keys no longer sign in to the console.
              </Empty>
            ) : (
              <Empty what="No member matches." />
            )
          }
          file="members.csv"
          fileText="Export all members as CSV"
        />
        {isInviting && <InviteDialog close={() => setIsInviting(false)} invited={changed} />}
      </section>
      <section aria-labelledby="factor">
        <h2 id="factor">Second factor</h2>
        <Progress of={rule} />
        {rule.data && <FactorRule isRequired={rule.data.is_required} changed={rule.reload} />}
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        <Progress of={sessions} />
        {sessions.data && <SessionTable sessions={sessions.data.sessions} changed={sessions.reload} />}
      </section>
    </>
  );
}

type Name = 'state' | 'role' | 'search';

const fields: readonly FilterField<Name>[] = [
  { name: 'state', label: 'State', options: ['INVITED', 'ACTIVE', 'SUSPENDED'].map((each) => [each, words(each)]) },
  { name: 'role', label: 'Role', options: Object.keys(roles).map((role) => [role, words(role)]) },
  { name: 'search', label: 'Name or address', isMain: true },
];

/** The members that the filter wants. They are few: an account has at most 200. */
function matching(members: readonly Member[], { state, role, search }: FilterValues<Name>): Member[] {
  const text = search.trim().toLowerCase();
  return members.filter(
    (member) =>
      (state === '' || member.state === state) &&
      (role === '' || member.role === role) &&
      `${member.name} ${member.email}`.toLowerCase().includes(text),
  );
}

const membersSortedBy = {
  Member: ({ name, email }: Member) => `${name} ${email}`,
  Role: ({ role }: Member) => role,
  State: ({ state }: Member) => state,
};

const columnsOf = (ownId: number | undefined, changed: () => void) => ({
  Member: ({ id, name, email }: Member) => (
    <span class="lines">
      <span>
        {name}
        {id === ownId ? ' (you)' : ''}
      </span>
      <span class="quiet wrapped">
        <Breakable text={email} />
      </span>
    </span>
  ),
  Role: (member: Member) => <RoleField key={member.role} member={member} changed={changed} />,
  State: ({ state }: Member) => <Status of={state} />,
  Actions: (member: Member) => <MemberActions member={member} changed={changed} />,
});

const sessionValues = new Map<string, (session: MemberSession) => string | null>(
  Object.entries({
    Member: ({ email }) => email,
    Address: ({ address }) => address,
    'Last used': ({ last_used_at: at }) => at,
    Ends: ({ expires_at: at }) => at,
  }),
);
const sessionsSortedBy = [...sessionValues.keys()];

/** Changes the role at once. */
function RoleField({ member: { id, name, role }, changed }: { member: Member; changed: () => void }) {
  const [wanted, setWanted] = useState<MemberRole>(role);
  const save = async () => {
    await api(`/members/${id}`, { method: 'PATCH', body: { role: wanted } });
    changed();
  };
  return (
    <span class="inline">
      <RoleSelect label={`Role of ${name}`} value={wanted} change={setWanted} isShort />
      {wanted !== role && <Action run={save}>Save</Action>}
    </span>
  );
}

interface RoleSelectProps {
  label?: string;
  id?: string;
  name?: string;
  value: MemberRole;
  change: (role: MemberRole) => void;
  /** Without the meanings, which need much room. */
  isShort?: boolean;
}

function RoleSelect({ label, value, change, isShort = false, ...attributes }: RoleSelectProps) {
  return (
    <select
      {...attributes}
      {...(label !== undefined && { 'aria-label': label })}
      value={value}
      onChange={(event) => change(event.currentTarget.value as MemberRole)}
    >
      {Object.entries(roles).map(([role, meaning]) => (
        <option key={role} value={role}>
          {isShort ? words(role) : `${words(role)}: ${meaning}`}
        </option>
      ))}
    </select>
  );
}

function MemberActions({ member, changed }: { member: Member; changed: () => void }) {
  const { id, email, name, role, state } = member;
  const path = `/members/${id}`;
  const send = async (method: string, body?: object) => {
    await api(method === 'POST' ? '/members' : path, { method, ...(body && { body }) });
    changed();
  };
  return (
    <span class="buttons">
      {state === 'INVITED' && (
        <Action run={() => send('POST', { email, name, role })} done="The invitation is sent again.">
          Invite again
        </Action>
      )}
      {state === 'ACTIVE' && (
        <Action
          run={() => send('PATCH', { state: 'SUSPENDED' })}
          confirm={{ title: 'Suspend the member?', text: `${email} cannot use the console until you resume.` }}
        >
          Suspend
        </Action>
      )}
      {state === 'ACTIVE' && (
        <Action
          run={async () => {
            await api(`${path}/unlock`, { method: 'POST' });
          }}
          done="New browsers get codes again."
          confirm={{
            title: 'Unlock the member?',
            text: `The wrong codes of today for ${email} are forgotten. Make sure that it is really this person who asks.`,
          }}
        >
          Unlock
        </Action>
      )}
      {state === 'SUSPENDED' && <Action run={() => send('PATCH', { state: 'ACTIVE' })}>Resume</Action>}
      <Action
        kind="danger"
        run={() => send('DELETE')}
        confirm={{
          title: 'Remove the member?',
          text: `${email} can no longer use the console. You can invite the address again.`,
        }}
      >
        Remove
      </Action>
    </span>
  );
}

function InviteDialog({ close, invited }: { close: () => void; invited: () => void }) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<MemberRole>('viewer');
  const submit = async () => {
    await api('/members', { method: 'POST', body: { email, name, role } });
    invited();
  };
  return (
    <Dialog title="Invite a member" close={close}>
      <Form submit={submit} button="Send the invitation">
        <Field label="Email address" name="email" hint="The invitation is valid for 7 days.">
          {(ids) => (
            <input
              {...ids}
              type="email"
              required
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Name" name="name">
          {(ids) => <input {...ids} required value={name} onInput={(event) => setName(event.currentTarget.value)} />}
        </Field>
        <Field label="Role" name="role">
          {(ids) => <RoleSelect {...ids} value={role} change={setRole} />}
        </Field>
      </Form>
    </Dialog>
  );
}

function FactorRule({ isRequired, changed }: { isRequired: boolean; changed: () => void }) {
  const toggle = async () => {
    await send('/api/second-factor', { method: 'PUT', body: { is_required: !isRequired } });
    changed();
  };
  return (
    <>
      <p>
        {isRequired
          ? 'Every member needs a second factor: an authenticator that shows a code.'
          : 'Members may set up a second factor, and need it only then.'}{' '}
        <a href="/identity/">Your own</a>
      </p>
      <p>
        <Action run={toggle}>{isRequired ? 'Require it no more' : 'Require it of every member'}</Action>
      </p>
    </>
  );
}

function SessionTable({ sessions, changed }: { sessions: readonly MemberSession[]; changed: () => void }) {
  const { sorted, sorting } = useSorted(sessions, sessionsSortedBy, (session, column) =>
    sessionValues.get(column)?.(session),
  );
  if (sessions.length === 0) return <p class="quiet">No member is signed in.</p>;
  const end = async (id: string) => {
    await send('/api/member-sessions/end', { method: 'POST', body: { id } });
    changed();
  };
  return (
    <Table
      caption="Sessions, the one used last first"
      isCaptionHidden
      columns={['Member', 'Browser', 'Address', 'Last used', 'Ends', 'Actions']}
      sorting={sorting}
    >
      {sorted.map(({ id, email, browser, address, last_used_at: used, expires_at: ends }) => (
        <Row
          key={id}
          cells={[
            <Breakable text={email} />,
            browser,
            address,
            <At time={used} />,
            <At time={ends} />,
            <Action run={() => end(id)}>End</Action>,
          ]}
        />
      ))}
    </Table>
  );
}
