/** Products, sources, prices, and the offers that wait for a decision. */
import { useId, useState } from 'preact/hooks';
import { Facts, Progress, Row as TableRow, Status, Table } from '../../../parts/src/basics';
import { words } from '../../../parts/src/format';
import { usePageName } from '../../../parts/src/frame';
import type { Values } from '../call';
import { featureOf } from '../families';
import { AuditList } from '../parts/audit-list';
import { Cell, factsOf, isRows, type Row } from '../parts/cells';
import { Do } from '../parts/do';
import { inState, List, Rows, type RowAction } from '../parts/list';
import { useReading } from '../reading';
import { hrefOf } from '../route';

/** An offer that is gone or cannot be sold can become the source of nothing. */
const ofOffer: readonly RowAction[] = [
  { operation: 'catalogue accept', given: ({ id }) => ({ offer: [String(id)] }), fits: inState('new', 'changed') },
  {
    operation: 'catalogue map',
    given: ({ id }) => ({ offer: Number(id) }),
    fits: (row) => !inState('gone', 'unsellable')(row),
  },
];

const pairOf = ({ source, destination }: Row): Values => ({
  product_currency: String(source),
  wallet_currency: String(destination),
});

const ofRate: readonly RowAction[] = [
  {
    operation: 'rates accept',
    given: (row) => ({ ...pairOf(row), rate: String(row['held_rate']) }),
    fits: ({ held_rate: held }) => held !== null,
  },
  { operation: 'rates set', given: pairOf },
  { operation: 'rates follow', given: pairOf },
  { operation: 'rates unfollow', given: pairOf, fits: ({ spread_percent: spread }) => spread !== null },
  { operation: 'rates remove', given: pairOf },
];

const offerColumns = ['id', 'state', 'supplier', 'family', 'sku', 'name', 'reason', 'since'];

const rule = ({ family, product_id: product, client_id: client, client_group: group }: Row): Values => ({
  family: featureOf(String(family)),
  ...(typeof product === 'number' && { product }),
  ...(typeof client === 'number' && { client: String(client) }),
  ...(typeof group === 'string' && { group }),
});

export function CataloguePage() {
  return (
    <>
      <List
        title="Offers to decide"
        operation="catalogue review"
        filters={['supplier', 'state', 'family']}
        columns={offerColumns}
        href={({ id }) => hrefOf('catalogue', 'offers', Number(id))}
        rowActions={ofOffer}
        actions={['catalogue sync']}
      />
      <List
        title="List prices of eSIM plans to decide"
        operation="catalogue plans"
        nameOf={({ variant }) => String(variant)}
        filters={['supplier']}
        rowActions={[{ operation: 'catalogue accept-plan', given: ({ variant }) => ({ variant: [String(variant)] }) }]}
      />
      <List
        title="Products"
        operation="products list"
        filters={['search', 'family', 'supplier', 'active']}
        columns={['name', 'family', 'id', 'country', 'currency', 'suppliers', 'active', 'state']}
        nameOf={({ family, id }) => `${featureOf(String(family))}/${String(id)}`}
        href={({ family, id }) => hrefOf('catalogue', 'products', featureOf(String(family)), Number(id))}
        actions={['catalogue import', 'catalogue export', 'stock refresh', 'routes explain']}
      />
      <List
        title="Margins"
        operation="margins list"
        filters={['client', 'group', 'family', 'product']}
        columns={['clients', 'family', 'product_name', 'markup_percent', 'min_margin_percent']}
        actions={['margins set']}
        rowActions={[
          { operation: 'margins set', given: rule },
          { operation: 'margins clear', given: rule },
        ]}
      />
      <List
        title="Rates and fees"
        operation="rates list"
        filters={['currency']}
        rowActions={ofRate}
        nameOf={({ source, destination }) => `${String(source)}/${String(destination)}`}
        actions={['rates refresh', 'rates set', 'fees set']}
      />
      <List
        title="Reference rates"
        operation="rates reference list"
        filters={['currency']}
        actions={['rates reference set', 'rates reference import', 'rates reference remove']}
      />
    </>
  );
}

interface ProductReport {
  family: string;
  id: number;
  name: string;
  state: string;
  fields: Row;
  items: Row[];
}

/** The denominations of a voucher are those of the one product, so its id tells nothing. */
function itemsOf(family: string, items: readonly Row[]): readonly Row[] {
  return family === 'vouchers' ? items.map(({ item: _, ...others }) => others) : items;
}

export function ProductPage({ family, id }: { family: string; id: number }) {
  const [changes, setChanges] = useState(0);
  const product = useReading<ProductReport>('products show', { family, product: id }, { version: changes });
  const { data } = product;
  usePageName(data?.name);
  const source = ({ item_id: item, supplier, sku }: Row): Values => ({
    family,
    item: Number(item),
    supplier: String(supplier),
    sku: String(sku),
  });
  if (!data) return <Progress of={product} />;
  const changed = () => setChanges((before) => before + 1);
  return (
    <>
      <section aria-label="Product">
        <div class="card">
          <Facts
            of={[
              ['ID', id],
              ['State', data.state === STOPPED ? <a href={hrefOf('stopped')}>Stopped</a> : data.state],
              ...factsOf(inSequence(data.fields)),
              ['Asks for', fieldLabels(data.fields['input_fields'])],
            ]}
          />
          <details class="more">
            <summary>All data</summary>
            <Facts of={factsOf(data.fields)} />
          </details>
        </div>
        <ProductActions {...{ family, id }} isStopped={data.state === STOPPED} changed={changed} />
      </section>
      <section aria-labelledby="items">
        <h2 id="items">{family === 'vouchers' ? 'Denominations' : 'Variants'}</h2>
        <Rows
          title="Items"
          rows={itemsOf(family, data.items)}
          rowActions={[{ operation: 'products stop', given: (row) => ({ family, ...partOf(id, row) }) }]}
          changed={changed}
        />
      </section>
      <List
        title="Sources"
        operation="sources list"
        given={{ family, product: id }}
        columns={['item', 'supplier', 'sku', 'priority', 'cost_percent', 'cost_fixed', 'currency', 'stock', 'state']}
        more={['id', 'item_id', 'fee', 'charged', 'amounts']}
        rowActions={[{ operation: 'sources set', label: 'Change', given: source }]}
        actions={['sources set']}
        actionsGiven={{ family }}
        version={changes}
        onChanged={changed}
      />
      <AuditList
        title="Who changed it"
        given={{ family, product: id }}
        filters={['operator', 'since', 'until']}
        isFolded
      />
    </>
  );
}

interface ProductActionsProps {
  family: string;
  id: number;
  isStopped: boolean;
  changed: () => void;
}

function ProductActions({ family, id, isStopped, changed }: ProductActionsProps) {
  const given = { family, product: id };
  return (
    <div class="buttons">
      <Do operation="routes explain" given={given} />
      <Do operation="discounts set" given={given} />
      <Do operation="blacklist add" given={given} label="Hide from a client" />
      {!isStopped && <Do operation="products stop" given={given} label="Stop selling" done={changed} />}
    </div>
  );
}

/** The state of a product that operators have stopped. */
const STOPPED = 'stopped';

/** The arguments that name a denomination or a variant of the product. The amounts of a denomination begin with its lower end. */
function partOf(product: number, { item, amounts }: Row): Values {
  if (typeof item === 'number') return { variant: item };
  return { product, denomination: /^[\d.]+/.exec(String(amounts))?.[0] ?? '' };
}

/** The fields of a product in this sequence; then all others. The headings have its id and its name. */
const firstFields = [
  'active',
  'supplier',
  'supplier_sku',
  'country_code',
  'currency_code',
  'delivery_mode',
  'delivery_time',
  'validity',
  'redeemable',
  'gst_percent',
];

/** Those that tell a person nothing, or that the page shows otherwise. */
const unshown = ['id', 'name', 'image_url', 'category_id', 'subcategory_id', 'input_fields', 'hydrated_at'];

function inSequence(fields: Row): Row {
  const names = [...new Set([...firstFields, ...Object.keys(fields)])].filter((name) => !unshown.includes(name));
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** What an order of the product asks for, such as the number of a phone. */
function fieldLabels(fields: unknown): string {
  return isRows(fields) ? fields.map(({ field_label: label }) => String(label)).join(', ') : '';
}

interface Comparison {
  offer: number;
  supplier: string;
  terms: { family: string; sku: string; name: string };
  /** Null if the offer needs no decision. */
  state: string | null;
  reason: string | null;
  changes: { source: number; field: string; now: unknown; offered: unknown }[];
  margins_now: Row[];
  margins_offered: Row[];
}

/** An offer next to what is sold now, with the margins that result. */
export function OfferPage({ offer: id }: { offer: number }) {
  const [changes, setChanges] = useState(0);
  const comparison = useReading<Comparison>('catalogue compare', { offer: id }, { version: changes });
  const { data } = comparison;
  usePageName(data?.terms.name);
  if (!data) return <Progress of={comparison} />;
  const changed = () => setChanges(changes + 1);
  return (
    <>
      <div class="card">
        <Facts
          of={[
            ['State', data.state === null ? 'Nothing to decide' : <Status of={data.state} />],
            ['Supplier', <a href={hrefOf('suppliers', data.supplier)}>{data.supplier}</a>],
            ['Family', words(data.terms.family)],
            ['SKU', data.terms.sku],
            ['Why', data.reason],
          ]}
        />
        <div class="buttons">
          {ofOffer
            .filter(({ fits }) => fits?.({ state: data.state }) ?? true)
            .map(({ operation, given }) => (
              <Do key={operation} operation={operation} given={given({ id })} done={changed} />
            ))}
        </div>
      </div>
      <Table caption="What changes" columns={['Source', 'Field', 'Now', 'Offered']}>
        {data.changes.map(({ source, field, now, offered }) => (
          <TableRow
            key={`${source} ${field}`}
            cells={[
              source,
              field,
              <Cell name="now" value={now} row={{}} />,
              <Cell name="offered" value={offered} row={{}} />,
            ]}
          />
        ))}
      </Table>
      <Margins title="Margins now" rows={data.margins_now} />
      <Margins title="Margins if it is accepted" rows={data.margins_offered} />
    </>
  );
}

function Margins({ title, rows: margins }: { title: string; rows: readonly Row[] }) {
  const rows = margins.map(({ margin, ...row }) => ({ ...row, margin_percent: margin }));
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <Rows title={title} rows={rows} changed={() => undefined} />
    </section>
  );
}
