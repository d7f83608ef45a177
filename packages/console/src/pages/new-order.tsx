import { useState } from 'preact/hooks';
import { api, list } from '../api';
import { familyViews, type FamilyView } from '../families';
import { Failure, Field, Loading, Tabs } from '../parts/basics';
import { OrderForm } from '../parts/order-form';
import { hrefOf } from '../route';
import { useLoaded } from '../loading';
import type { Product, Session, Wallet } from '../types';

const MAX_PRODUCTS = 100;

/** Places an order in three clicks: product, amount, order at the shown price. */
export function NewOrderPage({ family, session }: { family: FamilyView; session: Session }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Product>();
  const wallets = useLoaded(() => api<Wallet[]>('/wallets'), 'wallets');
  const path = `${family.products}?${new URLSearchParams({ limit: String(MAX_PRODUCTS), search })}`;
  const products = useLoaded(() => list<Product>(path), path);
  const families = familyViews.filter(({ feature }) => session.features.includes(feature));
  const isOfFamily = products.data?.items.some(({ id }) => id === chosen?.id);
  return (
    <>
      <Tabs
        label="Families"
        tabs={families.map(({ feature, name }) => ({
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
              <input
                {...ids}
                type="search"
                value={search}
                onInput={(event) => setSearch(event.currentTarget.value)}
              />
            )}
          </Field>
          <Failure text={products.failure} />
          {!products.data && !products.failure && <Loading />}
          <ul class="products">
            {(products.data?.items ?? []).map((product) => (
              <li key={product.id}>
                <button
                  type="button"
                  aria-pressed={product.id === chosen?.id}
                  onClick={() => setChosen(product)}
                >
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
          {chosen && isOfFamily ? (
            <OrderForm
              key={`${family.feature} ${chosen.id}`}
              family={family}
              listed={chosen}
              wallets={wallets.data ?? []}
            />
          ) : (
            <p class="quiet">Choose a product first.</p>
          )}
        </section>
      </div>
    </>
  );
}
