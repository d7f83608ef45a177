import { api, send } from '../api';
import { familyViews } from '../families';
import { money, type Amount } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { Figure, Progress, Row, Table } from '../../../parts/src/basics';
import { filterIn, Filters, type FilterField } from '../parts/filters';
import { hrefOf, queryText } from '../route';
import type { Price, PricePart, Wallet } from '../types';

const PER_PAGE = 50;

type Name = 'search' | 'wallet_id';

function fieldsOf(wallets: readonly Wallet[]): FilterField<Name>[] {
  const options = wallets.map(
    ({ id, currency_code: currency }) => [String(id), `${currency} (${id})`] as const,
  );
  return [
    { name: 'search', label: 'Product', hint: 'A part of its name' },
    { name: 'wallet_id', label: 'Paid from', hint: 'Any: the wallet that an order would use', options },
  ];
}

/** Every price that the account can order now. */
export function PricesPage({ query }: { query: URLSearchParams }) {
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  const fields = fieldsOf(wallets.data ?? []);
  const filter = filterIn(fields, query);
  const after = query.get('after') ?? '';
  const path = `/api/prices?${queryText({ ...filter, after, limit: PER_PAGE })}`;
  const prices = useLoaded(() => send<PricePart>(path), path);
  const next = prices.data?.next ?? null;
  return (
    <>
      <Filters
        fields={fields}
        filter={filter}
        hrefOf={(chosen) => hrefOf('prices', chosen)}
        rejection={prices.rejection}
      />
      <Progress of={prices} />
      {prices.data && <PriceTable prices={prices.data.prices} />}
      <nav class="buttons" aria-label="Pages of prices">
        {after !== '' && <a href={hrefOf('prices', filter)}>First</a>}
        {next !== null && <a href={hrefOf('prices', { ...filter, after: next })}>Next</a>}
        <a href={`/console/api/prices.csv?${queryText(filter)}`} download>
          Export as CSV
        </a>
      </nav>
    </>
  );
}

function PriceTable({ prices }: { prices: readonly Price[] }) {
  return (
    <Table
      caption="Prices of one unit"
      columns={['Product', 'Country', 'Amount', 'Discount', 'You pay']}
      numbers={['Amount', 'Discount', 'You pay']}
    >
      {prices.map((price) => (
        <Row key={keyOf(price)} cells={cellsOf(price)} />
      ))}
    </Table>
  );
}

function keyOf({ family, product_id, variant_id, amount, min_amount, max_amount }: Price): string {
  return [family, product_id, variant_id, amount, min_amount, max_amount].join(' ');
}

function cellsOf(price: Price) {
  const { family, amount, min_amount, max_amount, currency_code: currency, payable_currency: paid } = price;
  const feature = familyViews.find((view) => view.family === family)?.feature ?? '';
  const isFixed = amount !== null;
  const amounts = isFixed ? [amount] : [min_amount, max_amount];
  const payables = isFixed ? [price.total_payable] : [price.min_payable, price.max_payable];
  return [
    <a href={hrefOf(`products/${feature}/${price.product_id}`)}>{price.product_name}</a>,
    price.country_code,
    <Figure>{amountsText(amounts, currency)}</Figure>,
    price.discount === 0 ? '' : `${price.discount} %`,
    <Figure>{amountsText(payables, paid)}</Figure>,
  ];
}

/** The fixed amount or the bounds; a dash for each that has no price. */
function amountsText(amounts: readonly (Amount | null)[], currency: string | null): string {
  return amounts
    .map((each) => (each === null || currency === null ? '-' : money(each, currency)))
    .join(' to ');
}
