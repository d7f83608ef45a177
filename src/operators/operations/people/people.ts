/** `people` and `sessions`: who works here, with which role, and where they are signed in. docs/operators/people.md. */
import { personOrders, personStates } from '../../../data/identity/people';
import { sessionKinds } from '../../../data/identity/people-sessions';
import { recordOperation } from '../../../data/audit/audit-entries';
import type { OpsAction } from '../../../domain/audit';
import { roles } from '../../../domain/operators/roles';
import type { Holdings } from '../../../identity/people';
import { inTerminal, option, optionalWord, optionOr, requiredOption, word } from '../arguments';
import { comparisonText, presentOf } from '../comparison';
import type { Context } from '../context';
import { count, email, oneOf, text } from '../kinds';
import { newName } from '../names';
import { neededReason, operation } from '../operation';
import { makerOf } from './maker';
import { plural } from '../text';

const address = word(email, 'of the person');
const role = requiredOption(oneOf('role', roles), roles.join(', '));

const list = operation({
  name: 'people list',
  about: 'The people who may sign in, and the open invitations',
  roles: [],
  effect: 'reads',
  arguments: {
    state: option(oneOf('state', personStates), 'only people in this state: active, suspended or invited'),
    role: option(oneOf('role', roles), `only people with this role: ${roles.join(', ')}`),
    search: option(text, 'only people with this text in the name or the address'),
    sort: optionOr(oneOf('order', personOrders), 'address', 'address (open invitations last), name or role'),
    after: option(email, 'only those behind the one with this address, for the next page'),
    limit: option(count, 'maximum number of people; default: all'),
  },
  columns: {
    email: 'text',
    name: 'text',
    role: 'text',
    state: 'text',
    second_factor: 'flag',
    signs_in_by: 'text',
    since: 'time',
    expires_at: 'time',
  },
  async run({ people }, filter) {
    const found = await people().listed(filter);
    return found.map(({ hasSecondFactor, hasAccount, createdAt, expiresAt, ...person }) => ({
      email: person.email,
      name: person.name,
      role: person.role,
      state: person.state,
      second_factor: hasSecondFactor,
      signs_in_by: person.state === 'INVITED' ? null : hasAccount ? 'provider' : 'mail',
      since: createdAt,
      ...(expiresAt && { expires_at: expiresAt }),
    }));
  },
});

const invite = operation({
  name: 'people invite',
  button: 'Invite a person',
  about: 'Invite a person by mail, for 7 days. Another invitation of the address replaces the first one',
  roles: [],
  effect: 'changes',
  arguments: { email: address, name: requiredOption(newName, 'of the person, for the audit'), role },
  async run(context, { email: invited, name, role: given }) {
    const { expiresAt } = await context
      .people()
      .invite({ email: invited, name, role: given, invitedBy: context.operator, inviterId: makerOf(context) });
    await record(context, 'person.invited', invited, { name, role: given });
    await remarkNamesake(context, invited, name);
    return `${invited} is invited as ${given} until ${expiresAt.toISOString()}.`;
  },
});

/** Remarks that another person has the name. It may be the person's own name, so it is not rejected. */
async function remarkNamesake({ people, remark }: Context, invited: string, name: string): Promise<void> {
  const comparable = (text: string) => text.trim().toLowerCase();
  const found = await people().listed({ search: name.trim() });
  const namesake = found.find(
    (person) => person.email !== invited.toLowerCase() && comparable(person.name) === comparable(name),
  );
  if (namesake)
    remark(
      `${namesake.email} has the name ${name}, too. The audit shows names: to tell both apart, invite ${invited} again with another name.`,
    );
}

const withdraw = operation({
  name: 'people withdraw',
  about: 'Withdraw an open invitation',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: { email: address },
  async run(context, { email: invited }) {
    await context.people().withdraw(invited);
    await record(context, 'person.uninvited', invited);
    return `The invitation of ${invited} is withdrawn.`;
  },
});

const set = operation({
  name: 'people set',
  button: 'Change the role',
  about: 'Give a person another role. It applies to the next call',
  roles: [],
  effect: 'changes',
  arguments: { email: address, role },
  present: presentOf({ email: address }, async (context, { email: person }) => ({
    role: await roleOf(context, person),
  })),
  async preview(context, { email: person, role: given }) {
    return `${person}\n${comparisonText({ role: await roleOf(context, person) }, { role: given })}`;
  },
  check: async (context, { email: person, role: given = 'viewer' }) =>
    person === undefined || context.people().undone((people) => people.setRole(person, given)),
  async run(context, { email: person, role: given }) {
    await context.people().setRole(person, given);
    await record(context, 'person.role_changed', person, { role: given });
    return `${person} is ${given} now.`;
  },
});

/** The role of the person; null if there is none. */
async function roleOf({ people }: Context, person: string): Promise<string | null> {
  const found = await people().listed({ search: person });
  return found.find(({ email: listed }) => listed === person.toLowerCase())?.role ?? null;
}

const suspend = operation({
  name: 'people suspend',
  about:
    'Keep a person out from the next call on. What the person made, such as service accounts, sleeps with the person',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: { email: address },
  preview: async ({ people }, { email: person }) => {
    const held = await people().holdings(person);
    return `Suspends ${person}. Ends ${plural(held.browsers, 'session')} of browsers. ${sleepingText(held)}`;
  },
  async run(context, { email: person }) {
    await context.people().suspend(person);
    await record(context, 'person.suspended', person);
    return `${person} is suspended. ${sleepingText(await context.people().holdings(person))}`;
  },
});

/** What sleeps while the person is suspended, in a sentence. */
function sleepingText({ machines, accounts, invitations }: Holdings): string {
  const kinds = [
    machines.length > 0 && `the logins of the ops CLI on ${machines.join(', ')}`,
    accounts.length > 0 && `the service accounts ${accounts.join(', ')}`,
    invitations.length > 0 && `the invitations of ${invitations.join(', ')}`,
  ].filter((kind) => kind !== false);
  if (kinds.length === 0) return 'Nothing that the person made sleeps.';
  return `Until the person is resumed, these sleep: ${kinds.join('; ')}.`;
}

const resume = operation({
  name: 'people resume',
  about: 'Let a suspended person sign in again, and wake what the person made',
  roles: [],
  effect: 'changes',
  arguments: { email: address },
  preview: async ({ people }, { email: person }) => {
    const { machines, accounts, invitations } = await people().holdings(person);
    const made = [...machines, ...accounts, ...invitations];
    return `Lets ${person} sign in again. Wakes ${made.length === 0 ? 'nothing' : made.join(', ')}.`;
  },
  async run(context, { email: person }) {
    await context.people().resume(person);
    await record(context, 'person.resumed', person);
    return `${person} may sign in again.`;
  },
});

const unlock = operation({
  name: 'people unlock',
  button: 'Unlock',
  about: 'Forget the wrong codes of a day for a person, who then signs in in a new browser again',
  roles: [],
  effect: 'changes',
  arguments: { email: address, reason: neededReason },
  async preview({ people }, { email: person }) {
    const wrong = await people().wrongCodes(person);
    return `Forgets ${wrong} wrong codes of the last day for ${person}: make sure that it is really this person who asks.`;
  },
  async run(context, { email: person }) {
    const wrong = await context.people().unlock(person);
    await record(context, 'person.unlocked', person, { wrong_codes: wrong });
    return `${wrong} wrong codes for ${person} are forgotten: new browsers get codes again.`;
  },
});

const removeSecondFactor = operation({
  name: 'people remove-second-factor',
  button: 'Remove the second factor',
  about: 'Remove a lost second factor, and end all sessions. The next sign-in sets up another one',
  roles: [],
  effect: 'changes',
  arguments: { email: address },
  preview: (_context, { email: person }) =>
    Promise.resolve(`Removes the second factor of ${person}: make sure that it is really this person who asks.`),
  async run(context, { email: person }) {
    await context.people().removeSecondFactor(person);
    await record(context, 'person.second_factor_removed', person);
    return `${person} sets up another second factor at the next sign-in.`;
  },
});

const sessions = operation({
  name: 'sessions list',
  about: 'The sessions of a person, or of all people. Those of a suspended person sleep',
  roles: [],
  effect: 'reads',
  arguments: {
    email: optionalWord(email, 'of the person'),
    kind: option(oneOf('kind', sessionKinds), 'only sessions of this kind: browser or cli'),
    after: option(text, 'only sessions behind the one with this id, for the next page'),
    limit: option(count, 'maximum number of sessions; default: all'),
  },
  columns: {
    id: 'text',
    email: 'text',
    kind: 'text',
    machine: 'text',
    address: 'text',
    last_used_at: 'time',
    expires_at: 'time',
    asleep: 'flag',
  },
  async run({ people }, { email: person, ...page }) {
    const found = await people().sessions(person, page);
    return found.map(({ id, email: owner, kind, machine, address: from, lastUsedAt, expiresAt, isAsleep }) => ({
      id,
      email: owner,
      kind,
      machine,
      address: from,
      last_used_at: lastUsedAt,
      expires_at: expiresAt,
      asleep: isAsleep,
    }));
  },
});

const endSession = operation({
  name: 'sessions end',
  about: 'End a session',
  roles: [],
  effect: 'changes',
  harmless: 'It only takes access, and the person signs in again.',
  arguments: { session: inTerminal(word(text, 'the id of the session'), 'id; see sessions list') },
  async run(context, { session }) {
    await context.people().endSession(session);
    await recordOperation(context.database, { action: 'person.session_ended', object: `session/${session}` });
    return `Session ${session} is ended.`;
  },
});

function record({ database }: Context, action: OpsAction, person: string, after?: object): Promise<void> {
  return recordOperation(database, { action, object: `person/${person}`, ...(after && { after }) });
}

export const peopleOperations = [
  list,
  invite,
  withdraw,
  set,
  suspend,
  resume,
  unlock,
  removeSecondFactor,
  sessions,
  endSession,
];
