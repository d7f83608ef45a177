import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ApiError } from '../api';
import type { FamilyView } from '../families';
import { money } from '../format';
import { useLoaded } from '../loading';
import { amountsOf, type Amounts } from '../amounts';
import { go, hrefOf } from '../route';
import type { Charges, InputField, Order, Product, Variant, Wallet } from '../types';
import { Action, Facts, Failure, Field, Loading } from './basics';

interface OrderFormProps {
  family: FamilyView;
  listed: Product;
  wallets: readonly Wallet[];
}

/** The form of an order: its fields, its price, and the button that places it. */
export function OrderForm({ family, listed, wallets }: OrderFormProps) {
  const offer = useLoaded(() => offerOf(family, listed.id), String(listed.id));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="card">
      <h3 ref={heading} tabIndex={-1}>
        {listed.name}
      </h3>
      <Failure text={offer.failure} />
      {offer.data ? (
        <Choices family={family} wallets={wallets} {...offer.data} />
      ) : (
        !offer.failure && <Loading />
      )}
    </div>
  );
}

interface Offer {
  product: Product;
  amounts: Amounts;
}

/** Reads a product and its amounts. */
async function offerOf({ feature, products }: FamilyView, id: number): Promise<Offer> {
  const product = await api<Product>(`${products}/${id}`);
  const variants =
    feature === 'topups' ? await api<Variant[]>(`${products}/${id}/variants`) : (product.variants ?? []);
  return { product, amounts: amountsOf(product, variants) };
}

interface Choice {
  amount: number | undefined;
  quantity: number;
  walletId: number | undefined;
}

function Choices({ family, wallets, product, amounts }: Offer & Omit<OrderFormProps, 'listed'>) {
  const [choice, setChoice] = useState<Choice>({ amount: undefined, quantity: 1, walletId: undefined });
  const [input, setInput] = useState<Record<string, string>>({});
  const [reference, setReference] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<Choice>) => setChoice((before) => ({ ...before, ...part }));
  const charges = useCharges(family, product, choice);
  const place = usePlacing(family);
  const order = async () => {
    if (form.current?.reportValidity() === false) return;
    await place(bodyOf(family, product, choice, input, reference));
  };
  return (
    <form ref={form} onSubmit={(event) => event.preventDefault()}>
      <AmountChoice amounts={amounts} currency={product.currency_code} choice={choice} change={change} />
      {family.feature === 'vouchers' && (
        <Field label="Quantity" hint={charges.data ? `At most ${charges.data.max_quantity}` : undefined}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={1}
              max={charges.data?.max_quantity}
              value={choice.quantity}
              onInput={(event) => change({ quantity: Number(event.currentTarget.value) })}
            />
          )}
        </Field>
      )}
      {(product.input_fields ?? []).map((field) => (
        <InputOf
          key={field.field_name}
          field={field}
          value={input[field.field_name] ?? ''}
          change={(value) => setInput((before) => ({ ...before, [field.field_name]: value }))}
        />
      ))}
      <Field label="Pay from">
        {(ids) => (
          <select
            {...ids}
            value={choice.walletId ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ walletId: value === '' ? undefined : Number(value) })
            }
          >
            <option value="">The wallet in {product.currency_code}, else the default</option>
            {wallets.map(({ id, currency_code: currency }) => (
              <option key={id} value={id}>
                {currency}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Client reference (optional)">
        {(ids) => (
          <input
            {...ids}
            maxLength={255}
            value={reference}
            onInput={(event) => setReference(event.currentTarget.value)}
          />
        )}
      </Field>
      <h3>3. Order</h3>
      <Failure text={charges.failure} />
      {charges.data ? (
        <>
          <Price charges={charges.data} currency={product.currency_code} />
          <Action kind="primary" run={order}>
            Order for {money(charges.data.total_payable, payerOf(family, charges.data))}
          </Action>
        </>
      ) : (
        <p class="quiet">{choice.amount === undefined ? 'Choose an amount to see its price.' : ''}</p>
      )}
    </form>
  );
}

interface AmountChoiceProps {
  amounts: Amounts;
  currency: string;
  choice: Choice;
  change: (part: Partial<Choice>) => void;
}

/** Fixed amounts as buttons, a range as a number field. */
function AmountChoice({ amounts: { fixed, range }, currency, choice, change }: AmountChoiceProps) {
  return (
    <fieldset>
      <legend>Amount</legend>
      <div class="buttons">
        {fixed.map(({ amount, name }) => (
          <button
            key={amount}
            type="button"
            aria-pressed={choice.amount === amount}
            onClick={() => change({ amount })}
          >
            {name ?? money(amount, currency)}
          </button>
        ))}
      </div>
      {range && (
        <Field
          label={`Any amount (${currency})`}
          hint={`From ${money(range.min, currency)} to ${money(range.max, currency)}`}
        >
          {(ids) => (
            <input
              {...ids}
              type="number"
              step="any"
              min={range.min}
              max={range.max}
              onChange={({ currentTarget: { value } }) =>
                change({ amount: value === '' ? undefined : Number(value) })
              }
            />
          )}
        </Field>
      )}
    </fieldset>
  );
}

interface InputProps {
  field: InputField;
  value: string;
  change: (value: string) => void;
}

/** A field of a top-up's `input_data`. The service validates it again. */
function InputOf({ field, value, change }: InputProps) {
  const { field_label: label, is_required: isRequired, options = [] } = field;
  const modes = { number: 'decimal', phone: 'tel', text: 'text', select: 'none' } as const;
  return (
    <Field label={isRequired ? label : `${label} (optional)`} hint={field.help_text}>
      {(ids) =>
        field.field_type === 'select' ? (
          <select
            {...ids}
            required={isRequired}
            value={value}
            onChange={(event) => change(event.currentTarget.value)}
          >
            <option value="">Choose</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...ids}
            inputMode={modes[field.field_type]}
            required={isRequired}
            placeholder={field.placeholder ?? ''}
            value={value}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

function Price({ charges, currency }: { charges: Charges; currency: string }) {
  const { forex_rate: rate, conversion_fee: fee } = charges.charges_details;
  return (
    <Facts
      of={[
        ['List price', money(charges.non_discounted_total, currency)],
        [
          'Discount',
          charges.discount_amount > 0 ? `−${money(charges.discount_amount, currency)}` : undefined,
        ],
        ['Rate', rate],
        ['Conversion fee', fee ? `${fee} %` : undefined],
      ]}
    />
  );
}

/** Reads the charges whenever the choice changes. */
function useCharges(family: FamilyView, product: Product, { amount, quantity, walletId }: Choice) {
  const read = async (): Promise<Charges | undefined> => {
    if (amount === undefined || !(quantity >= 1)) return undefined;
    const wallet = walletId !== undefined && { wallet_id: walletId };
    return family.feature === 'vouchers'
      ? api(`/products/${product.id}/charges`, {
          method: 'POST',
          body: { denomination: amount, quantity, ...wallet },
        })
      : api(`/${family.feature}/charges`, {
          method: 'POST',
          body: { product_id: product.id, amount, ...wallet },
        });
  };
  return useLoaded(read, `${amount} ${quantity} ${walletId}`);
}

/** Returns the wallet's currency: `source_currency` for vouchers, `destination_currency` for other families. */
function payerOf({ feature }: FamilyView, { charges_details: details }: Charges): string {
  return feature === 'vouchers' ? details.source_currency : details.destination_currency;
}

function bodyOf(
  { feature }: FamilyView,
  product: Product,
  { amount, quantity, walletId }: Choice,
  input: Record<string, string>,
  reference: string,
): object {
  const filled = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''));
  return {
    product_id: product.id,
    ...(feature === 'vouchers' ? { denomination: amount, quantity } : { amount }),
    ...(feature === 'topups' && { input_data: filled }),
    ...(walletId !== undefined && { wallet_id: walletId }),
    ...(reference !== '' && { client_reference: reference }),
  };
}

/**
 * Places an order and opens its page. A repeated request without a response keeps its key, so it places one order.
 */
function usePlacing(family: FamilyView): (body: object) => Promise<void> {
  const unanswered = useRef<{ text: string; key: string } | undefined>(undefined);
  return async (body) => {
    const text = JSON.stringify(body);
    if (unanswered.current?.text !== text) unanswered.current = { text, key: newKey() };
    const headers = { 'Idempotency-Key': unanswered.current.key };
    try {
      const order = await api<Order>(family.orders, { method: 'POST', body, headers });
      go(hrefOf(`orders/${family.feature}/${order.id}`));
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500)
        unanswered.current = undefined;
      throw error;
    }
  };
}

function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
