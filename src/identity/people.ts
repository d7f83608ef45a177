/** What admins do with people, invitations, sessions and service accounts: the handlers of operations call it. */
import { TOO_MANY_INVITATIONS } from '../domain/invitation-messages';
import { hour } from '../domain/time';
import type { Role } from '../domain/operators/roles';
import {
  findPersonByEmail,
  listActive,
  listPeople,
  listPeopleAndInvitations,
  removeSecondFactor,
  resumePerson,
  setRole,
  suspendPerson,
  type ListedPerson,
  type PeopleFilter,
  type StoredPerson,
} from '../data/identity/people';
import type { WaysIn } from '../data/identity/last-admin-stays';
import { UndoneConnection, type IdentityConnection } from '../data/identity/identity-pool';
import {
  isInvited,
  listInvitationsBy,
  storeInvitation,
  withdrawInvitation,
  type StoredInvitation,
} from '../data/identity/invitations';
import { countWrongCodes, forgetCodes } from '../data/identity/wrong-code-pauses';
import {
  addServiceAccount,
  listServiceAccounts,
  revokeServiceAccount,
  type ServiceAccount,
  type ServiceAccountFilter,
} from '../data/identity/service-accounts';
import {
  endIdentitySession,
  listSessions,
  type ListedSession,
  type SessionPage,
} from '../data/identity/people-sessions';
import { newInvitationLink } from '../notifications/mail/invitation-link';
import { invitationMail } from './mails';
import { INVITATION_DAYS } from './validity-of-codes-and-links';
import { isLocalAdmin, LOCAL_ADMIN, type DoorDependencies } from './settings';
import { shownName } from './shown-names';
import { countEvent } from './sign-in-events';
import { newServiceToken, tokenHash } from './tokens';

/** A change that cannot be made, with a sentence for the admin. */
export class PeopleError extends Error {
  override readonly name = 'PeopleError';
}

export interface NewServiceAccount {
  name: string;
  role: Role;
  operations: readonly string[];
  networks: readonly string[];
  expiresAt: Date;
  /** The name of the person who makes it, for the audit and for rules of approval. */
  createdBy: string;
  ownerId: string;
}

/** What a person made or holds, and what becomes of it while the person is suspended. */
export interface Holdings {
  /** Sessions of browsers, which end. */
  browsers: number;
  /** The machines with a login of the ops CLI, which sleeps. */
  machines: string[];
  /** Service accounts, which sleep. */
  accounts: string[];
  /** The addresses of open invitations, which sleep. */
  invitations: string[];
}

/** The name as the audit shows it, which names a person or service account in each entry. Throws without one. */
function neededName(text: string): string {
  const name = shownName(text);
  if (name === '') throw new PeopleError('Give a name: the audit shows it.');
  return name;
}

export class People {
  constructor(
    private readonly deps: Pick<DoorDependencies, 'pool' | 'mailer' | 'settings'>,
    private readonly connection: IdentityConnection = deps.pool,
  ) {}

  /** Runs the work with people whose changes are undone, and whose mails are not sent. Throws what the work throws. */
  async undone<Result>(work: (people: People) => Promise<Result>): Promise<Result> {
    const connection = new UndoneConnection(this.deps.pool);
    const mailer = { sendMail: () => Promise.resolve() };
    try {
      return await work(new People({ ...this.deps, mailer }, connection));
    } finally {
      await connection.undo();
    }
  }

  list(): Promise<StoredPerson[]> {
    return listPeople(this.connection);
  }

  /** The people and the open invitations that match all conditions. */
  listed(filter: PeopleFilter): Promise<ListedPerson[]> {
    return listPeopleAndInvitations(this.connection, filter);
  }

  /**
   * Invites a person by mail, for 7 days. Only the mail has the secret of its link. Another invitation of the same address replaces the first one. Throws if the address is a
   * person's or too many invitations were mailed, and `MailNotSent` if the mail server does not accept the mail: the invitation is then open, and can be repeated.
   */
  async invite(invitation: {
    email: string;
    name: string;
    role: Role;
    invitedBy: string;
    /** Null if no person invites, but the machine of the service. */
    inviterId: string | null;
  }): Promise<StoredInvitation> {
    const { connection: pool } = this;
    const { mailer, settings } = this.deps;
    const { email } = invitation;
    const name = neededName(invitation.name);
    if (await findPersonByEmail(pool, email)) throw new PeopleError(`${email} is already a person here.`);
    const { href, secretHash } = newInvitationLink(settings.origin);
    const stored = await storeInvitation(pool, { ...invitation, name, secretHash, days: INVITATION_DAYS });
    if (!stored) throw new PeopleError(`${TOO_MANY_INVITATIONS}: wait, then try again.`);
    await mailer.sendMail(invitationMail(settings, stored, href));
    return stored;
  }

  /** Invites the first admin if no operator exists. Repeats the invitation at each start until an operator has signed in. */
  async inviteFirstAdmin(email: string): Promise<void> {
    if ((await this.list()).length > 0) return;
    await this.invite({ email, name: email, role: 'admin', invitedBy: 'OPS_FIRST_ADMIN', inviterId: null });
  }

  /** Withdraws an open invitation. */
  async withdraw(email: string): Promise<void> {
    if (!(await withdrawInvitation(this.connection, email))) throw new PeopleError(`${email} has no open invitation.`);
  }

  /** Changes the role of a person. It applies to the next call. */
  async setRole(email: string, role: Role): Promise<void> {
    await this.demandChange(email, await setRole(this.connection, { email, role }, this.waysIn()));
  }

  /** Suspends a person: the next call is rejected, also of what the person made. It sleeps until the person is resumed. */
  async suspend(email: string): Promise<void> {
    await this.demandChange(email, await suspendPerson(this.connection, email, this.waysIn()));
  }

  /** Lets a suspended person sign in again, and wakes what the person made. */
  async resume(email: string): Promise<void> {
    await this.demandChange(email, await resumePerson(this.connection, email));
  }

  /**
   * The number of wrong codes of a day for the address, in browsers in which its person has never signed in. Throws if the address is
   * neither that of a person nor invited.
   */
  async wrongCodes(email: string): Promise<number> {
    const { connection } = this;
    if (!(await findPersonByEmail(connection, email)) && !(await isInvited(connection, email)))
      throw new PeopleError(`${email} is not a person here, and has no open invitation.`);
    return countWrongCodes(connection, email);
  }

  /** Forgets these wrong codes, and the codes of this hour: such browsers get codes again. Returns the number of wrong ones. Throws as `wrongCodes` does. */
  async unlock(email: string): Promise<number> {
    const wrong = await this.wrongCodes(email);
    await forgetCodes(this.connection, email);
    return wrong;
  }

  /** Removes the second factor of a person who has lost it, and ends all sessions. The next sign-in sets up another one. */
  async removeSecondFactor(email: string): Promise<void> {
    await this.demandChange(email, await removeSecondFactor(this.connection, email));
  }

  /** What ends and sleeps when the person is suspended. */
  async holdings(email: string): Promise<Holdings> {
    const { connection: pool } = this;
    const { settings } = this.deps;
    const { id } = await this.found(email);
    const sessions = await listSessions(pool, { personId: id, restMinutes: settings.restMinutes });
    const accounts = await listServiceAccounts(pool, { ownerId: id });
    return {
      browsers: sessions.filter(({ kind }) => kind === 'BROWSER').length,
      machines: sessions.flatMap(({ kind, machine }) => (kind === 'CLI' ? [machine ?? ''] : [])),
      accounts: accounts.flatMap(({ state, name }) => (['ACTIVE', 'ASLEEP'].includes(state) ? [name] : [])),
      invitations: await listInvitationsBy(pool, id),
    };
  }

  /** The sessions of a person, or of all people, that have not ended. */
  async sessions(email: string | undefined, page: SessionPage = {}): Promise<ListedSession[]> {
    const { connection: pool } = this;
    const { settings } = this.deps;
    const person = email === undefined ? undefined : await this.found(email);
    return listSessions(pool, { personId: person?.id ?? null, restMinutes: settings.restMinutes, ...page });
  }

  /** Ends a session. The operation audits it. */
  async endSession(id: string): Promise<void> {
    if (!(await endIdentitySession(this.connection, { id }))) throw new PeopleError(`There is no session ${id}.`);
    await countEvent({ pool: this.connection }, 'session.ended');
  }

  serviceAccounts(filter: ServiceAccountFilter = {}): Promise<ServiceAccount[]> {
    return listServiceAccounts(this.connection, filter);
  }

  /** Adds a service account. Returns its token, of which the database has the hash. */
  async addServiceAccount(account: NewServiceAccount): Promise<string> {
    if (account.expiresAt.getTime() < Date.now() + hour)
      throw new PeopleError('A service account is valid for at least an hour.');
    if (account.operations.length === 0)
      throw new PeopleError('A service account needs a list of the operations that it may use.');
    const token = newServiceToken();
    const { operations, networks } = account;
    const added = await addServiceAccount(this.connection, {
      ...account,
      name: neededName(account.name),
      operations: [...operations],
      networks: [...networks],
      tokenHash: tokenHash(token),
    });
    if (!added) throw new PeopleError(`There is a service account ${account.name}. Revoke it first.`);
    return token;
  }

  /** Revokes a service account: its next call is rejected. */
  async revokeServiceAccount(name: string): Promise<void> {
    if (!(await revokeServiceAccount(this.connection, name)))
      throw new PeopleError(`There is no service account ${name}.`);
  }

  /**
   * How many people of these roles can act now, up to 2. The local admin of a sandbox stands for everyone who works in its checkout, so
   * it counts as two.
   */
  async countActive(named: readonly Role[]): Promise<number> {
    const active = await listActive(this.connection, named, this.waysIn());
    return active.some(isLocalAdmin) ? 2 : Math.min(2, active.length);
  }

  private waysIn(): WaysIn {
    const { mode, provider } = this.deps.settings;
    return { hasProvider: provider !== undefined, withoutMailbox: mode === 'sandbox' ? null : LOCAL_ADMIN.email };
  }

  private async found(email: string): Promise<StoredPerson> {
    const person = await findPersonByEmail(this.connection, email);
    if (!person) throw new PeopleError(`${email} is not a person here.`);
    return person;
  }

  /** Throws why a statement has changed no row. */
  private async demandChange(email: string, isChanged: boolean): Promise<void> {
    if (isChanged) return;
    await this.found(email);
    throw new PeopleError(`${email} is the last admin. Make another person an admin first.`);
  }
}
