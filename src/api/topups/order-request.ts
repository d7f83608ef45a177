/** What a top-up order asks for. docs/specification.md#top-up-orders. */
import Joi from 'joi';
import { findTopupOffer } from '../../data/catalogue/offers';
import { findTopup } from '../../data/catalogue/topups';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { checkInputFields, topupInput } from '../../domain/orders/customer-input';
import type { OrderRequest } from '../shared/create-order';
import { offered } from '../shared/offer';
import { validBody } from '../shared/validation';
import {
  variantDraft,
  variantFields,
  variantOrderFields,
  type VariantOrderBody,
} from '../shared/variant-fields';

interface TopupOrderBody extends VariantOrderBody {
  category?: string;
  input_data: Record<string, unknown>;
}

export const topupOrderBody = Joi.object<TopupOrderBody>({
  ...variantOrderFields,
  category: variantFields.category,
  input_data: Joi.object()
    .strict()
    .empty(null)
    .default({})
    .description("The product's `input_fields`: each `field_name` with what the customer gave.")
    .example({ phone: '+14155550123' }),
});

/**
 * Reads the body of a top-up order. Throws what is wrong with it, by the contract's messages. The product's
 * input fields belong to the shape of the body, also where the amount is none of its.
 */
export async function topupOrderRequest(
  database: Database,
  client: Client,
  json: Record<string, unknown>,
): Promise<OrderRequest> {
  const body = validBody(topupOrderBody, json);
  const found = await findTopupOffer(database, client, body.product_id, body.amount, body.category);
  const product = typeof found === 'string' ? await findTopup(database, client, body.product_id) : found;
  if (product) checkInputFields(product.inputFields, body.input_data);
  return {
    clientReference: body.client_reference,
    draft: () => {
      const offer = offered(found, 'TOPUP');
      return {
        ...variantDraft(offer, body),
        input: topupInput(offer.inputFields, body.input_data),
        details: { variant_id: offer.variantId, variant_name: offer.variantName },
      };
    },
  };
}
