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

const topupProductColumns = () => ({
  id: id(),
  name: text(),
  topupType: text<'GAMING' | 'MOBILE' | 'UTILITY'>(),
  countryCode: text(),
  currencyCode: text(),
  imageUrl: text(),
  operatorName: nullable(text()),
  inputFields: json<InputField[]>(),
  active: flag(),
});

const esimProductColumns = () => ({
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
});

const esimVariantColumns = () => ({
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
});

export const catalogueModels = oncePerDatabase((database) => ({
  voucherProducts: voucherProducts(database),
  topupProducts: defineModel(database, 'topupProduct', topupProductColumns(), { tableName: 'topup_products' }),
  esimProducts: defineModel(database, 'esimProduct', esimProductColumns(), { tableName: 'esim_products' }),
  esimVariants: defineModel(database, 'esimVariant', esimVariantColumns(), { tableName: 'esim_variants' }),
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

const voucherProductColumns = () => ({
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
});

const voucherDenominationColumns = () => ({
  id: id(),
  productId: integer(),
  minValue: decimal(),
  maxValue: decimal(),
  discountPercent: decimal(),
});

const categoryColumns = () => ({ id: id(), name: text() });

function defineVoucherModels(database: Database) {
  return {
    products: defineModel(database, 'voucherProduct', voucherProductColumns(), { tableName: 'voucher_products' }),
    denominations: defineModel(database, 'voucherDenomination', voucherDenominationColumns(), {
      tableName: 'voucher_denominations',
    }),
    categories: defineModel(database, 'category', categoryColumns(), { tableName: 'categories' }),
    subcategories: defineModel(database, 'subcategory', categoryColumns(), { tableName: 'subcategories' }),
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
