/** What an eSIM order asks for. docs/specification.md#esim-orders. */
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { Dependencies } from '../dependencies';
import type { OrderRequest } from '../shared/create-order';
import { validBody } from '../shared/validation';
import { variantDraft, variantOrderFields, type VariantOrderBody } from '../shared/variant-fields';
import { esimOffer } from './offer';

/** Whatever `quantity` says, one is sold; `category` is reserved. Neither is looked at. */
export const esimOrderBody = Joi.object<VariantOrderBody>(variantOrderFields);

/** Reads the body of an eSIM order. Throws what is wrong with it, by the contract's messages. */
export function esimOrderRequest(
  deps: Pick<Dependencies, 'database' | 'suppliers'>,
  client: Client,
  json: Record<string, unknown>,
): OrderRequest {
  const body = validBody(esimOrderBody, json);
  return {
    clientReference: body.client_reference,
    draft: async () => {
      const offer = await esimOffer(deps, client, body);
      return {
        ...variantDraft(offer, body),
        details: {
          variant_id: offer.variantId,
          data_amount_gb: offer.dataAmountGb.toFixed(),
          validity_days: offer.validityDays,
        },
      };
    },
  };
}
