/** DT One's eSIM products, each of which is one plan, according to its OpenAPI 1.23.0. */
import { byWord } from '../../domain/by-word';
import { Exact } from '../../domain/prices/money';
import { GLOBAL, type SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { cannotSell, dataAmountOf, gigabytesIn, offerUnless, unlimitedData, type PlanData } from '../kit/offers';
import { numberOf } from '../kit/messages';
import { priceOf } from './prices';

export const ESIM_SERVICE = 13;
/** The type of a product with a new profile and one price. */
export const PLAN_TYPE = 'FIXED_VALUE_PIN_PURCHASE';

/** The plans of one eSIM product of ours: those of a country or of an operator. */
export interface PlanFilter {
  by: 'country_iso_code' | 'operator_id';
  value: string;
}

/** The filter of a SKU: `country:<ISO 3166-1 alpha-3>`, with `GXX` for worldwide and `EXX` for Europe, or `operator:<id>`. */
export function planFilterOf(productSku: string): PlanFilter | undefined {
  const [, country, operator] = /^(?:country:([A-Z]{3})|operator:([1-9]\d{0,9}))$/.exec(productSku) ?? [];
  if (country !== undefined) return { by: 'country_iso_code', value: country };
  return operator === undefined ? undefined : { by: 'operator_id', value: operator };
}

/** The fields of a product that make a plan. */
export interface PlanMessage {
  id: string;
  name: string;
  description?: string;
  type: string;
  operator: { id: string; name?: string; country: { iso_code: string; name: string } };
  validity?: { unit: string; quantity: string };
  prices?: unknown;
  benefits: { type: string; unit: string; amount: { base: string } }[];
}

/** Whether the plan belongs to the eSIM product of the filter. */
export function matchesFilter({ plan, productSku }: SupplierOffer, { by, value }: PlanFilter): boolean {
  return by === 'operator_id' ? productSku === `operator:${value}` : plan?.regions[0]?.code === placeOf(value);
}

/** DT One names worldwide products `GXX`, and European ones `EXX`, which is no country. */
const EUROPE = 'EXX';

export const placeOf = (isoCode: string): string => (isoCode === 'GXX' ? GLOBAL : isoCode);

/** The offer of a plan, whose list price is DT One's retail price. `inputFault`: set if it needs inputs that we lack. */
export function planOfferOf(product: PlanMessage, inputFault: string | false | undefined): SupplierOffer {
  const { operator, prices, type, description } = product;
  const { iso_code: country, name: countryName } = operator.country;
  const cost = priceOf(prices, 'wholesale');
  const listed = priceOf(prices, 'retail');
  const data = dataIn(product);
  const validityDays = product.validity && daysIn(product.validity);
  const offer = {
    family: 'ESIM' as const,
    sku: `plan:${product.id}`,
    name: product.name,
    // A plan for Europe works in several countries.
    country: country === EUROPE ? GLOBAL : placeOf(country),
    currency: listed?.currency ?? '',
    amounts: { fixed: listed ? [new Exact(listed.fixed).plus(listed.fee).toFixed()] : [] },
    ...(cost && { cost }),
    operator: operator.name ?? product.name,
    productSku: `operator:${operator.id}`,
    ...(data?.isUnlimited && description !== undefined && { terms: description }),
    ...(data &&
      validityDays !== undefined && {
        plan: {
          ...data,
          validityDays,
          regions: [{ code: placeOf(country), name: countryName }],
          networks: [],
          isRechargeable: true,
        },
      }),
    inputs: [],
  };
  return offerUnless(
    offer,
    inputFault,
    type !== PLAN_TYPE && 'It is no plan with a new eSIM and one price',
    !data && (product.benefits.some(({ type: kind }) => kind === 'DATA') ? cannotSell.data : cannotSell.minutes),
    validityDays === undefined && cannotSell.validity,
    listed === undefined && cannotSell.listPrice,
  );
}

/** DT One's mark of unlimited data. */
const UNLIMITED = -1;

/** Undefined for data in several parts, and for another unit. */
function dataIn({ benefits }: PlanMessage): PlanData | undefined {
  const [data, ...others] = benefits.filter(({ type }) => type === 'DATA');
  if (!data || others.length > 0 || !['GB', 'MB'].includes(data.unit)) return undefined;
  if (numberOf(data.amount.base) === UNLIMITED) return unlimitedData;
  const amount = dataAmountOf(data.amount.base);
  return amount === undefined ? undefined : { dataAmountGb: data.unit === 'MB' ? gigabytesIn(amount) : amount };
}

/** The days of each unit. DT One does not say how long a month is; we count 30 days. */
const daysPerUnit = byWord<number>({ HOUR: 1 / 24, DAY: 1, WEEK: 7, MONTH: 30 });

/** Undefined for an unlimited validity, and for a validity that is not a number of whole days. */
export function daysIn({ unit, quantity }: { unit: string; quantity: string }): number | undefined {
  if (!/^\d{1,5}$/.test(quantity)) return undefined;
  const perUnit = daysPerUnit[unit];
  const days = perUnit === undefined ? 0 : Math.round(Number(quantity) * perUnit * 24) / 24;
  return Number.isInteger(days) && days > 0 ? days : undefined;
}
