/** The voucher catalogue as one client sees it. docs/specification.md#voucher-products-and-charges. */
import type Decimal from 'decimal.js';
import { literal, Op, type Includeable, type Order, type WhereOptions } from 'sequelize';
import type { Client } from '../clients/clients';
import { inSnapshot, type Database } from '../database/database';
import { catalogueModels, type VoucherProduct } from './catalogue-models';
import { clientDiscounts } from '../prices/pricing-settings';
import { isOnSale } from './source-conditions';
import { hasDenominationOnSale, isStoppedDenomination } from './sale-stop-conditions';
import { containing, visibleTo, type PageOf, type PageRequest } from './visibility';

/** A product with the client's own discount in percent; undefined if the client has none. */
export interface VoucherListing {
  product: VoucherProduct;
  clientDiscountPercent: Decimal | undefined;
}

export interface VoucherFilter {
  /** Exact name of the category. */
  category?: string | undefined;
  countryId?: number | undefined;
  currencyId?: number | undefined;
  /** Part of the name, in any case. */
  search?: string | undefined;
}

export interface VoucherSort {
  by: 'name' | 'category';
  direction: 'asc' | 'desc';
}

/**
 * One page of the products the client can buy: active, not black-listed, not excluded, not stopped, and with a source that sells the product
 * now. Stopped denominations are left out.
 */
export async function listVoucherProducts(
  database: Database,
  client: Client,
  excluded: ReadonlySet<number>,
  filter: VoucherFilter,
  sort: VoucherSort,
  page: PageRequest,
): Promise<PageOf<VoucherListing>> {
  const { rows: products, count: total } = await inSnapshot(database, (transaction) =>
    catalogueModels(database).voucherProducts.findAndCountAll({
      where: { [Op.and]: [sellableTo(client), { id: { [Op.notIn]: [...excluded] } }, matching(filter)] },
      include: partsOfProduct(filter.category),
      order: orderOf(sort),
      ...page,
      transaction,
    }),
  );
  return { total, rows: await withOwnDiscounts(database, client, products) };
}

/** The product, or undefined if the client cannot buy it. */
export async function findVoucher(
  database: Database,
  client: Client,
  productId: number,
): Promise<VoucherListing | undefined> {
  const product = await catalogueModels(database).voucherProducts.findOne({
    where: { [Op.and]: [sellableTo(client), { id: productId }] },
    include: partsOfProduct(),
  });
  return product ? (await withOwnDiscounts(database, client, [product]))[0] : undefined;
}

function sellableTo(client: Client): WhereOptions {
  return {
    [Op.and]: [
      visibleTo(client.id, 'VOUCHER', 'voucherProduct'),
      literal(isOnSale('VOUCHER', '"voucherProduct"."id"')),
      literal(hasDenominationOnSale('"voucherProduct"."id"')),
    ],
  };
}

function matching({ countryId, currencyId, search }: VoucherFilter): WhereOptions {
  const codeOf = (sql: string) => ({ [Op.eq]: literal(`(${sql})`) });
  return {
    ...(countryId !== undefined && { countryCode: codeOf(`SELECT alpha_3 FROM countries WHERE id = ${countryId}`) }),
    ...(currencyId !== undefined && { currencyCode: codeOf(`SELECT code FROM currencies WHERE id = ${currencyId}`) }),
    ...(search && { name: containing(search) }),
  };
}

function partsOfProduct(category?: string): Includeable[] {
  return [
    { association: 'category', ...(category !== undefined && { where: { name: category } }) },
    { association: 'subcategory' },
    {
      association: 'denominations',
      separate: true,
      where: literal(`NOT ${isStoppedDenomination('"voucherDenomination"')}`),
      order: [
        ['minValue', 'ASC'],
        ['maxValue', 'ASC'],
      ],
    },
  ];
}

/** Sorts equal products by id, so that pages neither repeat nor omit a product. */
function orderOf({ by, direction }: VoucherSort): Order {
  const byName: Order = [
    ['name', by === 'name' ? direction : 'asc'],
    ['id', 'asc'],
  ];
  return by === 'name' ? byName : [['category', 'name', direction], ...byName];
}

async function withOwnDiscounts(
  database: Database,
  client: Client,
  products: VoucherProduct[],
): Promise<VoucherListing[]> {
  const ids = products.map((product) => product.id);
  const discounts = await clientDiscounts(database, client.id, 'VOUCHER', ids);
  return products.map((product) => ({ product, clientDiscountPercent: discounts.get(product.id) }));
}
