/** The goods of a purchase, derived from its id. Every read gives the same goods. */
import { digits, hash } from '../kit/goods';
import type { BareNumber } from '../kit/responses';
import type { GiftTransaction } from './gift-orders';
import { digitsOf } from './http';

interface Card {
  cardNumber: string | BareNumber | null;
  pinCode: string | BareNumber | null;
  redemptionUrl: string | null;
}

/**
 * The cards of an order. With v2, a card has a number or a link. With v1, `cardNumber` holds either of them.
 * A `CODE` has leading zeros. The number beside a PIN has 19 digits, and the PIN has a leading zero.
 */
export function cardsOf(transaction: GiftTransaction, isV2: boolean, numbers: boolean | undefined): Card[] {
  const { id, units, details } = transaction;
  const { form, lacksOneCard } = details.product;
  const count = lacksOneCard && units > 1 ? units - 1 : units;
  return Array.from({ length: count }, (_, index) => {
    const seed = `gift:${id}:${index}`;
    const pinCode = form === 'CODE_AND_PIN' ? digitsOf(`0${digits(seed, 'pin', 5)}`, numbers) : null;
    if (form !== 'LINK') {
      const number = form === 'CODE' ? `00${digits(seed, 'number', 14)}` : `6${digits(seed, 'number', 18)}`;
      return { cardNumber: digitsOf(number, numbers), pinCode, redemptionUrl: null };
    }
    const link = `https://redeem.fake-cards.example/c/${hash(seed, 'link').toString('hex').slice(0, 24)}`;
    return isV2
      ? { cardNumber: null, pinCode, redemptionUrl: link }
      : { cardNumber: link, pinCode, redemptionUrl: null };
  });
}

/** The PIN of a top-up that the recipient enters. Even ids have a code with a leading zero. */
export function topupPinOf(id: number, value: string, numbers: boolean | undefined): object {
  return {
    serial: digitsOf(`8${digits(`topup:${id}`, 'serial', 18)}`, numbers),
    info1: 'Dial *100*',
    info2: 'then the code',
    info3: 'then #',
    value,
    code: digitsOf(`${id % 2 === 0 ? '0' : '4'}${digits(`topup:${id}`, 'code', 13)}`, numbers),
    ivr: '100',
    validity: '30 days',
  };
}

/** The operator's id of a top-up. */
export function operatorIdOf(id: number, numbers: boolean | undefined): string | BareNumber {
  return digitsOf(`7${digits(`topup:${id}`, 'operator', 18)}`, numbers);
}

/** The token of a prepaid meter: 20 digits, of which even ids have a leading zero. */
export function meterTokenOf(id: number, numbers: boolean | undefined): string | BareNumber {
  return digitsOf(`${id % 2 === 0 ? '0' : '5'}${digits(`bill:${id}`, 'token', 19)}`, numbers);
}

/** The biller's id of a payment. */
export function billerReferenceOf(id: number, numbers: boolean | undefined): string | BareNumber {
  return digitsOf(`9${digits(`bill:${id}`, 'biller', 18)}`, numbers);
}
