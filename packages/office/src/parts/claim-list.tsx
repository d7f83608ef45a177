/** Claims about delivered goods. docs/operators/claims.md. */
import type { Values } from '../call';
import { hrefOf } from '../route';
import { List } from './list';

const columns = [
  'id',
  'state',
  'kind',
  'client',
  'order_id',
  'unit',
  'product',
  'created_at',
  'due_at',
  'outcome',
];

interface ClaimListProps {
  title: string;
  given: Values;
  filters?: readonly string[];
}

/** The claims that match, each with a link to its page. */
export function ClaimList({ title, given, filters = [] }: ClaimListProps) {
  return (
    <List
      operation="claims list"
      {...{ title, given, filters, columns }}
      href={({ id }) => hrefOf('claims', Number(id))}
    />
  );
}
