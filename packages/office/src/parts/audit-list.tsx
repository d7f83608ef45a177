import type { Values } from '../call';
import { List } from './list';

/** Entries of the audit, the newest first. */
export function AuditList({
  title,
  given,
  filters,
  isFolded,
}: {
  title: string;
  given?: Values;
  filters: readonly string[];
  isFolded?: true;
}) {
  return (
    <List
      title={title}
      operation="audit list"
      given={given ?? {}}
      {...(isFolded && { isFolded })}
      filters={filters}
      columns={['at', 'what', 'object', 'changed', 'reason', given ? 'member' : 'client']}
      more={['action', 'operator', 'command', 'before', 'after', 'moved', 'door', 'api_key', 'address', 'request_id']}
    />
  );
}
