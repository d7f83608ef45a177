/** Sequelize models of the catalogue tables, for reads with optional filters. */
import type { ModelStatic } from 'sequelize';
import type { InputField } from '../../domain/orders/customer-input';
import {
  decimal,
  defineModel,
  flag,
  id,
  integer,
  json,
  moment,
  nullable,
  oncePerDatabase,
  text,
  type RowValues,
} from '../database/models';
import type { Database } from '../database/database';

export const catalogueModels = oncePerDatabase((database) => ({
  voucherProducts: voucherProducts(database),
  topupProducts: defineModel(
    database,
    'topupProduct',
    {
      id: id(),
      name: text(),
      topupType: text<'GAMING' | 'MOBILE' | 'UTILITY'>(),
      countryCode: text(),
      currencyCode: text(),
      imageUrl: text(),
      operatorName: nullable(text()),
      inputFields: json<InputField[]>(),
      active: flag(),
    },
    { tableName: 'topup_products' },
  ),
  esimProducts: defineModel(
    database,
    'esimProduct',
    {
      id: id(),
      name: text(),
      countryCode: text(),
      currencyCode: text(),
      imageUrl: text(),
      active: flag(),
      supplier: text(),
      supplierSku: text(),
      // When its supplier last listed plans that can be sold; null if variants of the product were never stored.
      variantsSyncedAt: { ...nullable(moment()), field: 'hydrated_at' },
    },
    { tableName: 'esim_products' },
  ),
  esimVariants: defineModel(
    database,
    'esimVariant',
    {
      id: id(),
      productId: integer(),
      name: text(),
      description: nullable(text()),
      currencyCode: text(),
      amount: decimal(),
      dataAmountGb: decimal(),
      validityDays: integer(),
      regions: json<{ code: string; name: string }[]>(),
      networks: json<string[]>(),
      isRechargeable: flag(),
      activationPolicy: nullable(text()),
      active: flag(),
    },
    { tableName: 'esim_variants' },
  ),
}));

type CatalogueModels = ReturnType<typeof catalogueModels>;
type VoucherModels = ReturnType<typeof defineVoucherModels>;
export type TopupProduct = RowValues<InstanceType<CatalogueModels['topupProducts']>>;
export type EsimProduct = RowValues<InstanceType<CatalogueModels['esimProducts']>>;
export type EsimVariant = RowValues<InstanceType<CatalogueModels['esimVariants']>>;
/** A voucher product that was read with its associations. */
export type VoucherProduct = InstanceType<VoucherModels['products']> & {
  category: InstanceType<VoucherModels['categories']>;
  subcategory: InstanceType<VoucherModels['categories']> | null;
  denominations: InstanceType<VoucherModels['denominations']>[];
};

function defineVoucherModels(database: Database) {
  return {
    products: defineModel(
      database,
      'voucherProduct',
      {
        id: id(),
        name: text(),
        countryCode: text(),
        currencyCode: text(),
        imageUrl: nullable(text()),
        deliveryMode: nullable(text<'Code with PIN' | 'URL'>()),
        deliveryTime: nullable(text<'Instant' | 'Delayed'>()),
        validity: nullable(text()),
        terms: nullable(text()),
        details: nullable(text()),
        howToUse: nullable(text()),
        redeemable: flag(),
        active: flag(),
      },
      { tableName: 'voucher_products' },
    ),
    denominations: defineModel(
      database,
      'voucherDenomination',
      {
        id: id(),
        productId: integer(),
        minValue: decimal(),
        maxValue: decimal(),
        discountPercent: decimal(),
      },
      { tableName: 'voucher_denominations' },
    ),
    categories: defineModel(database, 'category', { id: id(), name: text() }, { tableName: 'categories' }),
    subcategories: defineModel(
      database,
      'subcategory',
      { id: id(), name: text() },
      { tableName: 'subcategories' },
    ),
  };
}

function voucherProducts(database: Database) {
  const { products, denominations, categories, subcategories } = defineVoucherModels(database);
  products.belongsTo(categories, { as: 'category', foreignKey: 'categoryId' });
  products.belongsTo(subcategories, { as: 'subcategory', foreignKey: 'subcategoryId' });
  products.hasMany(denominations, { as: 'denominations', foreignKey: 'productId' });
  // The associations add their properties to the rows.
  return products as ModelStatic<VoucherProduct>;
}
