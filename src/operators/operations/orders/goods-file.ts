/** The file of `orders resolve ... --goods`: goods received from the supplier out of band. */
import Joi from 'joi';
import type { Family } from '../../../domain/orders/families';
import { profileFault, normalised, voucherFault } from '../../../domain/orders/usable-goods';
import type { Goods } from '../../../domain/orders/goods';
import type { SafeText } from '../../../domain/safe-text';
import { expiryOf } from '../../../domain/time';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readJsonItems } from '../files/json-items';

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

const voucherLine = Joi.object<VoucherLine, true>({
  card_number: text,
  pin_code: text,
  claim_url: text,
  expires_at: text.custom((expiry: string, helpers) =>
    expiryOf(expiry) === undefined ? helpers.error('any.invalid') : expiry,
  ),
  voucher_reference_number: text,
}).or('card_number', 'claim_url');

const profileLine = Joi.object<EsimLine, true>({ iccid: text.required(), activation_code: text.required() });

/** The vouchers of the largest order. */
const MAX_GOODS = 5_000;

/** `now`: at which the goods must be usable. */
interface GoodsSettings {
  family: Family;
  now: Date;
}

/** Reads a JSON array of goods with the API's field names. Throws `InvalidArgument` if one is not usable. The error reveals no codes. */
export function readGoodsFile(file: GivenFile, { family, now }: GoodsSettings): { goods: Goods[] } {
  const read = goodsReaders[family];
  if (!read) throw new InvalidArgument('A top-up has no goods: omit --goods');
  const goods: Goods[] = [];
  readJsonItems(file, { lists: 'file', maxItems: MAX_GOODS, items: 'goods' }, ({ value }) =>
    goods.push(read(value, goods.length, now)),
  );
  if (goods.length === 0 || (family === 'ESIM' && goods.length > 1))
    throw new InvalidArgument(`${file.name}: ${faultAt('the top')}`);
  return { goods };
}

const goodsReaders: Readonly<Record<Family, ((value: unknown, index: number, now: Date) => Goods) | undefined>> = {
  VOUCHER: (value, index, now) => voucherOf(valid(voucherLine, value, index), now),
  ESIM: (value, index) => profileOf(valid(profileLine, value, index)),
  TOPUP: undefined,
};

function valid<T>(schema: Joi.ObjectSchema<T>, content: unknown, index: number): T {
  const checked = schema.validate(content);
  // Only the path of the fault: the message of Joi's error may contain codes.
  if (checked.error) throw new InvalidArgument(faultAt([index, ...(checked.error.details[0]?.path ?? [])].join('.')));
  return checked.value;
}

const faultAt = (place: string) => `The goods are not valid at ${place}: correct the file`;

function voucherOf(line: VoucherLine, now: Date): Goods {
  const expiry = line.expires_at === undefined ? null : expiryOf(line.expires_at);
  const voucher = normalised({
    kind: 'voucher' as const,
    ...(line.card_number && { cardNumber: line.card_number }),
    ...(line.pin_code && { pinCode: line.pin_code }),
    ...(line.claim_url && { claimUrl: line.claim_url }),
    ...(expiry && { expiresAt: expiry.toISOString() }),
    ...(line.voucher_reference_number && { referenceNumber: line.voucher_reference_number }),
  });
  return usable('voucher', voucher, voucherFault(voucher, now));
}

function profileOf({ iccid, activation_code: activationCode }: EsimLine): Goods {
  const profile = normalised({ kind: 'esim' as const, iccid, activationCode });
  return usable('profile', profile, profileFault(profile));
}

function usable<G extends Goods>(name: string, goods: G, fault: SafeText | undefined): G {
  if (fault !== undefined) throw new InvalidArgument(`The ${name} is not usable: ${fault}. Correct the file`);
  return goods;
}
