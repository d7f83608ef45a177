/** Invites an admin without the operators' process. Loads the sign-in, so import it lazily. */
import { loadIdentityConfig } from '../settings/config';
import { recordOperation } from '../data/audit/audit';
import { openOperatorsIdentity } from '../identity/operators';
import { createLogger } from '../process/log';
import { withDatabaseAt } from './command-resources';

/** Sends the email within the transaction of the audit entry, so that a rejected email leaves none. */
export async function inviteAdmin(email: string, name: string): Promise<void> {
  const config = loadIdentityConfig();
  const identity = await openOperatorsIdentity(config, { log: createLogger('operators', config.logLevel) });
  const entry = {
    action: 'person.invited',
    object: `person/${email}`,
    after: { name, role: 'admin' },
  } as const;
  try {
    await withDatabaseAt(config.databaseUrl, (database) =>
      database.transaction(async (transaction) => {
        await recordOperation(database, entry, transaction);
        await identity.people.invite({
          email,
          name,
          role: 'admin',
          invitedBy: 'invite-admin',
          inviterId: null,
        });
      }),
    );
  } finally {
    await identity.close();
  }
}
