/** The file of `orders resolve ... --goods`: goods received from the supplier out of band. */
import Joi from 'joi';
import type { Family } from '../../../domain/orders/families';
import { profileFault, normalised, voucherFault } from '../../../domain/orders/usable-goods';
import type { Goods } from '../../../domain/orders/goods';
import type { SafeText } from '../../../domain/safe-text';
import { expiryOf } from '../../../domain/time';
import type { NamedText } from '../arguments';
import { jsonIn } from '../json-file';

interface VoucherLine {
  card_number?: string;
  pin_code?: string;
  claim_url?: string;
  expires_at?: string;
  voucher_reference_number?: string;
}

interface EsimLine {
  iccid: string;
  activation_code: string;
}

/** The schema checks only that codes are text. `voucherFault` and `profileFault` check their content. */
const text = Joi.string();

const vouchers = Joi.array<VoucherLine[]>()
  .items(
    Joi.object({
      card_number: text,
      pin_code: text,
      claim_url: text,
      expires_at: text.custom((expiry: string, helpers) =>
        expiryOf(expiry) === undefined ? helpers.error('any.invalid') : expiry,
      ),
      voucher_reference_number: text,
    }).or('card_number', 'claim_url'),
  )
  .min(1)
  .required();

const profiles = Joi.array<EsimLine[]>()
  .items(Joi.object<EsimLine>({ iccid: text.required(), activation_code: text.required() }))
  .length(1)
  .required();

/** Reads a JSON array of goods with the API's field names. Throws if one is not usable. The error reveals no codes. */
export function readGoodsFile(family: Family, file: NamedText): Goods[] {
  const content = jsonIn(file);
  switch (family) {
    case 'VOUCHER':
      return valid(vouchers, content).map(voucherOf);
    case 'ESIM':
      return valid(profiles, content).map(profileOf);
    case 'TOPUP':
      throw new Error('A top-up has no goods: omit --goods');
  }
}

function valid<T>(schema: Joi.AnySchema<T>, content: unknown): T {
  const checked = schema.validate(content);
  // Only the path of the fault: the message of Joi's error may contain codes.
  if (checked.error)
    throw new Error(
      `The goods are not valid at ${checked.error.details[0]?.path.join('.') || 'the top'}: correct the file`,
    );
  return checked.value;
}

function voucherOf(line: VoucherLine): Goods {
  const expiry = line.expires_at === undefined ? null : expiryOf(line.expires_at);
  const voucher = normalised({
    kind: 'voucher' as const,
    ...(line.card_number && { cardNumber: line.card_number }),
    ...(line.pin_code && { pinCode: line.pin_code }),
    ...(line.claim_url && { claimUrl: line.claim_url }),
    ...(expiry && { expiresAt: expiry.toISOString() }),
    ...(line.voucher_reference_number && { referenceNumber: line.voucher_reference_number }),
  });
  return usable('voucher', voucher, voucherFault(voucher, new Date()));
}

function profileOf({ iccid, activation_code: activationCode }: EsimLine): Goods {
  const profile = normalised({ kind: 'esim' as const, iccid, activationCode });
  return usable('profile', profile, profileFault(profile));
}

function usable<G extends Goods>(name: string, goods: G, fault: SafeText | undefined): G {
  if (fault !== undefined) throw new Error(`The ${name} is not usable: ${fault}. Correct the file`);
  return goods;
}
