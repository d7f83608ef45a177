import type { Amounts } from '../amounts';
import { payingCurrency, PRICED_AMOUNTS, pricesOf, type PricedAmount } from '../charges';
import { mayOrder, type FamilyView } from '../families';
import { money } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { offerOf, type Offer } from '../offer';
import { Facts, Figure, Progress, Row, Table } from '../../../parts/src/basics';
import { Picture } from '../parts/picture';
import { hrefOf } from '../route';
import type { Product, Session } from '../types';

/** A product: its picture, its terms, and its prices for this account. */
export function ProductPage({ family, id, session }: { family: FamilyView; id: number; session: Session }) {
  const offer = useLoaded(() => offerOf(family, id), `${family.feature} ${id}`);
  if (!offer.data) return <Progress of={offer} />;
  const { product } = offer.data;
  return (
    <>
      <section class="product" aria-labelledby="product">
        <Picture url={product.image_url ?? ''} width={240} height={150} />
        <div class="card">
          <h2 id="product">{product.name}</h2>
          <ProductFacts product={product} />
          {mayOrder(session, [family]) && (
            <p>
              <a href={hrefOf(`new/${family.feature}`, { product: product.id })}>Order it</a>
            </p>
          )}
        </div>
      </section>
      <Prices family={family} offer={offer.data} />
      <Texts product={product} />
    </>
  );
}

function ProductFacts({ product }: { product: Product }) {
  return (
    <Facts
      of={[
        ['ID', product.id],
        ['Country', product.country_code],
        ['Currency', product.currency_code],
        ['Category', [product.category, product.sub_category].filter(Boolean).join(', ')],
        ['Form', product.delivery_mode],
        ['Delivery', product.delivery_time],
        ['Valid for', product.validity],
        ['Type', product.topup_type],
        ['Your customer enters', (product.input_fields ?? []).map((field) => field.field_label).join(', ')],
      ]}
    />
  );
}

/** The texts of the issuer. They may contain markup, so the page shows them as plain text. */
function Texts({ product }: { product: Product }) {
  const texts = [
    ['About the product', product.details],
    ['How to use it', product.how_to_use],
    ['Terms', product.terms],
  ] as const;
  return (
    <>
      {texts.map(([title, text]) =>
        text ? (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <p class="text">{text}</p>
          </section>
        ) : null,
      )}
    </>
  );
}

/** The price of each amount, as an order from the default wallet would pay it. */
function Prices({ family, offer: { product, amounts } }: { family: FamilyView; offer: Offer }) {
  const least = amounts.range ? [{ amount: amounts.range.min }] : [];
  const offered: Amounts['fixed'] = [...amounts.fixed, ...least];
  const read = () => pricesOf(family, product, offered, { walletId: undefined });
  const prices = useLoaded(read, `${family.feature} ${product.id}`);
  const { range } = amounts;
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">Your prices</h2>
      {range && (
        <p>
          Any amount from {money(range.min, product.currency_code)} to {money(range.max, product.currency_code)}.
        </p>
      )}
      <Progress of={prices} />
      {prices.data && prices.data.length > 0 && (
        <Table
          caption="Prices"
          isCaptionHidden
          columns={['Amount', 'Discount', 'You pay']}
          numbers={['Discount', 'You pay']}
        >
          {prices.data.map((price) => (
            <PriceRow key={price.amount} family={family} product={product} price={price} />
          ))}
        </Table>
      )}
      {offered.length > PRICED_AMOUNTS && (
        <p class="quiet">The order form shows the prices of the other {offered.length - PRICED_AMOUNTS}.</p>
      )}
    </section>
  );
}

interface PriceRowProps {
  family: FamilyView;
  product: Product;
  price: PricedAmount;
}

function PriceRow({ family, product, price: { amount, name, charges, failure } }: PriceRowProps) {
  const listed = money(amount, product.currency_code);
  const discount = charges && charges.discount_amount > 0;
  return (
    <Row
      cells={[
        name === undefined ? <Figure>{listed}</Figure> : `${name}: ${listed}`,
        discount ? <Figure>{money(charges.discount_amount, product.currency_code)}</Figure> : 'none',
        charges ? (
          <Figure>{money(charges.total_payable, payingCurrency(family, charges))}</Figure>
        ) : (
          <span class="quiet">{failure}</span>
        ),
      ]}
    />
  );
}
