/** The members of clients, who manage them themselves. An operator invites an admin, and helps if no admin can. */
import { recordOperation } from '../../../data/audit/audit-entries';
import {
  addInvitation,
  forgetWrongCodesOf,
  listMembers,
  setMemberState,
  takeMemberOut,
} from '../../../data/clients/members';
import { KeyChangeRejected } from '../../../data/clients/access-changes';
import type { Database } from '../../../data/database/database';
import { MAX_MEMBERS, MEMBER_INVITATION_DAYS, memberRoles, memberStates } from '../../../domain/clients/member-limits';
import { TOO_MANY_INVITATIONS } from '../../../domain/invitation-messages';
import { option, requiredOption, word } from '../arguments';
import { assertClient, clientNamed } from '../client-named';
import { client, count, email, id, oneOf, text } from '../kinds';
import { memberName } from '../names';
import { everyRole, neededReason, operation } from '../operation';

const ofClient = { client: word(client, 'id, name or API key') };
const ofMember = { ...ofClient, email: word(email, 'of the member') };

export const listMembersOf = operation({
  name: 'clients members',
  button: 'Show the members',
  about: 'The people of a client who use the console',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    ...ofClient,
    state: option(oneOf('state', memberStates), 'only members in this state: invited, active or suspended'),
    role: option(oneOf('role', memberRoles), `only members with this role: ${memberRoles.join(', ')}`),
    search: option(text, 'only members with this text in the name or the address'),
    after: option(id, 'only members behind this one, for the next page'),
    limit: option(count, 'maximum number of members; default: all'),
  },
  columns: { id: 'number', email: 'text', name: 'text', role: 'text', state: 'text' },
  async run({ database }, { client: named, ...filter }) {
    return listMembers(database, { ...filter, clientId: (await clientNamed(database, named)).id });
  },
});

const inviteAdmin = operation({
  name: 'clients invite-admin',
  button: 'Invite an admin',
  about: `Invite a person as admin of a client by mail, for ${MEMBER_INVITATION_DAYS} days, or repeat the invitation. The admin invites others`,
  roles: [],
  effect: 'changes',
  arguments: { ...ofClient, email: word(email, 'of the person'), name: requiredOption(memberName, 'of the person') },
  check: assertClient,
  async preview({ database }, { client: named, email: invited }) {
    const { name } = await clientNamed(database, named);
    return `Invites ${invited}, who may then do everything in the console of ${name}.`;
  },
  async run({ database }, { client: named, email: invited, name }) {
    const account = await clientNamed(database, named);
    const member = await explained(
      addInvitation(database, account.id, { email: invited, name, role: 'admin' }),
      account.name,
    );
    return `${member.email} is invited as admin of ${account.name}.`;
  },
});

const reinvite = operation({
  name: 'members reinvite',
  about: `Repeat the invitation of a member who has not signed in yet, by mail, for ${MEMBER_INVITATION_DAYS} days`,
  roles: [],
  effect: 'changes',
  arguments: ofMember,
  async preview({ database }, given) {
    const { member, account } = await memberNamed(database, given);
    return `Mails the invitation to ${account} again to ${member.email}, ${member.role}.`;
  },
  async run({ database }, given) {
    const { member, account, clientId } = await memberNamed(database, given);
    const { email: invited, name, role } = member;
    await explained(addInvitation(database, clientId, { email: invited, name, role }), account);
    return `${invited} is invited to ${account} again.`;
  },
});

const suspend = operation({
  name: 'members suspend',
  about: 'Keep a member of a client out of the console, from the next call on',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: ofMember,
  async preview({ database }, given) {
    const { member, account } = await memberNamed(database, given);
    return `Keeps ${member.email}, ${member.role}, out of the console of ${account}.`;
  },
  run: ({ database }, given) => changed(database, given, 'SUSPENDED'),
});

const resume = operation({
  name: 'members resume',
  about: 'Let a suspended member of a client use the console again',
  roles: [],
  effect: 'changes',
  arguments: ofMember,
  async compared({ database }, given) {
    const { member, account } = await memberNamed(database, given);
    return { of: `${member.email} of ${account}`, values: { state: member.state.toLowerCase() } };
  },
  run: ({ database }, given) => changed(database, given, 'ACTIVE'),
});

const unlock = operation({
  name: 'clients unlock-member',
  button: 'Unlock',
  about: 'Forget the wrong codes of a day for a member, who then signs in in a new browser again',
  roles: ['support'],
  effect: 'changes',
  arguments: { ...ofMember, reason: neededReason },
  async preview({ database }, given) {
    const { member, account } = await memberNamed(database, given);
    return `Forgets the wrong codes of the last day for ${member.email}, ${member.role} of ${account}: make sure that it is really this person who asks.`;
  },
  async run({ database }, given) {
    const { member, account, clientId } = await memberNamed(database, given);
    const wrong = await forgetWrongCodesOf(database, member.email);
    await recordOperation(database, {
      clientId,
      action: 'member.unlocked',
      object: `member/${member.id}`,
      after: { wrong_codes: wrong },
    });
    return `${wrong} wrong codes for ${member.email} of ${account} are forgotten: new browsers get codes again.`;
  },
});

const remove = operation({
  name: 'members remove',
  about: 'Remove a member of a client. An open invitation is withdrawn',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: ofMember,
  async preview({ database }, given) {
    const { member, account } = await memberNamed(database, given);
    return `Removes ${member.email}, ${member.role}, from ${account}, with the second factor of a person who is a member nowhere else.`;
  },
  async run({ database }, given) {
    const { member, account, clientId } = await memberNamed(database, given);
    await explained(takeMemberOut(database, clientId, member.id), account);
    return `${member.email} is removed from ${account}.`;
  },
});

interface GivenMember {
  client: string;
  email: string;
}

async function memberNamed(database: Database, { client: named, email: address }: GivenMember) {
  const { id: clientId, name: account } = await clientNamed(database, named);
  const members = await listMembers(database, { clientId });
  const member = members.find((each) => each.email === address.toLowerCase());
  if (!member) throw new Error(`${account} has no member ${address}. See them with: clients members ${clientId}`);
  return { member, account, clientId };
}

async function changed(database: Database, given: GivenMember, state: 'ACTIVE' | 'SUSPENDED') {
  const { member, account, clientId } = await memberNamed(database, given);
  await explained(setMemberState(database, clientId, member.id, state), account);
  return `${member.email} of ${account} is ${state}.`;
}

/** The change, with a reason for operators if the database rejects it. */
function explained<Result>(change: Promise<Result>, account: string): Promise<Result> {
  return change.catch((error: unknown) => {
    throw error instanceof KeyChangeRejected ? new Error(reasonOf(error, account)) : error;
  });
}

function reasonOf({ rejection: { cause } }: KeyChangeRejected, account: string): string {
  if (cause === 'IS_MEMBER')
    return `This address is a member already. See the members with: clients members ${JSON.stringify(account)}`;
  if (cause === 'LAST_ADMIN')
    return `The member is the last active admin of ${account}: invite another admin first, who signs in.`;
  if (cause === 'NOT_JOINED') return 'The member has not signed in yet: remove the member, or repeat the invitation.';
  if (cause === 'TOO_MANY_INVITATIONS') return `${TOO_MANY_INVITATIONS}: wait, then try again.`;
  return `${account} has ${MAX_MEMBERS} members: remove one first.`;
}

export const memberOperations = [listMembersOf, inviteAdmin, reinvite, suspend, resume, unlock, remove];
