import { List } from '../parts/list';

/** Who did what: sensitive calls of clients, and changes by operators. */
export function AuditPage() {
  return (
    <List
      title="Entries"
      operation="audit list"
      filters={['operator', 'client', 'object', 'command', 'since', 'until']}
      columns={[
        ...[
          'at',
          'action',
          'object',
          'operator',
          'door',
          'command',
          'reason',
          'client',
          'api_key',
          'address',
        ],
        ...['before', 'after', 'moved'],
      ]}
    />
  );
}
