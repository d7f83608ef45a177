import type { Values } from '../call';
import type { Row } from '../parts/cells';
import { List } from '../parts/list';

const person = ({ email }: Row): Values => ({ email: String(email) });
const inState =
  (wanted: string) =>
  ({ state }: Row) =>
    state === wanted;

/** Everybody who may sign in as an operator, where they are signed in, and programs. */
export function PeoplePage() {
  return (
    <>
      <List
        title="People"
        operation="people list"
        actions={['people invite']}
        rowActions={[
          {
            operation: 'people set',
            label: 'Change the role',
            given: person,
            fits: ({ state }) => state !== 'INVITED',
          },
          { operation: 'people suspend', label: 'Suspend', given: person, fits: inState('ACTIVE') },
          { operation: 'people resume', label: 'Resume', given: person, fits: inState('SUSPENDED') },
          {
            operation: 'people remove-second-factor',
            label: 'Remove the second factor',
            given: person,
            fits: ({ second_factor: has }) => has === true,
          },
          { operation: 'people withdraw', label: 'Withdraw', given: person, fits: inState('INVITED') },
        ]}
      />
      <List
        title="Sessions"
        operation="sessions list"
        rowActions={[
          { operation: 'sessions end', label: 'End', given: ({ id }) => ({ session: String(id) }) },
        ]}
      />
      <List
        title="Service accounts"
        operation="service-accounts list"
        actions={['service-accounts create']}
        rowActions={[
          {
            operation: 'service-accounts revoke',
            label: 'Revoke',
            given: ({ name }) => ({ name: String(name) }),
            fits: ({ revoked_at: at }) => at === null,
          },
        ]}
      />
    </>
  );
}
