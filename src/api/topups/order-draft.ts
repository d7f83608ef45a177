/** Creating a top-up order. Specification, "Top-up orders". */
import Joi from 'joi';
import { findTopupOffer } from '../../data/catalogue/offers';
import { findTopup } from '../../data/catalogue/topups';
import type { Client } from '../../data/clients';
import type { Database } from '../../data/database';
import { errors } from '../../domain/errors';
import { checkInputFields, topupInput } from '../../domain/topup-input';
import type { OrderDraft } from '../../ordering/order-creation';
import { refuseDuplicate } from '../../ordering/references';
import { validBody } from '../shared/validation';
import { variantFields, variantOrderFields, type VariantOrderBody } from '../shared/variant-fields';
import { offered } from '../shared/offer';

interface TopupOrderBody extends VariantOrderBody {
  category?: string;
  input_data: Record<string, unknown>;
}

const body = Joi.object<TopupOrderBody>({
  ...variantOrderFields,
  category: variantFields.category,
  input_data: Joi.object().empty(null).default({}),
});

/** The draft of a top-up order. Throws what is wrong with the body, by the contract's messages. */
export async function topupDraft(
  database: Database,
  client: Client,
  json: Record<string, unknown>,
): Promise<OrderDraft> {
  const order = validBody(body, json);
  const found = await findTopupOffer(database, client, order.product_id, order.amount, order.category);
  // The product's fields belong to the shape of the body, also where the amount is none of its.
  const product = typeof found === 'string' ? await findTopup(database, client, order.product_id) : found;
  if (product) checkInputFields(product.inputFields, order.input_data);
  await refuseDuplicate(database, client, order.client_reference);
  const offer = offered(found, () => errors.validation('Amount is not available for this product'));
  return {
    offer,
    quantity: 1,
    asynchronous: false,
    walletId: order.wallet_id,
    clientReference: order.client_reference,
    redeemVoucherCode: order.redeem_voucher_code,
    input: topupInput(offer.inputFields, order.input_data),
    details: { variant_id: offer.variantId, variant_name: offer.variantName },
  };
}
