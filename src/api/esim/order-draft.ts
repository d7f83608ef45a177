/** Creating an eSIM order. Specification, "eSIM orders". */
import Joi from 'joi';
import { findSyncedEsimOffer } from '../../catalogue/variant-sync';
import type { Client } from '../../data/clients';
import { errors } from '../../domain/errors';
import type { OrderDraft } from '../../ordering/order-creation';
import { refuseDuplicate } from '../../ordering/references';
import { validBody } from '../shared/validation';
import { variantOrderFields, type VariantOrderBody } from '../shared/variant-fields';
import { offered } from '../shared/offer';
import type { Dependencies } from '../dependencies';

/** Whatever `quantity` says, one is sold; `category` is reserved. Neither is looked at. */
const body = Joi.object<VariantOrderBody>(variantOrderFields);

/** The draft of an eSIM order. Throws what is wrong with the body, by the contract's messages. */
export async function esimDraft(
  tools: Pick<Dependencies, 'database' | 'suppliers'>,
  client: Client,
  json: Record<string, unknown>,
): Promise<OrderDraft> {
  const order = validBody(body, json);
  await refuseDuplicate(tools.database, client, order.client_reference);
  const found = await findSyncedEsimOffer(tools, client, order.product_id, order.amount);
  const offer = offered(found, () => errors.notFound('Variant'));
  return {
    offer,
    quantity: 1,
    asynchronous: false,
    walletId: order.wallet_id,
    clientReference: order.client_reference,
    redeemVoucherCode: order.redeem_voucher_code,
    details: {
      variant_id: offer.variantId,
      data_amount_gb: offer.dataAmountGb.toFixed(),
      validity_days: offer.validityDays,
    },
  };
}
