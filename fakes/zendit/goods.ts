/** The goods of a purchase, derived from Zendit's own id, so that every read gives the same goods. */
import { digits, hash, iccidFrom, matchingIdFrom, pinFrom } from '../kit/goods';

export const pinOf = (id: bigint) => pinFrom(seedOf(id));

/** The page where the recipient redeems a voucher without a code. */
export function redemptionUrlOf(id: bigint): string {
  return `https://redeem.zendit.example/${hash(seedOf(id), 'redemption').toString('hex').slice(0, 24)}`;
}

export interface Profile {
  readonly iccid: string;
  readonly smdpAddress: string;
  readonly matchingId: string;
}

/** An installable eSIM. */
export function profileOf(id: bigint): Profile {
  return {
    iccid: iccidFrom(`8944${digits(seedOf(id), 'iccid', 13)}`),
    smdpAddress: 'smdp.roam-world.example',
    matchingId: matchingIdFrom(seedOf(id)),
  };
}

/** The provider's confirmation of a top-up or a voucher. */
export function confirmationNumberOf(id: bigint): string {
  return `0${digits(seedOf(id), 'confirmation', 11)}`;
}

/** Names the supplier, because purchases of two suppliers may have the same id. */
const seedOf = (id: bigint) => `zendit ${id}`;
