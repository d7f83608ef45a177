/** Sequelize models of the catalogue tables, for the reads that filter. Decimals are read as text. */
import {
  DataTypes,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type NonAttribute,
} from 'sequelize';
import type { InputField } from '../../domain/orders/customer-input';
import type { Database } from '../database/database';
import { oncePerDatabase } from '../database/database';

export interface Category extends Model<InferAttributes<Category>, InferCreationAttributes<Category>> {
  id: CreationOptional<number>;
  name: string;
}

export interface VoucherDenomination extends Model<
  InferAttributes<VoucherDenomination>,
  InferCreationAttributes<VoucherDenomination>
> {
  id: CreationOptional<number>;
  productId: number;
  minValue: string;
  maxValue: string;
  discountPercent: string;
}

export interface VoucherProduct extends Model<
  InferAttributes<VoucherProduct>,
  InferCreationAttributes<VoucherProduct>
> {
  id: CreationOptional<number>;
  name: string;
  countryCode: string;
  currencyCode: string;
  imageUrl: string | null;
  deliveryMode: 'Code with PIN' | 'URL' | null;
  deliveryTime: 'Instant' | 'Delayed' | null;
  validity: string | null;
  terms: string | null;
  details: string | null;
  howToUse: string | null;
  redeemable: boolean;
  active: boolean;
  stock: number | null;
  category: NonAttribute<Category>;
  subcategory: NonAttribute<Category | null>;
  denominations: NonAttribute<VoucherDenomination[]>;
}

export interface TopupProduct extends Model<
  InferAttributes<TopupProduct>,
  InferCreationAttributes<TopupProduct>
> {
  id: CreationOptional<number>;
  name: string;
  topupType: 'GAMING' | 'MOBILE' | 'UTILITY';
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
  operatorName: string | null;
  inputFields: InputField[];
  active: boolean;
}

export interface EsimProduct extends Model<
  InferAttributes<EsimProduct>,
  InferCreationAttributes<EsimProduct>
> {
  id: CreationOptional<number>;
  name: string;
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
  active: boolean;
  supplier: string;
  supplierSku: string;
  /** When its variants were last read from its supplier; null if they never were. */
  variantsSyncedAt: Date | null;
}

export interface EsimVariant extends Model<
  InferAttributes<EsimVariant>,
  InferCreationAttributes<EsimVariant>
> {
  id: CreationOptional<number>;
  productId: number;
  name: string;
  description: string | null;
  currencyCode: string;
  amount: string;
  dataAmountGb: string;
  validityDays: number;
  regions: { code: string; name: string }[];
  networks: string[];
  isRechargeable: boolean;
  activationPolicy: string | null;
  active: boolean;
}

export interface CatalogueModels {
  voucherProducts: ModelStatic<VoucherProduct>;
  topupProducts: ModelStatic<TopupProduct>;
  esimProducts: ModelStatic<EsimProduct>;
  esimVariants: ModelStatic<EsimVariant>;
}

/** The models on this database, defined at first use. */
export const catalogueModels = oncePerDatabase(defineModels);

function defineModels(database: Database): CatalogueModels {
  return {
    voucherProducts: defineVouchers(database),
    topupProducts: defineTopups(database),
    ...defineEsims(database),
  };
}

function defineVouchers(database: Database): ModelStatic<VoucherProduct> {
  const products = database.define<VoucherProduct>(
    'voucherProduct',
    {
      id: idColumn(),
      name: DataTypes.TEXT,
      countryCode: DataTypes.TEXT,
      currencyCode: DataTypes.TEXT,
      imageUrl: DataTypes.TEXT,
      deliveryMode: DataTypes.TEXT,
      deliveryTime: DataTypes.TEXT,
      validity: DataTypes.TEXT,
      terms: DataTypes.TEXT,
      details: DataTypes.TEXT,
      howToUse: DataTypes.TEXT,
      redeemable: DataTypes.BOOLEAN,
      active: DataTypes.BOOLEAN,
      stock: DataTypes.INTEGER,
    },
    { tableName: 'voucher_products' },
  );
  const denominations = database.define<VoucherDenomination>(
    'voucherDenomination',
    {
      id: idColumn(),
      productId: DataTypes.INTEGER,
      minValue: DataTypes.DECIMAL,
      maxValue: DataTypes.DECIMAL,
      discountPercent: DataTypes.DECIMAL,
    },
    { tableName: 'voucher_denominations' },
  );
  const categories = database.define<Category>(
    'category',
    { id: idColumn(), name: DataTypes.TEXT },
    { tableName: 'categories' },
  );
  const subcategories = database.define<Category>(
    'subcategory',
    { id: idColumn(), name: DataTypes.TEXT },
    { tableName: 'subcategories' },
  );
  products.belongsTo(categories, { as: 'category', foreignKey: 'categoryId' });
  products.belongsTo(subcategories, { as: 'subcategory', foreignKey: 'subcategoryId' });
  products.hasMany(denominations, { as: 'denominations', foreignKey: 'productId' });
  return products;
}

function defineTopups(database: Database): ModelStatic<TopupProduct> {
  return database.define<TopupProduct>(
    'topupProduct',
    {
      id: idColumn(),
      name: DataTypes.TEXT,
      topupType: DataTypes.TEXT,
      countryCode: DataTypes.TEXT,
      currencyCode: DataTypes.TEXT,
      imageUrl: DataTypes.TEXT,
      operatorName: DataTypes.TEXT,
      inputFields: DataTypes.JSONB,
      active: DataTypes.BOOLEAN,
    },
    { tableName: 'topup_products' },
  );
}

function defineEsims(database: Database): Pick<CatalogueModels, 'esimProducts' | 'esimVariants'> {
  const esimProducts = database.define<EsimProduct>(
    'esimProduct',
    {
      id: idColumn(),
      name: DataTypes.TEXT,
      countryCode: DataTypes.TEXT,
      currencyCode: DataTypes.TEXT,
      imageUrl: DataTypes.TEXT,
      active: DataTypes.BOOLEAN,
      supplier: DataTypes.TEXT,
      supplierSku: DataTypes.TEXT,
      variantsSyncedAt: { type: DataTypes.DATE, field: 'hydrated_at' },
    },
    { tableName: 'esim_products' },
  );
  const esimVariants = database.define<EsimVariant>(
    'esimVariant',
    {
      id: idColumn(),
      productId: DataTypes.INTEGER,
      name: DataTypes.TEXT,
      description: DataTypes.TEXT,
      currencyCode: DataTypes.TEXT,
      amount: DataTypes.DECIMAL,
      dataAmountGb: DataTypes.DECIMAL,
      validityDays: DataTypes.INTEGER,
      regions: DataTypes.JSONB,
      networks: DataTypes.JSONB,
      isRechargeable: DataTypes.BOOLEAN,
      activationPolicy: DataTypes.TEXT,
      active: DataTypes.BOOLEAN,
    },
    { tableName: 'esim_variants' },
  );
  return { esimProducts, esimVariants };
}

/** A new object each time: Sequelize writes into what it is given. */
function idColumn() {
  return { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true };
}
