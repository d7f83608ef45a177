/** The schemas of the JSON file of `catalogue import`. docs/operators/catalogue.md#the-catalogue-file. */
import Joi from 'joi';
import type {
  CategoryInput,
  EsimProductInput,
  InputFieldInput,
  TopupProductInput,
  TopupVariantInput,
  VoucherProductInput,
} from '../../../data/catalogue/import/product-inputs';
import { faultOfPattern } from '../../../domain/orders/pattern';
import {
  hiddenCharacterOfLine,
  hiddenCharacterOfText,
  isSandboxPicture,
  pictureAddress,
} from '../../../domain/shown-text';
import { InvalidArgument } from '../arguments';

export interface CatalogueFile {
  /** The supplier of all its products. */
  supplier: string;
  categories: readonly CategoryInput[];
  voucherProducts: readonly VoucherProductInput[];
  topupProducts: readonly TopupProductInput[];
  esimProducts: readonly EsimProductInput[];
}

/** One line of text in the Unicode form NFC, in which clients search for it. */
const text = textWithout(hiddenCharacterOfLine);
const textOfLines = textWithout(hiddenCharacterOfText);

function textWithout(hiddenCharacterOf: (text: string) => string | undefined): Joi.StringSchema {
  return Joi.string()
    .normalize('NFC')
    .custom((value: string, helpers) => {
      const hidden = hiddenCharacterOf(value);
      if (hidden === undefined) return value;
      return helpers.message({ custom: `{{#label}} contains ${hidden}, which clients cannot show` });
    });
}

/** Also a picture of the sandbox, so that an exported catalogue of a sandbox can be imported again. */
const picture = Joi.string().custom((value: string, helpers) => {
  if (isSandboxPicture(value)) return value;
  const message = '{{#label}} must be an https address without credentials';
  return pictureAddress(value) ?? helpers.message({ custom: message });
});

/** The outer structure of the file. The schemas below check its products one by one. */
const catalogueFile = Joi.object<CatalogueFile>({
  supplier: Joi.string().required(),
  categories: Joi.array()
    .items(Joi.object({ name: text.required(), subCategories: Joi.array().items(text).default([]) }))
    .default([]),
  voucherProducts: Joi.array().default([]),
  topupProducts: Joi.array().default([]),
  esimProducts: Joi.array().default([]),
});

/** The content of the file with this name. Throws `InvalidArgument` if its outer structure is not valid. */
export function checkedCatalogue(content: unknown, file: string): CatalogueFile {
  const checked = catalogueFile.validate(content);
  if (checked.error) {
    throw new InvalidArgument(
      `${file}: ${checked.error.message}. Compare it with: docs/operators/catalogue.md#the-catalogue-file`,
    );
  }
  return checked.value;
}

const sku = textWithout(hiddenCharacterOfLine).max(100).required();
const name = text.max(200).required();
const currencyCode = text.pattern(/^[A-Z]{3}$/, 'ISO 4217 code').required();
const country = text.pattern(/^[A-Z]{3}$/, 'ISO 3166-1 alpha-3 code').required();
// No field of a product has a default here: an absent field of a known product keeps its value.
const optionalText = text.allow(null);
const optionalLines = textOfLines.allow(null);
const percent = decimalBetween(0, 100);
const amount = decimalBetween(0.0001, 1_000_000_000);

/** The schema of a decimal: a string, because most programs read JSON numbers as binary fractions. */
function decimalBetween(min: number, max: number): Joi.StringSchema {
  return text.pattern(/^[0-9]{1,10}(\.[0-9]{1,4})?$/, 'decimal').custom((value: string, helpers) => {
    if (Number(value) >= min && Number(value) <= max) return value;
    return helpers.message({ custom: `{{#label}} must be from ${min} to ${max}` });
  });
}

export const voucherProduct = Joi.object<VoucherProductInput>({
  sku,
  name,
  category: text.required(),
  subCategory: optionalText,
  countryCode: country,
  currencyCode,
  imageUrl: picture.allow(null),
  deliveryMode: Joi.valid('Code with PIN', 'URL', null),
  deliveryTime: Joi.valid('Instant', 'Delayed', null),
  validity: optionalText,
  denominations: Joi.array()
    .items(Joi.object({ min: amount.required(), max: amount.required(), discount: percent }).custom(checkRange))
    .min(1)
    .custom(checkDistinct)
    .required(),
  terms: optionalLines,
  details: optionalLines,
  howToUse: optionalLines,
  gstRate: percent,
  active: Joi.boolean().strict(),
  redeemable: Joi.boolean().strict(),
});

type Denomination = VoucherProductInput['denominations'][number];

// Joi's `unique` compares each two denominations, which takes minutes for a file with 100,000 of them.
function checkDistinct(value: Denomination[], helpers: Joi.CustomHelpers) {
  const known = new Set<string>();
  for (const [index, { min, max }] of value.entries()) {
    const key = `${Number(min)} ${Number(max)}`;
    if (known.has(key)) return helpers.message({ custom: `"denominations[${index}]" contains a duplicate value` });
    known.add(key);
  }
  return value;
}

function checkRange(value: Denomination, helpers: Joi.CustomHelpers): Denomination | Joi.ErrorReport {
  if (Number(value.min) <= Number(value.max)) return value;
  return helpers.message({ custom: '{{#label}} has a min above its max' });
}

const inputField = Joi.object<InputFieldInput>({
  fieldName: text.pattern(/^\w{1,64}$/).required(),
  fieldLabel: text.required(),
  fieldType: Joi.valid('text', 'number', 'phone', 'select').required(),
  isRequired: Joi.boolean().strict().required(),
  validationRegex: text.custom(checkPattern),
  placeholder: text,
  helpText: text,
  options: Joi.array()
    .items(Joi.object({ value: text.required(), label: text.required() }))
    .min(1)
    .when('fieldType', { is: 'select', then: Joi.required(), otherwise: Joi.forbidden() }),
});

function checkPattern(pattern: string, helpers: Joi.CustomHelpers): string | Joi.ErrorReport {
  const fault = faultOfPattern(pattern);
  return fault === undefined ? pattern : helpers.message({ custom: `{{#label}} ${fault}` });
}

const topupVariant = Joi.object<TopupVariantInput>({
  sku,
  supplierSku: sku,
  costPercent: decimalBetween(0, 1_000),
  name,
  category: Joi.valid('Airtime', 'Data', 'Bundle', ''),
  currencyCode,
  unit: optionalText,
  fixedAmounts: Joi.array().items(amount).min(1),
  minAmount: amount,
  maxAmount: amount,
  availableIn: Joi.array().items(Joi.object({ code: country, name: text.required() })),
  fields: Joi.array().items(Joi.object({ key: text.required(), value: text.allow('').required() })),
  active: Joi.boolean().strict(),
})
  .xor('fixedAmounts', 'minAmount')
  .and('minAmount', 'maxAmount');

export const topupProduct = Joi.object<TopupProductInput>({
  sku,
  name,
  topupType: Joi.valid('GAMING', 'MOBILE', 'UTILITY').required(),
  countryCode: country,
  currencyCode,
  imageUrl: picture.allow(''),
  operatorName: optionalText,
  active: Joi.boolean().strict(),
  inputFields: Joi.array().items(inputField).unique('fieldName'),
  variants: Joi.array().items(topupVariant).unique('supplierSku').min(1).required(),
});

export const esimProduct = Joi.object<EsimProductInput>({
  sku,
  name,
  countryCode: country,
  currencyCode,
  imageUrl: picture.allow(''),
  active: Joi.boolean().strict(),
});
