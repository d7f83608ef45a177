/** Which products can recharge a mobile number. docs/specification.md#top-up-products-variants-charges. */
import { parsePhoneNumberFromString, type NumberType, type PhoneNumber } from 'libphonenumber-js/max';
import { alpha3Of, mobileTopupsOf } from '../../data/catalogue/topups';
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { errors } from '../../domain/errors';

const mobileTypes: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];

/** 400 `Invalid mobile number` for a number that is none, or of a line that cannot be mobile. */
export async function mobileLookup(database: Database, client: Client, text: string) {
  const number = mobileNumber(text);
  const countryCode = number?.country && (await alpha3Of(database, number.country));
  if (!number || !countryCode) throw errors.validation('Invalid mobile number');
  const products = await mobileTopupsOf(database, client, countryCode);
  const [operator, ...others] = new Set(products.map((product) => product.operatorName));
  return {
    number: number.number,
    country_code: countryCode,
    // Numbers move between operators: one is named only where we sell no other's products.
    operator_name: others.length === 0 ? (operator ?? null) : null,
    products: products.map((product) => product.id),
  };
}

/** Takes international numbers with `+`, `00` or nothing before the country code. */
function mobileNumber(text: string): PhoneNumber | undefined {
  const digits = text.trim().replace(/^(\+|00)/, '');
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  const isMobile = number && !number.ext && mobileTypes.includes(number.getType());
  return isMobile ? number : undefined;
}
