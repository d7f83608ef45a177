/** The members of clients, who manage them themselves: an operator invites an admin, the first one or another one. */
import { addInvitation, listMemberPage } from '../../data/clients/members';
import { KeyChangeRejected } from '../../data/clients/own-keys';
import { MAX_MEMBERS, MEMBER_INVITATION_DAYS } from '../../domain/clients/members';
import { requiredOption, word } from '../arguments';
import { clientNamed } from '../client-named';
import { client, email, nameText } from '../kinds';
import { everyRole, operation } from '../operation';

const ofClient = { client: word(client, 'id, name or API key') };

const list = operation({
  name: 'clients members',
  about: 'The people of a client who use the console',
  roles: everyRole,
  effect: 'reads',
  arguments: ofClient,
  async run({ database }, { client: named }) {
    const { id } = await clientNamed(database, named);
    const { members } = await listMemberPage(database, id, { offset: 0, limit: MAX_MEMBERS });
    return members.map((member) => ({ ...member }));
  },
});

const inviteAdmin = operation({
  name: 'clients invite-admin',
  about: `Invite a person as admin of a client by mail, for ${MEMBER_INVITATION_DAYS} days, or repeat the invitation. The admin invites others`,
  roles: [],
  effect: 'changes',
  arguments: {
    ...ofClient,
    email: word(email, 'of the person'),
    name: requiredOption(nameText, 'of the person'),
  },
  async preview({ database }, { client: named, email: invited }) {
    const { name } = await clientNamed(database, named);
    return `Invites ${invited}, who may then do everything in the console of ${name}.`;
  },
  async run({ database }, { client: named, email: invited, name }) {
    const account = await clientNamed(database, named);
    const member = await addInvitation(database, account.id, { email: invited, name, role: 'admin' }).catch(
      (error: unknown) => {
        throw error instanceof KeyChangeRejected ? new Error(reasonOf(error, invited, account.name)) : error;
      },
    );
    return `${member.email} is invited as admin of ${account.name}.`;
  },
});

function reasonOf({ rejection }: KeyChangeRejected, invited: string, account: string): string {
  return rejection.cause === 'IS_MEMBER'
    ? `${invited} is a member of ${account} already. See: clients members ${account}`
    : `${account} has ${MAX_MEMBERS} members: one of its admins must remove one first.`;
}

export const memberOperations = [list, inviteAdmin];
