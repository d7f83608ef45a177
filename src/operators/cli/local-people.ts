/** What the machine of the service does with admins, without the operators' process. Loads the sign-in, so import it lazily. */
import { loadIdentityConfig } from '../../settings/config';
import { recordOperation, type OperationEntry } from '../../data/audit/audit-entries';
import type { People } from '../../identity/people';
import { openOperatorsIdentity } from '../../identity/operators';
import { createLogger } from '../../process/log';
import { currentOperator, withDatabase } from './command-resources';

/** Invites an admin. A mail that the mail server rejects leaves no audit entry. */
export function inviteAdmin(email: string, name: string): Promise<void> {
  const after = { name, role: 'admin' };
  return audited({ action: 'person.invited', object: `person/${email}`, after }, async (people) => {
    await people.invite({ email, name, role: 'admin', invitedBy: currentOperator(), inviterId: null });
  });
}

/** Forgets the wrong codes for an admin. Throws if the address is not that of an admin. */
export function unlockAdmin(email: string): Promise<void> {
  return audited({ action: 'person.unlocked', object: `person/${email}` }, async (people) => {
    const admins = await people.listed({ role: 'admin' });
    if (!admins.some((admin) => admin.email === email.toLowerCase()))
      throw new Error(`${email} is no admin. An admin unlocks other people with: people unlock ${email}`);
    await people.unlock(email);
  });
}

/** Does the work within the transaction of its audit entry. */
async function audited(entry: OperationEntry, work: (people: People) => Promise<void>): Promise<void> {
  const config = loadIdentityConfig();
  const identity = await openOperatorsIdentity(config, { log: createLogger('operators', config.logLevel) });
  try {
    await withDatabase(config.databaseUrl, (database) =>
      database.transaction(async (transaction) => {
        await recordOperation(database, entry, transaction);
        await work(identity.people);
      }),
    );
  } finally {
    await identity.close();
  }
}
