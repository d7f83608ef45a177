/** The products that operators name. */
import { findProductName } from '../../data/catalogue/operated-products';
import type { Database } from '../../data/database/database';
import { features, type Family } from '../../domain/orders/families';
import { InvalidArgument, type Kind } from './arguments';
import { family, id } from './kinds';

/** A product as `vouchers/12`, or its id alone. Each family has its own ids. */
export const productName: Kind<{ family: Family | undefined; id: number }> = {
  placeholder: 'id',
  schema: { type: 'string', pattern: `^((${features.join('|')})/)?[1-9][0-9]{0,15}$` },
  read(written) {
    const [, ofFamily, productId = ''] = /^(?:([^/]*)\/)?([^/]*)$/.exec(written) ?? [];
    return { family: ofFamily === undefined ? undefined : family.read(ofFamily), id: id.read(productId) };
  },
};

/** The named product, by default one of the family that the list has. */
export function inFamily(
  { family: own, id: productId }: { family: Family | undefined; id: number },
  listed: Family | undefined,
): { family: Family; id: number } {
  const ofFamily = own ?? listed;
  if (ofFamily === undefined)
    throw new InvalidArgument('--after: Give family/id such as vouchers/12, or its id with --family.');
  return { family: ofFamily, id: productId };
}

/** The name of the product. Throws if the family has none with this id. */
export async function nameOfProduct(database: Database, family: Family, productId: number): Promise<string> {
  const name = await findProductName(database, family, productId);
  if (name === undefined) throw productMissing(family, productId);
  return name;
}

export function productMissing(family: Family, productId: number): Error {
  return new Error(`There is no ${family} product ${productId}. See them with: products list`);
}
