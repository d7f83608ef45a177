/** The eSIMs of an order. They derive from the id of the order, so that every read gives the same eSIMs. */
import { digits, iccidFrom, matchingIdFrom } from '../kit/goods';

/** One eSIM, with numbers such as the ICCID as texts. */
export interface Sim {
  readonly id: number;
  readonly iccid: string;
  readonly lpa: string;
  readonly matching_id: string;
  readonly confirmation_code: string | null;
  readonly msisdn: string | null;
}

/** Which optional parts the eSIMs of a package have. */
export interface SimTraits {
  readonly hasConfirmationCode: boolean;
  readonly hasNumber: boolean;
}

/** The eSIM with this index in the order. The confirmation code has two leading zeros. */
export function simOf(orderId: number, index: number, traits: SimTraits): Sim {
  const seed = `${orderId}/${index}`;
  return {
    // At most 50 eSIMs are in one order.
    id: orderId * 50 + index,
    iccid: iccidFrom(`8932${digits(seed, 'iccid', 13)}`),
    lpa: 'lpa.fake-airalo.example',
    matching_id: matchingIdFrom(seed),
    confirmation_code: traits.hasConfirmationCode ? `00${digits(seed, 'confirmation', 4)}` : null,
    msisdn: traits.hasNumber ? `0033${digits(seed, 'msisdn', 9)}` : null,
  };
}
