/** The catalogue and charges of top-ups and eSIMs, in the document. */
import type Joi from 'joi';
import { errors, type ApiError } from '../../domain/errors';
import type { Feature } from '../../domain/orders/families';
import { pageHeaders } from '../openapi/headers';
import { json, kept, type Body, type Operations } from '../openapi/operation';
import { id, listOf, type Schema } from '../openapi/schema';
import type { Tag } from '../openapi/tags';
import { variantCharges } from './charges-schemas';

/** What is the family's own in the document of its catalogue. */
export interface VariantOperations {
  /** Where the catalogue is mounted. */
  path: string;
  tag: Tag;
  feature: Feature;
  /** In names of operations. */
  noun: 'Topup' | 'Esim';
  query: Joi.ObjectSchema;
  charges: { body: Body; errors: readonly ApiError[] };
  schemas: Readonly<Record<'product' | 'productDetail' | 'variant' | 'variantDetail', Schema>>;
}

/** GET /products, /products/:id, /products/:id/variants, /variants/:id; POST /charges. */
export function variantOperations(family: VariantOperations): Operations {
  const { path, tag, feature, noun, query, charges, schemas } = family;
  const common = { tag, feature };
  const product = { id: id('The product.', 3) };
  const refusals = [errors.validation('Invalid product ID'), errors.notFound('Product')];
  return {
    [`GET ${path}/products`]: {
      ...common,
      id: `list${noun}Products`,
      summary: 'List products',
      query,
      answers: kept('By name.', listOf(schemas.product), pageHeaders),
    },
    [`GET ${path}/products/:id`]: {
      ...common,
      id: `get${noun}Product`,
      summary: 'Read a product',
      path: product,
      answers: kept('The product.', schemas.productDetail),
      errors: refusals,
    },
    [`GET ${path}/products/:id/variants`]: {
      ...common,
      id: `list${noun}Variants`,
      summary: 'List the variants of a product',
      path: product,
      answers: kept('All of them.', listOf(schemas.variant)),
      errors: refusals,
    },
    [`GET ${path}/variants/:id`]: {
      ...common,
      id: `get${noun}Variant`,
      summary: 'Read a variant',
      path: { id: id('The variant.', 8) },
      answers: kept('The variant.', schemas.variantDetail),
      errors: [errors.validation('Invalid variant ID'), errors.notFound('Variant')],
    },
    [`POST ${path}/charges`]: {
      ...common,
      id: `get${noun}Charges`,
      summary: 'Price an order',
      description: 'What the same order would debit, to the last digit.',
      body: charges.body,
      answers: { 200: json('The price and how it comes about.', variantCharges) },
      errors: [
        ...charges.errors,
        errors.notFound('Product'),
        errors.notFound('Wallet'),
        errors.exchangeRateUnavailable(),
      ],
    },
  };
}
