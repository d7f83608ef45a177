import { identityTables } from '../identity-tables';
import { triggerFunctions, type InTransaction } from './migration';

/** The people who sign in: operators, and members of clients. Each door has a schema that only its sign-in may read. */
export const people: InTransaction = {
  name: '0012-people-and-members',
  sql:
    triggerFunctions('limit_invitations') + identityTables('identity_operators') + identityTables('identity_members'),
};
