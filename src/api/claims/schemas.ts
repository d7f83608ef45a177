/** A claim as clients file and read it. docs/specification.md#claims. */
import type { Response } from 'express';
import Joi from 'joi';
import type { ClientClaim } from '../../data/orders/client-claims';
import {
  claimKinds,
  claimOutcomes,
  claimStates,
  MAX_CLAIM_TEXT,
  type ClaimKind,
} from '../../domain/orders/claim-kinds';
import { familyIds, type Family } from '../../domain/orders/families';
import { orderField, type Sealer } from '../../security/sealing';
import {
  enumText,
  extensibleEnumText,
  id,
  named,
  model,
  orNull,
  text,
  time,
  type SchemaFields,
} from '../openapi/schema';
import { bodyId, integer, unavailable } from '../orders/order-fields';
import { seesRecipients } from '../orders/recipients';
import { maxCharacters } from '../shared/validation';

export const claimState = named(
  'ClaimState',
  extensibleEnumText(
    'The state of a claim. An `ACCEPTED` claim without an outcome waits for its refund or its replacement.',
    claimStates,
  ),
);

/** The fields of a claim besides its text. Events have these. */
export const claimFields: SchemaFields = {
  id: id('The claim.', 7),
  order_id: id('The order.'),
  order_family: extensibleEnumText('The family of the order.', familyIds, 'VOUCHER'),
  unit: orNull(id('The claimed unit of a voucher order, from 1; null for other families.', 1)),
  kind: extensibleEnumText('What is wrong with the goods.', claimKinds),
  state: claimState,
  outcome: orNull(enumText('What you got for the unit; null until then.', claimOutcomes)),
  replacement_order_id: orNull(id('The order that replaces the unit.', 18)),
  created_at: time('When it was filed.'),
  due_at: time('When we answer at the latest.', '2026-02-05T12:00:00.000Z'),
  closed_at: orNull(time('When it was closed; null until then.', '2026-02-01T12:00:00.000Z')),
};

export const claimSchema = model('Claim', 'A claim about delivered goods.', {
  ...claimFields,
  text: text(
    'Your text; empty once it is erased, and for members who do not see recipients.',
    'The shop says that the card has no value.',
  ),
});

export interface ClaimBody {
  kind: ClaimKind;
  text: string;
  unit?: number;
}

// A unit above every possible one is not delivered.
const unit = bodyId(integer)
  .description('The unit of the voucher order, from 1.')
  .example(1)
  .messages({ 'any.required': 'unit is required', '*': 'unit is invalid' });

const bodyOf = (fields: Joi.SchemaMap) =>
  Joi.object<ClaimBody>({
    kind: Joi.valid(...claimKinds)
      .required()
      .description('What is wrong with the goods. `UNUSED`: an eSIM that is not installed, to be refunded.')
      .example('INVALID_CODE')
      .messages({ 'any.required': 'kind is required', '*': 'kind is invalid' }),
    ...fields,
    text: Joi.string()
      .required()
      .custom(maxCharacters(MAX_CLAIM_TEXT))
      .meta({ schema: { maxLength: MAX_CLAIM_TEXT } })
      .description('What happened, in your words. Name no other customer.')
      .example('The shop says that the card has no value.')
      .messages({
        'any.required': 'text is required',
        'string.empty': 'text is required',
        'text.long': `text is too long (max ${MAX_CLAIM_TEXT} characters)`,
        '*': 'text is invalid',
      }),
  });

const ofVouchers = bodyOf({ unit: unit.required() });
const ofOthers = bodyOf({
  unit: unavailable('Leave it out: the order has one unit.', 'unit is not available for this order'),
});

/** The body of a claim about an order of the family. */
export const claimBody = (family: Family) => (family === 'VOUCHER' ? ofVouchers : ofOthers);

/** The claim as the caller reads it. Its text may name the recipient. */
export function claimView({ sealer }: { sealer: Sealer }, response: Response, claim: ClientClaim) {
  const { createdAt, dueAt, closedAt } = claim;
  const said = seesRecipients(response) && sealer.openForView(orderField(claim.nonce, 'claim'), claim.sealedText);
  return {
    id: claim.id,
    order_id: claim.orderId,
    order_family: claim.family,
    unit: claim.unit,
    kind: claim.kind,
    text: said || '',
    state: claim.state,
    outcome: claim.outcome,
    replacement_order_id: claim.replacementOrderId,
    created_at: createdAt.toISOString(),
    due_at: dueAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
  };
}
