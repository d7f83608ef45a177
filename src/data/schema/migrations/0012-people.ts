import { identityTables } from '../identity-tables';
import type { InTransaction } from './migration';

/** The people who work through the operators' process, in a schema that only its sign-in may read. */
export const people: InTransaction = {
  name: '0012-people',
  sql: identityTables('identity_operators'),
};
