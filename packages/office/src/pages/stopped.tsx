/** What is not sold at present, because a person has stopped it: sales, and suppliers that are avoided. */
import { useState } from 'preact/hooks';
import { Progress } from '../../../parts/src/basics';
import type { Values } from '../call';
import { featureOf } from '../families';
import { useOperation } from '../office';
import type { Row } from '../parts/cells';
import { List, Rows } from '../parts/list';
import { useReading } from '../reading';
import { hrefOf } from '../route';

/** The arguments that name what a stop covers. */
function scopeOf({ family, product_id: product, scope, ...row }: Row): Values {
  const named = ['variant', 'denomination', 'subcategory', 'country'].flatMap((name) => {
    const value = row[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
  });
  return {
    ...(typeof family === 'string' && { family: featureOf(family) }),
    ...(typeof product === 'number' && scope !== 'VARIANT' && { product }),
    ...Object.fromEntries(named),
    hold: true,
  };
}

/** The page about the product that a stop names. */
const productOf = ({ family, product_id: product }: Row): string | undefined =>
  typeof family === 'string' && typeof product === 'number'
    ? hrefOf('catalogue', 'products', featureOf(family), product)
    : undefined;

export function StoppedPage() {
  return (
    <>
      <List
        title="Stopped sales"
        operation="products stopped"
        columns={['what', 'reason', 'since', 'stopped_by', 'open_orders', 'unsent', 'held']}
        href={productOf}
        rowActions={[
          { operation: 'products resume', given: ({ id }) => ({ stop: Number(id) }) },
          {
            operation: 'products stop',
            label: 'Hold its orders',
            given: scopeOf,
            fits: ({ unsent }) => Number(unsent) > 0,
          },
        ]}
        actions={['products stop']}
      >
        <p class="quiet">
          Clients get the answers of a product without stock. Open orders go on; those of which nothing was sent can be
          held.
        </p>
      </List>
      {useOperation('suppliers list') && <PausedSuppliers />}
    </>
  );
}

function PausedSuppliers() {
  const [changes, setChanges] = useState(0);
  const suppliers = useReading<readonly Row[]>('suppliers list', {}, { version: changes });
  return (
    <section aria-labelledby="paused">
      <h2 id="paused">Paused suppliers</h2>
      <Progress of={suppliers} />
      {suppliers.data && (
        <Rows
          title="Paused suppliers"
          rows={suppliers.data.filter(({ paused }) => Array.isArray(paused) && paused.length > 0)}
          columns={['supplier', 'paused']}
          nameOf={({ supplier }) => String(supplier)}
          href={({ supplier }) => hrefOf('suppliers', String(supplier))}
          rowActions={[{ operation: 'suppliers resume', given: ({ supplier }) => ({ name: String(supplier) }) }]}
          changed={() => setChanges(changes + 1)}
        />
      )}
    </section>
  );
}
