/** `products`: what the service sells, by family. */
import { findProduct, listProducts, type ProductReport } from '../../data/catalogue/operated-products';
import { option, toggle, word } from '../arguments';
import { count, family, id, nameText, text } from '../kinds';
import { everyRole, operation, type Plain } from '../operation';
import { shortened, table } from '../text';

const list = operation({
  name: 'products list',
  about: 'Products that match all options, with their suppliers and why no client can buy them',
  roles: everyRole,
  effect: 'reads',
  isLong: true,
  arguments: {
    family: option(family, 'vouchers, topups or esim'),
    supplier: option(nameText, 'only those that this supplier lists or can deliver'),
    active: toggle('only those that are not taken off sale', 'only those that are taken off sale'),
    search: option(text, 'only those with this text in the name'),
    after: option(id, 'with --family: only those behind this one, for the next page'),
    limit: option(count, 'maximum number of products; default: all'),
  },
  async run({ database }, { after, ...filter }) {
    const { family: ofFamily } = filter;
    if (after === undefined) return listProducts(database, filter);
    if (ofFamily === undefined)
      throw new Error('--after needs --family, because each family has its own ids');
    return listProducts(database, { ...filter, after: { family: ofFamily, id: after } });
  },
});

const show = operation({
  name: 'products show',
  about: 'One product with its denominations or variants, and their sources',
  roles: everyRole,
  effect: 'reads',
  arguments: { family: word(family, 'vouchers, topups or esim'), product: word(id, 'id') },
  async run({ database }, { family: ofFamily, product: productId }) {
    const product = await findProduct(database, ofFamily, productId);
    if (!product)
      throw new Error(`There is no ${ofFamily} product ${productId}. See them with: products list`);
    return product;
  },
  text: productText,
});

function productText(product: Plain<ProductReport>): string {
  const { family: ofFamily, id: productId, name, state, fields, items, sources } = product;
  const values = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([field, value]) => ({
      field,
      value: shortened(typeof value === 'string' ? value : JSON.stringify(value)),
    }));
  const title = ofFamily === 'VOUCHER' ? 'Denominations' : 'Variants';
  return [
    `${ofFamily} product ${productId}, ${name}: ${state}`,
    table(values),
    `${title}\n${table(items)}`,
    `Sources\n${table(sources)}`,
  ].join('\n\n');
}

export const productOperations = [list, show];
