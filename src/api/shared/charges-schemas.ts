/** The charges result in the document. docs/specification.md#charges-result. */
import { amount, count, currency, model, object, orNull, type Fields } from '../openapi/schema';

const totals: Fields = {
  non_discounted_total: amount("Face value times quantity, in the product's currency.", 10),
  discount_amount: amount('What the discount takes off it.', 0.2),
  total_amount: amount('What is left.', 9.8),
  discount: amount('The discount in percent.', 2),
};

const payable: Fields = { total_payable: amount("What the order debits, in the wallet's currency.", 9.8) };

const converted: Fields = {
  net_amount: amount("The total in the wallet's currency.", 9.02),
  handling_fee_amount: amount('Always 0.', 0),
};

const rates: Fields = {
  forex_rate: amount("From the product's currency to the wallet's.", 0.92),
  conversion_fee: amount('In percent of the converted total.', 2),
};

const orNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, orNull(field)]));

export const voucherCharges = model('VoucherCharges', 'What a voucher order would cost, to the last digit.', {
  ...totals,
  gst_amount: amount('Tax contained in the total: shown, never added.', 0),
  ...orNulls(converted),
  ...payable,
  max_quantity: count('The most vouchers of one order.', 100),
  charges_details: object({
    source_currency: currency("The wallet's currency.", 'EUR'),
    destination_currency: currency("The product's currency."),
    ...orNulls(rates),
  }),
});

/** Top-ups and eSIMs: what tells of a conversion is there only where there is one. */
export const variantCharges = model(
  'Charges',
  'What a top-up or eSIM order would cost, to the last digit.',
  {
    ...totals,
    ...payable,
    charges_details: object(
      {
        source_currency: currency("The product's currency."),
        destination_currency: currency("The wallet's currency.", 'EUR'),
      },
      rates,
    ),
  },
  converted,
);
