/** Phone numbers and the networks they belong to. */
import { apiError } from './errors';
import { networks, type Network, type Operator } from './operator-catalogue';

export interface Phone {
  countryCode: string;
  number: string;
}

/** The digits after the country's code, or undefined if the number cannot be one of the network's country. */
function nationalNumber(number: string, { dial, length }: Network): string | undefined {
  const digits = number.replace(/^\+/, '');
  const isFull = digits.length === dial.length + length && digits.startsWith(dial);
  const national = isFull ? digits.slice(dial.length) : digits;
  return /^\d+$/.test(national) && national.length === length ? national : undefined;
}

/** Returns the national number, or throws the error of a number that the operator cannot recharge. */
export function checkedRecipient({ countryCode, number }: Phone, { network }: Operator): string {
  const iso = countryCode.toUpperCase();
  if (!networks.some(({ country }) => country.isoName === iso)) throw apiError('COUNTRY_NOT_SUPPORTED');
  if (iso !== network.country.isoName) throw apiError('OPERATOR_AND_RECIPIENT_PHONE_MISMATCH');
  const national = nationalNumber(number, network);
  if (national === undefined) throw apiError('INVALID_RECIPIENT_PHONE');
  const own = detectedNetwork(national, iso);
  if (own !== undefined && own !== network) throw apiError('OPERATOR_AND_RECIPIENT_PHONE_MISMATCH');
  return national;
}

/** The network of a number with or without the country's code; undefined if none has it. */
function detectedNetwork(number: string, isoName: string): Network | undefined {
  return networks.find((network) => {
    const national = nationalNumber(number, network);
    return network.country.isoName === isoName && national !== undefined && isOf(national, network);
  });
}

function isOf(national: string, { prefixes }: Network): boolean {
  return prefixes.includes(national.charAt(0));
}
