import type { IdentitySchema } from '../../identity/identity-pool';
import type { InTransaction } from './migration';

/**
 * Names the person who made each service account and each invitation by id. An existing account gets the only person with the name that
 * made it, also through accounts that made accounts. Without such a person, or with several, it has no owner.
 * docs/decisions/0079-let-credentials-follow-their-maker.md.
 */
export const owners: InTransaction = {
  name: '0019-owners-of-service-accounts',
  sql: ownersIn('identity_operators') + ownersIn('identity_members'),
};

function ownersIn(schema: IdentitySchema): string {
  return `
ALTER TABLE ${schema}.service_accounts ADD COLUMN owner_id text REFERENCES ${schema}."user" ON DELETE CASCADE;
-- Null: the machine of the service or a client has invited.
ALTER TABLE ${schema}.invitations ADD COLUMN inviter_id text REFERENCES ${schema}."user" ON DELETE CASCADE;

WITH RECURSIVE chain AS (
  SELECT id, created_by AS maker, ARRAY[id] AS path FROM ${schema}.service_accounts
  UNION ALL
  SELECT chain.id, account.created_by, chain.path || account.id
    FROM chain JOIN ${schema}.service_accounts account ON account.name = chain.maker AND account.id <> ALL (chain.path)),
found AS (
  SELECT chain.id, min(person.id) AS owner_id
    FROM chain JOIN ${schema}."user" person ON person.name = chain.maker
   GROUP BY chain.id HAVING count(DISTINCT person.id) = 1)
UPDATE ${schema}.service_accounts account SET owner_id = found.owner_id FROM found WHERE found.id = account.id;
`;
}
