import { useState } from 'preact/hooks';
import { api, list } from '../api';
import { familiesOf, type FamilyView } from '../families';
import { useLive, withBalances } from '../live';
import { Progress, Tabs } from '../../../parts/src/basics';
import { Field } from '../../../parts/src/form';
import { OrderForm } from '../parts/order-form';
import { Picture } from '../parts/picture';
import { hrefOf } from '../route';
import { useLoaded } from '../../../parts/src/loading';
import type { Product, Session, Wallet } from '../types';

const MAX_PRODUCTS = 100;

interface NewOrderProps {
  family: FamilyView;
  session: Session;
  /** `product`: the product that is chosen at first. */
  query: URLSearchParams;
}

/** Places an order in three clicks: product, amount, order at the shown price. */
export function NewOrderPage({ family, session, query }: NewOrderProps) {
  const live = useLive();
  const [search, setSearch] = useState('');
  const asked = Number(query.get('product'));
  const [chosen, setChosen] = useState({ feature: family.feature, id: asked });
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  const path = `${family.products}?${new URLSearchParams({ limit: String(MAX_PRODUCTS), search })}`;
  const products = useLoaded(() => list<Product>(path), path);
  const chosenId = chosen.feature === family.feature && chosen.id > 0 ? chosen.id : undefined;
  return (
    <>
      <Tabs
        label="Families"
        tabs={familiesOf(session).map(({ feature, name }) => ({
          name,
          href: hrefOf(`new/${feature}`),
          isCurrent: feature === family.feature,
        }))}
      />
      <div class="two">
        <section aria-labelledby="products">
          <h2 id="products">1. Product</h2>
          <Field label="Search by name">
            {(ids) => (
              <input {...ids} type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
            )}
          </Field>
          <Progress of={products} />
          {products.data?.items.length === 0 && <p>No product matches.</p>}
          <ul class="products">
            {(products.data?.items ?? []).map((product) => (
              <li key={product.id}>
                <button
                  type="button"
                  aria-pressed={product.id === chosenId}
                  onClick={() => setChosen({ feature: family.feature, id: product.id })}
                >
                  <Picture url={product.image_url ?? ''} width={48} height={30} />
                  <strong>{product.name}</strong>
                  <span>
                    {product.country_code} · {product.currency_code}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="amount">
          <h2 id="amount">2. Amount</h2>
          {chosenId !== undefined && wallets.data ? (
            <OrderForm
              key={`${family.feature} ${chosenId}`}
              family={family}
              productId={chosenId}
              wallets={withBalances(wallets.data, live)}
            />
          ) : chosenId !== undefined ? (
            <Progress of={wallets} />
          ) : (
            <p class="quiet">Choose a product first.</p>
          )}
        </section>
      </div>
    </>
  );
}
