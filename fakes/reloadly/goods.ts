/** The goods of a purchase, derived from its id. Every read gives the same goods. */
import { createHash } from 'node:crypto';
import type { BareNumber } from '../kit/responses';
import type { GiftTransaction } from './gift-orders';
import { digitsOf } from './http';

interface Card {
  cardNumber: string | BareNumber | null;
  pinCode: string | BareNumber | null;
  redemptionUrl: string | null;
}

/**
 * The cards of an order. With v2, a card has a number or a link. With v1, `cardNumber` has either.
 * A `CODE` has leading zeros. The number beside a PIN has 19 digits, and the PIN has a leading zero.
 */
export function cardsOf(transaction: GiftTransaction, isV2: boolean, numbers: boolean | undefined): Card[] {
  const { id, units, details } = transaction;
  const { form, lacksOneCard } = details.product;
  const count = lacksOneCard && units > 1 ? units - 1 : units;
  return Array.from({ length: count }, (_, index) => {
    const seed = `gift:${id}:${index}`;
    const pinCode = form === 'CODE_AND_PIN' ? digitsOf(`0${digits(`${seed}:pin`, 5)}`, numbers) : null;
    if (form !== 'LINK') {
      const number = form === 'CODE' ? `00${digits(seed, 14)}` : `6${digits(seed, 18)}`;
      return { cardNumber: digitsOf(number, numbers), pinCode, redemptionUrl: null };
    }
    const link = `https://redeem.fake-cards.example/c/${letters(seed, 24)}`;
    return isV2
      ? { cardNumber: null, pinCode, redemptionUrl: link }
      : { cardNumber: link, pinCode, redemptionUrl: null };
  });
}

/** The PIN of a top-up that the recipient enters. Even ids have a code with a leading zero. */
export function topupPinOf(id: number, value: string, numbers: boolean | undefined): object {
  return {
    serial: digitsOf(`8${digits(`topup:${id}:serial`, 18)}`, numbers),
    info1: 'Dial *100*',
    info2: 'then the code',
    info3: 'then #',
    value,
    code: digitsOf(`${id % 2 === 0 ? '0' : '4'}${digits(`topup:${id}`, 13)}`, numbers),
    ivr: '100',
    validity: '30 days',
  };
}

/** The operator's id of a top-up. */
export function operatorIdOf(id: number, numbers: boolean | undefined): string | BareNumber {
  return digitsOf(`7${digits(`operator:${id}`, 18)}`, numbers);
}

/** The token of a prepaid meter: 20 digits, of which even ids have a leading zero. */
export function meterTokenOf(id: number, numbers: boolean | undefined): string | BareNumber {
  return digitsOf(`${id % 2 === 0 ? '0' : '5'}${digits(`bill:${id}`, 19)}`, numbers);
}

/** The biller's id of a payment. */
export function billerReferenceOf(id: number, numbers: boolean | undefined): string | BareNumber {
  return digitsOf(`9${digits(`biller:${id}`, 18)}`, numbers);
}

function digits(seed: string, count: number): string {
  const number = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`);
  return number.toString().padStart(count, '0').slice(-count);
}

function letters(seed: string, count: number): string {
  return createHash('sha256').update(seed).digest('hex').slice(0, count);
}
