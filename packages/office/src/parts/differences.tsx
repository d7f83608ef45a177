import type { Values } from '../call';
import { List } from './list';

/** What the statements of suppliers and our purchases disagree about. */
export function Differences({ given }: { given: Values }) {
  return (
    <List
      title="Differences of the statements"
      operation="reconcile differences"
      given={given}
      filters={['supplier', 'kind', 'open', 'month'].filter((name) => !(name in given))}
      columns={['number', 'supplier', 'kind', 'orderId', 'at', 'detail', 'month', 'resolution']}
      more={['reference', 'foundAt', 'resolvedAt', 'resolvedBy', 'acceptedReason']}
      nameOf={({ number }) => String(number)}
      rowActions={[
        {
          operation: 'reconcile accept',
          given: ({ supplier: name, reference }) => ({ supplier: String(name), reference: [String(reference)] }),
          fits: ({ resolution }) => resolution === null,
        },
      ]}
      actions={['reconcile', 'settlements import']}
    />
  );
}
