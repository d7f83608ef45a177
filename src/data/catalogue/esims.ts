/** The eSIM catalogue as one client sees it. docs/specification.md#esim-products-variants-charges. */
import type Decimal from 'decimal.js';
import { literal, Op } from 'sequelize';
import type { Client } from '../clients/clients';
import { inSnapshot, type Database } from '../database/database';
import { catalogueModels, type EsimProduct, type EsimVariant } from './catalogue-models';
import { listRechargeVariants, type RechargePlans } from '../esims/recharge-reads';
import { clientDiscounts } from '../prices/pricing-settings';
import { isOnSale } from './source-conditions';
import { containing, visibleTo, type PageOf, type PageRequest } from './visibility';

/** A variant with the client's own discount on the product, in percent; undefined if the client has none. */
export interface EsimListing {
  variant: EsimVariant;
  clientDiscountPercent: Decimal | undefined;
}

export interface EsimFilter {
  /** Alpha-3, or `GLO`. */
  countryCode?: string | undefined;
  /** Part of the name, in any case. */
  search?: string | undefined;
}

/** One page of the products the client can buy, newest first. */
export async function listEsims(
  database: Database,
  client: Client,
  { countryCode, search }: EsimFilter,
  page: PageRequest,
): Promise<PageOf<EsimProduct>> {
  const { rows, count: total } = await inSnapshot(database, (transaction) =>
    catalogueModels(database).esimProducts.findAndCountAll({
      where: {
        ...visibleTo(client.id, 'ESIM', 'esimProduct'),
        ...(countryCode && { countryCode }),
        ...(search && { name: containing(search) }),
      },
      order: [['id', 'desc']],
      ...page,
      transaction,
    }),
  );
  return { total, rows };
}

/** The product, or null if the client cannot buy it. */
export function findEsimProduct(database: Database, client: Client, productId: number) {
  return catalogueModels(database).esimProducts.findOne({
    where: { ...visibleTo(client.id, 'ESIM', 'esimProduct'), id: productId },
  });
}

/** Condition for Sequelize: the variant is active, and a source sells it now. */
const onSale = { active: true, [Op.and]: [literal(isOnSale('ESIM', '"esimVariant"."id"', '"esimVariant"."amount"'))] };

/** The variants of a product that are on sale, the cheapest first. */
export async function esimVariantsOf(database: Database, client: Client, product: EsimProduct): Promise<EsimListing[]> {
  const variants = await catalogueModels(database).esimVariants.findAll({
    where: { productId: product.id, ...onSale },
    order: [
      ['amount', 'asc'],
      ['id', 'asc'],
    ],
  });
  const discounts = await clientDiscounts(database, client.id, 'ESIM', [product.id]);
  return variants.map((variant) => ({ variant, clientDiscountPercent: discounts.get(product.id) }));
}

/** The variants with which the supplier recharges a profile now and which the client can order so, by product and amount. */
export async function rechargeVariantsOf(
  database: Database,
  client: Client,
  plans: RechargePlans,
): Promise<EsimListing[]> {
  const ids = await listRechargeVariants(database, client.id, plans);
  const found = await catalogueModels(database).esimVariants.findAll({ where: { id: ids } });
  const variants = ids.flatMap((id) => found.find((variant) => variant.id === id) ?? []);
  const productIds = [...new Set(variants.map(({ productId }) => productId))];
  const discounts = await clientDiscounts(database, client.id, 'ESIM', productIds);
  return variants.map((variant) => ({ variant, clientDiscountPercent: discounts.get(variant.productId) }));
}

/** The variant, or undefined if the client cannot buy it. */
export async function findEsimVariant(
  database: Database,
  client: Client,
  variantId: number,
): Promise<EsimListing | undefined> {
  const variant = await catalogueModels(database).esimVariants.findOne({ where: { id: variantId, ...onSale } });
  if (!variant || !(await findEsimProduct(database, client, variant.productId))) return undefined;
  const discounts = await clientDiscounts(database, client.id, 'ESIM', [variant.productId]);
  return { variant, clientDiscountPercent: discounts.get(variant.productId) };
}
