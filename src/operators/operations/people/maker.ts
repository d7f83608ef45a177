import type { Context } from '../context';

/**
 * The id of the person who makes what the operation adds, and with whom it sleeps. Of the people behind the local admin of a sandbox, it is
 * the admin. Throws for a service account, which makes nothing that lets others in.
 */
export function makerOf({ account }: Pick<Context, 'account'>): string {
  const [personId] = account.id.split('/');
  if (account.isService || personId === undefined) throw new Error('A service account gives no one access');
  return personId;
}
