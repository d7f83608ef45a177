import { AuditList } from '../parts/audit-list';

/** Who did what: sensitive calls of clients, and changes by operators. */
export function AuditPage() {
  return <AuditList title="Entries" filters={['operator', 'client', 'object', 'command', 'since', 'until']} />;
}
