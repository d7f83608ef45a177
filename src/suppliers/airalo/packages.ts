/** Airalo's packages as offers: each is a plan of the eSIM product of its country or region. */
import Joi from 'joi';
import { Exact } from '../../domain/prices/money';
import type { SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { decimal, MAX_ROWS, optionalText, read, text } from '../kit/messages';
import {
  cannotSell,
  decimalText,
  gigabytesIn,
  offerUnless,
  regionOf,
  unlimitedData,
  unreadableOffer,
} from '../kit/offers';

/** The currency of the prices that we read. Airalo lists each price in several, and our account may have another one. */
const CURRENCY = 'USD';

type Prices = Readonly<Record<string, string | undefined>>;

interface PackageMessage {
  id: string;
  type: string;
  title: string;
  /** Megabytes. */
  amount: number;
  day: number;
  is_unlimited: boolean;
  prices: { net_price?: Prices; recommended_retail_price?: Prices };
  fair_usage_policy?: string;
}

interface OperatorMessage {
  title?: string;
  activation_policy?: string;
  countries?: unknown[];
  other_info?: string;
  packages: unknown[];
}

/** A country or a region: one eSIM product of ours. */
interface PlaceMessage {
  slug: string;
  country_code?: string;
  image?: unknown;
  operators: OperatorMessage[];
}

interface PackagesMessage {
  pricing: { model: string; discount_percentage?: string };
  data: PlaceMessage[];
  links?: unknown;
}

const list = Joi.array().max(MAX_ROWS);
const prices = Joi.object({ [CURRENCY]: decimalText.empty(null) }).empty(null);

const listSchema = Joi.object<PackagesMessage>({
  pricing: Joi.object({ model: text.required(), discount_percentage: decimal.empty(['', null]) }).required(),
  data: list
    .items(
      Joi.object({
        slug: text.required(),
        country_code: optionalText,
        image: Joi.any(),
        operators: list
          .items(
            Joi.object({
              title: optionalText,
              activation_policy: optionalText,
              countries: Joi.array().empty(null),
              other_info: optionalText,
              packages: list.required(),
            }),
          )
          .required(),
      }),
    )
    .required(),
  links: Joi.any(),
});

/** Packages are read separately: a package in an unknown form is not on sale, and the others still are. */
const packageSchema = Joi.object<PackageMessage>({
  id: text.required(),
  type: text.required(),
  title: text.required(),
  amount: Joi.number().min(0).required(),
  // A hundred years, so that the end of the validity is a valid date.
  day: Joi.number().integer().min(1).max(36_500).required(),
  is_unlimited: Joi.boolean().required(),
  prices: Joi.object({ net_price: prices, recommended_retail_price: prices }).required(),
  fair_usage_policy: optionalText,
});

const countrySchema = Joi.object<{ country_code: string; title: string }>({
  country_code: text.required(),
  title: text.required(),
});

/** The form of the links is not documented. Links in another form count as a list without further pages. */
const linksSchema = Joi.object<{ next?: string }>({ next: optionalText });
const imageSchema = Joi.object<{ url: string }>({ url: text.uri().required() });
const namedSchema = Joi.object<{ id: string; title: string }>({
  id: text.pattern(/^[\w.+-]{1,200}$/).required(),
  title: text.required(),
});

/** The type of a package that recharges an eSIM of its operator. */
const TOPUP = 'topup';
const typedSchema = Joi.object<{ type: string }>({ type: text.required() });

const topupsSchema = Joi.object<{ data: { id: string }[] }>({
  data: list.items(Joi.object({ id: text.required() })).required(),
});

/** The ids of the packages that recharge one eSIM. */
export function readTopups(body: unknown): string[] | undefined {
  return read(topupsSchema, body)?.data.map(({ id }) => id);
}

/** The offers of all packages. Undefined unless the response is the whole list. A package without id or title is left out. */
export function readOffers(body: unknown): SupplierOffer[] | undefined {
  const message = read(listSchema, body);
  const hasMorePages = read(linksSchema, message?.links)?.next !== undefined;
  if (!message || hasMorePages) return undefined;
  return message.data.flatMap((place) =>
    place.operators.flatMap((operator) =>
      operator.packages.flatMap((sent) => offerOf(sent, { place, operator, pricing: message.pricing }) ?? []),
    ),
  );
}

interface Context {
  place: PlaceMessage;
  operator: OperatorMessage;
  pricing: PackagesMessage['pricing'];
}

function offerOf(sent: unknown, { place, operator, pricing }: Context): SupplierOffer | undefined {
  const named = read(namedSchema, sent);
  if (!named) return undefined;
  const sold = read(packageSchema, sent);
  if (!sold) return unreadableOffer('ESIM', named.id, named.title);
  const { title, other_info: installation } = operator;
  const cost = costOf(sold, pricing);
  const price = sold.prices.recommended_retail_price?.[CURRENCY];
  const imageUrl = read(imageSchema, place.image)?.url;
  return offerUnless(
    {
      family: 'ESIM',
      sku: sold.id,
      name: sold.title,
      currency: CURRENCY,
      productSku: place.slug,
      amounts: { fixed: price === undefined ? [] : [price] },
      ...(cost !== undefined && { cost: { fixed: cost, fee: '0', currency: CURRENCY } }),
      ...(place.country_code !== undefined && { country: place.country_code }),
      operator: title ?? place.slug,
      plan: termsOf(sold, operator),
      ...(imageUrl !== undefined && { imageUrl }),
      ...(sold.fair_usage_policy !== undefined && { terms: sold.fair_usage_policy }),
      ...(installation !== undefined && { installation }),
      inputs: [],
    },
    !['sim', TOPUP].includes(sold.type) && 'It is no eSIM and no recharge of one',
    price === undefined && cannotSell.listPrice,
  );
}

function termsOf(
  { amount, day: validityDays, is_unlimited: isUnlimited, type }: PackageMessage,
  { activation_policy: activationPolicy, countries = [], packages }: OperatorMessage,
): NonNullable<SupplierOffer['plan']> {
  return {
    ...(isUnlimited ? unlimitedData : { dataAmountGb: gigabytesIn(amount) }),
    validityDays,
    regions: countries.flatMap((country) => {
      const known = read(countrySchema, country);
      return known ? [regionOf(known.country_code, known.title)] : [];
    }),
    networks: [],
    isRechargeable: packages.some((sent) => read(typedSchema, sent)?.type === TOPUP),
    ...(type === TOPUP && { isRechargeOnly: true }),
    ...(activationPolicy !== undefined && { activationPolicy }),
  };
}

/** Our cost: the net price, or the retail price less our discount. */
function costOf(
  { prices: { net_price: net, recommended_retail_price: retail } }: PackageMessage,
  { model, discount_percentage: percent }: PackagesMessage['pricing'],
): string | undefined {
  if (model === 'net_pricing') return net?.[CURRENCY];
  const full = retail?.[CURRENCY];
  if (model !== 'discount_pricing' || full === undefined || percent === undefined) return undefined;
  return new Exact(100).minus(percent).times(full).dividedBy(100).toFixed();
}
