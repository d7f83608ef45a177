/** The top-up catalogue as one client sees it. docs/specification.md#top-up-products-variants-charges. */
import { Op } from 'sequelize';
import type { Client } from '../clients/clients';
import { firstRow, inSnapshot, rows, type Database } from '../database/database';
import { catalogueModels, type TopupProduct } from './catalogue-models';
import { bestFirst, joinBestSource } from './source-conditions';
import { containing, visibleTo, type PageOf, type PageRequest, notBlacklisted } from './visibility';

export interface TopupFilter {
  type?: TopupProduct['topupType'] | undefined;
  /** Part of the name, in any case. */
  search?: string | undefined;
}

/** One page of the products the client can buy, newest first. */
export async function listTopups(
  database: Database,
  client: Client,
  { type, search }: TopupFilter,
  page: PageRequest,
): Promise<PageOf<TopupProduct>> {
  const { rows: products, count: total } = await inSnapshot(database, (transaction) =>
    catalogueModels(database).topupProducts.findAndCountAll({
      where: {
        ...visibleTo(client.id, 'TOPUP', 'topupProduct'),
        ...(type && { topupType: type }),
        ...(search && { name: containing(search) }),
      },
      order: [['id', 'desc']],
      ...page,
      transaction,
    }),
  );
  return { total, rows: products };
}

/** The product, or null if the client cannot buy it. */
export function findTopup(database: Database, client: Client, productId: number) {
  return catalogueModels(database).topupProducts.findOne({
    where: { ...visibleTo(client.id, 'TOPUP', 'topupProduct'), id: productId },
  });
}

/** The alpha-3 code of a country; undefined if ISO 3166 has no such alpha-2 code. */
export async function storedAlpha3Of(database: Database, alpha2: string): Promise<string | undefined> {
  const country = await firstRow<{ alpha_3: string }>(
    database,
    'SELECT alpha_3 FROM countries WHERE alpha_2 = $alpha2',
    { alpha2 },
  );
  return country?.alpha_3;
}

/** The mobile products of a country (alpha-3), and those for all countries (`GLO`), that the client can buy. */
export function mobileTopupsOf(database: Database, client: Client, countryCode: string) {
  return catalogueModels(database).topupProducts.findAll({
    where: {
      ...visibleTo(client.id, 'TOPUP', 'topupProduct'),
      topupType: 'MOBILE',
      countryCode: { [Op.in]: [countryCode, 'GLO'] },
    },
    order: [['id', 'asc']],
  });
}

/** Amounts are decimal strings. Fixed amounts have as many decimals as the currency. */
export interface TopupVariant {
  id: number;
  name: string;
  category: string;
  currencyCode: string;
  unit: string | null;
  minAmount: string | null;
  maxAmount: string | null;
  /** Null if the variant has a range of amounts. */
  fixedAmounts: string[] | null;
  availableIn: { code: string; name: string }[];
  fields: { key: string; value: string | number }[];
}

const variantColumns = `
  variant.id, variant.name, variant.category, variant.currency_code AS "currencyCode", variant.unit,
  variant.min_amount AS "minAmount", variant.max_amount AS "maxAmount",
  CASE WHEN variant.fixed_amounts IS NOT NULL THEN ARRAY(
    SELECT round(amount, currency.minor_unit)::text FROM unnest(variant.fixed_amounts) amount ORDER BY amount)
  END AS "fixedAmounts",
  variant.available_in AS "availableIn", variant.fields`;

const sellableVariants = `
    FROM topup_variants variant
    JOIN currencies currency ON currency.code = variant.currency_code
    JOIN topup_products product ON product.id = variant.product_id
    ${joinBestSource('TOPUP', 'variant.id')}
   WHERE variant.active AND product.active AND ${notBlacklisted('TOPUP', '$clientId', 'product.id')}`;

const variantsOfProduct = `
  SELECT * FROM (
    SELECT DISTINCT ON (variant.sku) ${variantColumns} ${sellableVariants} AND product.id = $productId
     ORDER BY variant.sku, ${bestFirst('best')}, variant.id) listed
   ORDER BY id`;

/** The product's variants on sale. Of several variants with the same SKU, only the one with the best source. */
export function topupVariantsOf(database: Database, client: Client, productId: number) {
  return rows<TopupVariant>(database, variantsOfProduct, { clientId: client.id, productId });
}

const variantById = `SELECT ${variantColumns} ${sellableVariants} AND variant.id = $variantId`;

/** The variant, or undefined if the client cannot buy it. */
export function findTopupVariant(database: Database, client: Client, variantId: number) {
  return firstRow<TopupVariant>(database, variantById, { clientId: client.id, variantId });
}
