import { api } from '../api';
import { familyViews } from '../families';
import { money, type Amount } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { Empty, Figure } from '../../../parts/src/basics';
import { filterIn, type FilterField } from '../parts/filters';
import { List } from '../parts/list';
import { useRows } from '../parts/rows';
import { hrefOf, queryText } from '../route';
import type { Price, PricePart, Wallet } from '../types';

type Name = 'search' | 'wallet_id';

function fieldsOf(wallets: readonly Wallet[]): FilterField<Name>[] {
  const options = wallets.map(({ id, currency_code: currency }) => [String(id), `${currency} (${id})`] as const);
  return [
    { name: 'search', label: 'Product', isMain: true },
    { name: 'wallet_id', label: 'Paid from', hint: 'Any: the wallet that an order would use', options },
  ];
}

/** Every price that the account can order now. */
export function PricesPage({ query }: { query: URLSearchParams }) {
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  const fields = fieldsOf(wallets.data ?? []);
  const filter = filterIn(fields, query);
  const prices = useRows({
    path: '/api/prices',
    query: filter,
    by: 'after',
    itemsIn: (part: PricePart) => part.prices,
  });
  return (
    <List
      name="prices"
      caption="Prices of one unit"
      fields={fields}
      filter={filter}
      hrefOf={(chosen) => hrefOf('prices', chosen)}
      loaded={prices}
      items={prices.data ?? []}
      keyOf={keyOf}
      columns={columns}
      numbers={['Amount', 'Discount', 'You pay', 'Rate']}
      hidden={['Family', 'Rate']}
      empty={<Empty what="No price matches." />}
      file={`prices.csv?${queryText(filter)}`}
    />
  );
}

function keyOf({ family, product_id, variant_id, amount, min_amount, max_amount }: Price): string {
  return [family, product_id, variant_id, amount, min_amount, max_amount].join(' ');
}

const familyOf = ({ family }: Price) => familyViews.find((view) => view.family === family);

const columns = {
  Product: (price: Price) => (
    <a href={hrefOf(`products/${familyOf(price)?.feature}/${price.product_id}`)}>{price.product_name}</a>
  ),
  Family: (price: Price) => familyOf(price)?.one,
  Country: ({ country_code: country }: Price) => country,
  Amount: ({ amount, min_amount: min, max_amount: max, currency_code: currency }: Price) => (
    <Figure>{amountsText(amount === null ? [min, max] : [amount], currency)}</Figure>
  ),
  Discount: ({ discount }: Price) => (discount === 0 ? '' : `${discount} %`),
  'You pay': ({ amount, payable_currency: currency, ...price }: Price) =>
    currency === null ? (
      <span class="quiet">No wallet can pay it</span>
    ) : (
      <Figure>
        {amountsText(amount === null ? [price.min_payable, price.max_payable] : [price.total_payable], currency)}
      </Figure>
    ),
  Rate: ({ forex_rate: rate }: Price) => rate,
};

/** The fixed amount or the bounds; a dash for each that has no price. */
function amountsText(amounts: readonly (Amount | null)[], currency: string): string {
  return [...new Set(amounts)].map((each) => (each === null ? '-' : money(each, currency))).join(' to ');
}
