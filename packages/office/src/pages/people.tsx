import type { Values } from '../call';
import type { Row } from '../parts/cells';
import { inState, List } from '../parts/list';

const person = ({ email }: Row): Values => ({ email: String(email) });

/** The people who may sign in as operators, where they are signed in, and programs. */
export function PeoplePage() {
  return (
    <>
      <List
        title="People"
        operation="people list"
        filters={['state', 'role', 'search', 'sort']}
        nameOf={({ email }) => String(email)}
        actions={['people invite']}
        rowActions={[
          { operation: 'people set', given: person, fits: inState('ACTIVE', 'SUSPENDED') },
          { operation: 'people suspend', given: person, fits: inState('ACTIVE') },
          { operation: 'people resume', given: person, fits: inState('SUSPENDED') },
          { operation: 'people unlock', given: person, fits: inState('ACTIVE', 'INVITED') },
          { operation: 'people remove-second-factor', given: person, fits: ({ second_factor: has }) => has === true },
          { operation: 'people withdraw', given: person, fits: inState('INVITED') },
        ]}
      />
      <List
        title="Sessions"
        operation="sessions list"
        filters={['email', 'kind']}
        columns={['email', 'kind', 'machine', 'address', 'last_used_at', 'expires_at']}
        rowActions={[{ operation: 'sessions end', given: ({ id }) => ({ session: String(id) }) }]}
      />
      <List
        title="Service accounts"
        operation="service-accounts list"
        filters={['state', 'role', 'search']}
        columns={['name', 'role', 'operations', 'networks', 'expires_at', 'last_used_at', 'revoked_at']}
        actions={['service-accounts create']}
        rowActions={[
          {
            operation: 'service-accounts revoke',
            given: ({ name }) => ({ name: String(name) }),
            fits: ({ revoked_at: at }) => at === null,
          },
        ]}
      />
    </>
  );
}
