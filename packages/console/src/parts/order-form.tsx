import { useEffect, useRef, useState } from 'preact/hooks';
import { amountsOf, type Amounts } from '../amounts';
import { api, PriceChangedError } from '../api';
import { payingCurrency, priceOf, pricesOf, rechargeOf, type Choice, type PricedAmount } from '../charges';
import type { FamilyView } from '../families';
import { money } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { offerOf, type Offer } from '../offer';
import { go, hrefOf } from '../route';
import type { Charges, InputField, Order, Product, Variant, Wallet } from '../types';
import { Facts, Failure, Progress } from '../../../parts/src/basics';
import { Field, Form } from '../../../parts/src/form';
import { useConfirmation } from './confirmation';

interface OrderFormProps {
  family: FamilyView;
  productId: number;
  wallets: readonly Wallet[];
  /** The eSIM order that it recharges, with the plans that its supplier offers. */
  recharge?: { orderId: number; plans: readonly Variant[] };
}

/** The form of an order: its fields, its price, and the button that places it. */
export function OrderForm({ family, productId, wallets, recharge }: OrderFormProps) {
  const offer = useLoaded(() => offerOf(family, productId), String(productId));
  if (!offer.data) return <Progress of={offer} />;
  const { product } = offer.data;
  const amounts = recharge ? amountsOf(product, recharge.plans) : offer.data.amounts;
  return (
    <div class={recharge ? '' : 'card'}>
      <Title product={product} family={family} />
      <Failure text={offer.failure} />
      <Choices {...{ family, wallets, product, amounts }} recharged={recharge?.orderId} />
    </div>
  );
}

function Title({ product: { id, name }, family }: { product: Product; family: FamilyView }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {name}
      </h3>
      <p>
        <a href={hrefOf(`products/${family.feature}/${id}`)}>Terms and prices</a>
      </p>
    </>
  );
}

type ChoicesProps = Offer & Pick<OrderFormProps, 'family' | 'wallets'> & Pick<Choice, 'recharged'>;

function Choices({ family, wallets, product, amounts, recharged }: ChoicesProps) {
  const [choice, setChoice] = useState<Choice>({ amount: undefined, quantity: 1, walletId: undefined, recharged });
  const [input, setInput] = useState<Record<string, string>>({});
  const [reference, setReference] = useState('');
  const change = (part: Partial<Choice>) => setChoice((before) => ({ ...before, ...part }));
  const paying = payingWallet(family, product, wallets);
  const isPayable = choice.walletId !== undefined || paying.walletId !== undefined;
  const charges = useCharges(family, product, choice, isPayable);
  const prices = useLoaded(
    async () => (isPayable ? pricesOf(family, product, amounts.fixed, choice) : []),
    `${choice.walletId} ${isPayable}`,
  );
  const place = usePlacing(family);
  const payer = wallets.find(({ id }) => id === (choice.walletId ?? paying.walletId));
  const readPrice = () => priceOf(family, product, choice);
  const { sums, debit, confirmed, question } = useConfirmation(charges, payer, readPrice);
  const order = () => confirmed((price) => place(bodyOf(family, product, choice, input, reference), price));
  return (
    <Form
      submit={order}
      rejection={charges.rejection}
      isReady={sums.data !== undefined}
      button={charges.data && <>Order for {money(charges.data.total_payable, payingCurrency(family, charges.data))}</>}
    >
      <AmountChoice
        amounts={amounts}
        currency={product.currency_code}
        priceTextOf={(amount) => priceText(family, amount, prices.data ?? [])}
        choice={choice}
        change={change}
        name={family.feature === 'vouchers' ? 'denomination' : 'amount'}
      />
      {family.feature === 'vouchers' && (
        <Quantity
          quantity={choice.quantity}
          maximum={charges.data?.max_quantity}
          change={(quantity) => change({ quantity })}
        />
      )}
      {(product.input_fields ?? []).map((field) => (
        <InputOf
          key={field.field_name}
          field={field}
          value={input[field.field_name] ?? ''}
          change={(value) => setInput((before) => ({ ...before, [field.field_name]: value }))}
        />
      ))}
      <PayFrom
        wallets={wallets}
        text={paying.text}
        walletId={choice.walletId}
        choose={(walletId) => change({ walletId })}
      />
      <ClientReference {...{ reference, setReference }} />
      <h3>{recharged === undefined ? '3. Order' : 'Order'}</h3>
      <Failure text={charges.failure ?? sums.failure} />
      {charges.data ? (
        <Price charges={charges.data} currency={product.currency_code} debit={debit} />
      ) : (
        <p class="quiet">{choice.amount === undefined ? 'Choose an amount to see its price.' : ''}</p>
      )}
      {question}
    </Form>
  );
}

interface ClientReferenceProps {
  reference: string;
  setReference: (reference: string) => void;
}

function ClientReference({ reference, setReference }: ClientReferenceProps) {
  return (
    <Field name="client_reference" label="Client reference (optional)">
      {(ids) => (
        <input
          {...ids}
          maxLength={255}
          value={reference}
          onInput={(event) => setReference(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface QuantityProps {
  quantity: number;
  /** Undefined until the price is read. */
  maximum: number | undefined;
  change: (quantity: number) => void;
}

function Quantity({ quantity, maximum, change }: QuantityProps) {
  return (
    <Field name="quantity" label="Quantity" hint={maximum === undefined ? undefined : `At most ${maximum}`}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          min={1}
          max={maximum}
          value={quantity}
          onInput={(event) => change(Number(event.currentTarget.value))}
        />
      )}
    </Field>
  );
}

interface PayFromProps {
  wallets: readonly Wallet[];
  /** What happens if no wallet is chosen. */
  text: string;
  walletId: number | undefined;
  choose: (walletId: number | undefined) => void;
}

/** The wallets by what is available. */
function PayFrom({ wallets, text, walletId, choose }: PayFromProps) {
  return (
    <Field name="wallet_id" label="Pay from">
      {(ids) => (
        <select
          {...ids}
          value={walletId ?? ''}
          onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : Number(value))}
        >
          <option value="">{text}</option>
          {wallets.map(({ id, currency_code: currency, available }) => (
            <option key={id} value={id}>
              {money(available, currency)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/**
 * The wallet that pays if the order names none: the wallet in the product's currency. If there is none, the default wallet pays
 * for top-ups and eSIMs, and a voucher order must name another wallet. docs/specification.md#money.
 */
function payingWallet({ feature }: FamilyView, { currency_code: currency }: Product, wallets: readonly Wallet[]) {
  const own = wallets.find((wallet) => wallet.currency_code === currency);
  if (own) return { walletId: own.id, text: `The ${currency} wallet, with ${money(own.available, currency)}` };
  const main = wallets.find((wallet) => wallet.is_default);
  if (feature !== 'vouchers' && main)
    return {
      walletId: main.id,
      text: `Your default wallet, with ${money(main.available, main.currency_code)}: you have none in ${currency}`,
    };
  return { walletId: undefined, text: `Choose a wallet: you have none in ${currency}` };
}

/** The price of one unit of the amount; undefined until it is read, and for a later amount than the first ten. */
function priceText(family: FamilyView, amount: number, prices: readonly PricedAmount[]): string | undefined {
  const { charges, failure } = prices.find((price) => price.amount === amount) ?? {};
  return charges ? `You pay ${money(charges.total_payable, payingCurrency(family, charges))}` : failure;
}

interface AmountChoiceProps {
  amounts: Amounts;
  currency: string;
  priceTextOf: (amount: number) => string | undefined;
  choice: Choice;
  change: (part: Partial<Choice>) => void;
  /** The name of the amount in the order. */
  name: string;
}

/** Fixed amounts as buttons, a range as a number field. */
function AmountChoice({
  amounts: { fixed, range },
  currency,
  priceTextOf,
  choice,
  change,
  name: field,
}: AmountChoiceProps) {
  const [typed, setTyped] = useState('');
  const choose = (amount: number) => {
    setTyped('');
    change({ amount });
  };
  return (
    <fieldset>
      <legend>Amount</legend>
      <div class="buttons amounts">
        {fixed.map(({ amount, name }) => (
          <button key={amount} type="button" aria-pressed={choice.amount === amount} onClick={() => choose(amount)}>
            {name !== undefined && <strong>{name}</strong>}
            <span>{money(amount, currency)}</span>
            <small>{priceTextOf(amount)}</small>
          </button>
        ))}
      </div>
      {range && (
        <Field
          name={field}
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
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
              onChange={({ currentTarget: { value } }) => change({ amount: value === '' ? undefined : Number(value) })}
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
    <Field
      name={`input_data.${field.field_name}`}
      label={isRequired ? label : `${label} (optional)`}
      hint={field.help_text}
    >
      {(ids) =>
        field.field_type === 'select' ? (
          <select {...ids} required={isRequired} value={value} onChange={(event) => change(event.currentTarget.value)}>
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

interface PriceProps {
  charges: Charges;
  currency: string;
  debit: string | undefined;
}

function Price({ charges, currency, debit }: PriceProps) {
  const { forex_rate: rate, conversion_fee: fee } = charges.charges_details;
  return (
    <>
      <Facts
        of={[
          ['List price', money(charges.non_discounted_total, currency)],
          ['Discount', charges.discount_amount > 0 ? `−${money(charges.discount_amount, currency)}` : undefined],
          ['Rate', rate],
          ['Conversion fee', fee ? `${fee} %` : undefined],
        ]}
      />
      {debit !== undefined && <p>{debit}</p>}
    </>
  );
}

/** Reads the charges whenever the choice changes. */
function useCharges(family: FamilyView, product: Product, choice: Choice, isPayable: boolean) {
  const { amount, quantity, walletId } = choice;
  const read = async () => (isPayable ? priceOf(family, product, choice) : undefined);
  return useLoaded(read, `${amount} ${quantity} ${walletId} ${isPayable}`);
}

function bodyOf(
  { feature }: FamilyView,
  product: Product,
  { amount, quantity, walletId, recharged }: Choice,
  input: Record<string, string>,
  reference: string,
): object {
  const filled = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''));
  return {
    product_id: product.id,
    ...(feature === 'vouchers' ? { denomination: amount, quantity } : { amount }),
    ...(feature === 'topups' && { input_data: filled }),
    ...(walletId !== undefined && { wallet_id: walletId }),
    ...rechargeOf(recharged),
    ...(reference !== '' && { client_reference: reference }),
  };
}

/**
 * Places an order at the price that the page shows, and opens its page. False if the order costs more now: nothing is placed. After a
 * lost response, every click for the same order sends the same request, also with the same price: if the order is placed, it is the one
 * that the response shows. A rejected request leaves its key free.
 */
function usePlacing(family: FamilyView): (body: object, price: Charges) => Promise<boolean> {
  const last = useRef<{ text: string; key: string; limit: number } | undefined>(undefined);
  return async (body, { total_payable: total }) => {
    const text = JSON.stringify(body);
    // A limit is above 0, also that of an order that costs nothing.
    if (last.current?.text !== text) last.current = { text, key: newKey(), limit: total || Number.MIN_VALUE };
    const { key, limit } = last.current;
    const call = { method: 'POST', body: { ...body, max_total_payable: limit }, headers: { 'Idempotency-Key': key } };
    try {
      const order = await api<Order>(family.orders, call);
      last.current = undefined;
      go(hrefOf(`orders/${family.feature}/${order.id}`));
      return true;
    } catch (error) {
      if (!(error instanceof PriceChangedError)) throw error;
      last.current = undefined;
      return false;
    }
  };
}

function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
