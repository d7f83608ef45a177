/** What top-up and eSIM orders show alike, in the document. */
import { amount, country, currency, id, text, time, word, type Fields } from '../openapi/schema';

export const variantOrder = (statusText: string): Fields => ({
  id: id('The order.'),
  product_name: text('The name of the product.', 'Liberty Mobile'),
  country_code: country('The country of the product (ISO 3166-1 alpha-3, or `GLO`).'),
  amount: amount("The price: what was debited, in the wallet's currency.", 10),
  currency: currency("The wallet's currency."),
  status: word('How it stands.', ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'], 'DELIVERED'),
  status_text: text('How it stands, for people.', statusText),
  created_at: time('When it was placed.'),
});
