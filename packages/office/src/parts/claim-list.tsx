/** Claims about delivered goods. docs/operators/claims.md. */
import type { Values } from '../call';
import { hrefOf } from '../route';
import { List } from './list';

/** The same for all claims of an order. */
const ofOrder = ['client', 'order_id', 'product'];
const columns = ['id', 'state', 'kind', ...ofOrder, 'unit', 'due_at', 'outcome', 'replacement_order_id'];
const more = ['created_at', 'closed_at', 'refund_number', 'supplier_credit', 'opened_by'];

interface ClaimListProps {
  title: string;
  given: Values;
  filters?: readonly string[];
  /** Operations above the list, about what it is given. */
  actions?: readonly string[];
  onChanged?: () => void;
}

/** The claims that match, each with a link to its page. */
export function ClaimList({ given, filters = [], ...shown }: ClaimListProps) {
  return (
    <List
      operation="claims list"
      {...shown}
      {...{ given, filters, more }}
      actionsGiven={given}
      columns={'order' in given ? columns.filter((name) => !ofOrder.includes(name)) : columns}
      href={({ id }) => hrefOf('claims', Number(id))}
    />
  );
}
