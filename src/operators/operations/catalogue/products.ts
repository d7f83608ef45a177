/** `products`: what the service sells, by family. */
import { findProduct, listProducts, type ProductReport } from '../../../data/catalogue/operated-products';
import { operatedProductColumns } from '../../../data/catalogue/operated-columns';
import { inTerminal, option, toggle, word } from '../arguments';
import { count, family, id, nameText, text } from '../kinds';
import { everyRole, operation, type Plain } from '../operation';
import { inFamily, productMissing, productName } from '../product-named';
import { shortened, table } from '../text';
import { kindsOf } from '../../../domain/row-columns';

const list = operation({
  name: 'products list',
  about: 'Products that match all that is given, with their suppliers and why no client can buy them',
  roles: everyRole,
  effect: 'reads',
  isLong: true,
  arguments: {
    family: option(family, 'vouchers, topups or esim'),
    supplier: option(nameText, 'only those that this supplier lists or can deliver'),
    active: toggle('only those that are not taken off sale', 'only those that are taken off sale'),
    search: option(text, 'only those with this text in the name'),
    after: inTerminal(
      option(productName, 'only those behind this one, for the next page: family and number, such as vouchers/12'),
      'only those behind this one, for the next page: family/id such as vouchers/12, or its id with --family',
    ),
    limit: option(count, 'maximum number of products; default: all'),
  },
  columns: kindsOf(operatedProductColumns),
  run({ database }, { after, ...filter }) {
    return listProducts(database, { ...filter, after: after && inFamily(after, filter.family) });
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
    if (!product) throw productMissing(ofFamily, productId);
    return product;
  },
  text: productText,
});

function productText(product: Plain<ProductReport>): string {
  const { family: ofFamily, id: productId, name, state, fields, items, sources } = product;
  const values = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([field, value]) => ({ field, value: shortened(typeof value === 'string' ? value : JSON.stringify(value)) }));
  const title = ofFamily === 'VOUCHER' ? 'Denominations' : 'Variants';
  return [
    `${ofFamily} product ${productId}, ${name}: ${state}`,
    table(values),
    `${title}\n${table(items)}`,
    `Sources\n${table(sources)}`,
  ].join('\n\n');
}

export const productOperations = [list, show];
