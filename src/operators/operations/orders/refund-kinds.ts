/** The values of refunds, as options and as columns of a file. */
import type { RequestedRefund } from '../../../data/orders/stored-refunds';
import { referenceKey } from '../../../domain/operators/reserved-references';
import type { Exact } from '../../../domain/prices/money';
import { InvalidArgument, type Kind } from '../arguments';

/** The limits of the columns `note` and `reference` of `order_refunds`. */
const MAX_NOTE = 1_000;
export const MAX_REFERENCE = 255;

/** A note for operators; empty for none. */
export const noteText: Kind<string> = {
  placeholder: 'text',
  schema: { type: 'string', maxLength: MAX_NOTE },
  read: (written) => trimmed(written, 0, MAX_NOTE),
};

/** The reference of a refund after delivery, compared as `referenceKey` says. That of the refund of a claim is `claim-<id>`, which no other refund may have. */
export const refundReference: Kind<string> = {
  placeholder: 'text',
  schema: { type: 'string', maxLength: MAX_REFERENCE },
  read(written) {
    const reference = trimmed(written, 1, MAX_REFERENCE);
    const key = referenceKey(reference);
    if (key === '') throw new InvalidArgument('Give a reference that can be read.');
    if (/^claim-[0-9]+$/.test(key))
      throw new InvalidArgument(`${reference} is the reference of a claim's refund. Give another one.`);
    return reference;
  },
};

function trimmed(written: string, least: number, most: number): string {
  const text = written.trim();
  if (text.length >= least && text.length <= most) return text;
  throw new InvalidArgument(`Give ${least} to ${most} characters.`);
}

/** What a refund is of: units, one unit, an amount, or an amount for one unit. Undefined for any other combination. */
export function extentOf({
  units,
  unit,
  amount,
}: {
  units?: number | undefined;
  unit?: number | undefined;
  amount?: Exact | undefined;
}): RequestedRefund['extent'] | undefined {
  if (units !== undefined) return unit === undefined && amount === undefined ? { units } : undefined;
  if (amount === undefined) return unit === undefined ? undefined : { unit };
  return unit === undefined ? { amount } : { unit, amount };
}
