/**
 * The adapter of Zendit (API v1): gift cards, top-ups and eSIMs. One purchase is one unit. A purchase is accepted first and ends
 * later, so a lookup delivers its goods. Zendit does not say what a second purchase with a known reference does.
 */
import { familyIds, type Family } from '../../domain/orders/families';
import { Exact } from '../../domain/prices/money';
import { planOf } from '../../domain/prices/supplier-catalogue';
import { safeText, type SafeText } from '../../domain/safe-text';
import { minute } from '../../domain/time';
import { json } from '../kit/exchange';
import { createHttp, type SupplierHttp, type TimeLimits } from '../kit/http';
import { allPages, MAX_PAGE_BYTES, MAX_PLANS_BYTES, MAX_STATUS_BYTES, withoutRepeats } from '../kit/limits';
import { isSecret, parseJson } from '../kit/messages';
import { noSuchProduct, unlessTooLong } from '../kit/reports';
import type {
  EsimPlan,
  LookupReport,
  PurchaseLookup,
  PurchaseReport,
  PurchaseRequest,
  PushHint,
  ReceivedPush,
  SoldPurchase,
  Supplier,
  SupplierOffer,
  SupplierTraits,
} from '../../domain/suppliers/port';
import { SupplierUnavailable } from '../../domain/suppliers/supplier-errors';
import { classify, esimFilterOf, readBalances, readEsimStatus, readPage } from './messages';
import { codes, ZENDIT_NOT_FOUND } from './error-codes';
import { readOffer } from './offers';
import {
  isReversed,
  readAccepted,
  readLookup,
  readPurchase,
  readSold,
  referenceOf,
  rejectionReportOf,
  transactionIdOf,
} from './purchases';

const PAGE_SIZE = 100;
/** Enough for a hundred thousand purchases or offers of one family. */
const MAX_PAGES = 1_000;

/** The header of webhooks that holds our secret. Its name and its value are set in Zendit's console. */
export const PUSH_HEADER = 'x-webhook-secret';

export interface ZenditOptions extends TimeLimits {
  /** Such as `https://api.zendit.io/v1`. */
  url: string;
  /** The API key. It selects test mode or production, which share the host. */
  key: string;
  /** The value of `PUSH_HEADER`. Without it, no push is accepted. */
  webhookSecret?: string | undefined;
}

const traits: SupplierTraits = {
  // Zendit does not say what a repeated `transactionId` does, so the worst case counts.
  repeatedReference: 'buys-again',
  lookup: 'by-reference',
  // Zendit does not say how soon a lookup shows a purchase. Our requests end after 15 s.
  lookupConclusiveAfterMs: 5 * minute,
  maxUnits: 1,
  concurrency: 'unlimited',
  // Zendit's webhooks are about purchases only.
  pushesEsims: false,
};

/** The supplier port over Zendit's API. */
export function createZenditSupplier(options: ZenditOptions): Supplier {
  const { url, key, webhookSecret } = options;
  const http = createHttp({
    supplier: safeText`zendit`,
    url,
    authorization: () => ({ authorization: `Bearer ${key}` }),
    classify,
    codes,
    timeLimits: options,
  });
  return {
    name: 'zendit',
    traits,
    purchase: (request, mayBeSent) => purchase(http, request, mayBeSent),
    find: (lookup) => unlessTooLong(find(http, lookup)),
    balances: () => http.read({ path: safeText`/balance`, maxBytes: MAX_STATUS_BYTES, parse: readBalances }),
    catalogue: () => catalogue(http),
    esimPlans: (productSku) => esimPlans(http, productSku),
    rechargePlans: ({ sku }) => rechargePlans(http, sku),
    esimStatus: (iccid) =>
      http.read({
        path: safeText`/esim/:iccid/plans`,
        params: { iccid },
        unknownProfile: [ZENDIT_NOT_FOUND],
        maxBytes: MAX_PAGE_BYTES,
        parse: readEsimStatus,
      }),
    statement: (since) => statement(http, since),
    ...(webhookSecret !== undefined && { verifyPush: (push: ReceivedPush) => hintOf(webhookSecret, push) }),
  };
}

const purchasePaths: Readonly<Record<Family, SafeText>> = {
  TOPUP: safeText`/topups/purchases`,
  VOUCHER: safeText`/vouchers/purchases`,
  ESIM: safeText`/esim/purchases`,
};

async function purchase(
  http: SupplierHttp,
  request: PurchaseRequest,
  mayBeSent: () => boolean,
): Promise<PurchaseReport> {
  const { reference, family } = request;
  const terms = termsOf(request);
  if (!terms) return noSuchProduct(NO_SUCH_PRODUCT);
  return http.buy({
    reference,
    mayBeSent,
    path: purchasePaths[family],
    body: json({ transactionId: transactionIdOf(reference), ...terms }),
    maxBytes: MAX_PAGE_BYTES,
    parse: (body) => readAccepted(body, reference),
    rejectionOf: (code) => rejectionReportOf(code, code === ZENDIT_NOT_FOUND ? 'not-here' : undefined),
  });
}

const NO_SUCH_PRODUCT = safeText`The SKU, the amount and the input of the order name no offer of Zendit`;

/**
 * The offer, the recipient and the value of a purchase. The SKU is `plan:<offer id>` for an eSIM plan,
 * `fixed:<offer id>:<currency>:<amount>` for an offer with one amount, and `range:<offer id>:<currency>:<divisor>` for an
 * offer that takes the ordered amount, where `divisor` is that of the currency. Undefined if the order does not fit the SKU, for
 * example because an offer with one amount would deliver another amount. The purchase of an eSIM names an ICCID only to
 * recharge it.
 */
function termsOf(request: PurchaseRequest): object | undefined {
  const { family, sku, input: { phone_number: phone } = {}, recharged } = request;
  const [, kind, offerId, detail] = /^(plan|fixed|range):([^:\s]{1,200})(?::(\S+))?$/.exec(sku) ?? [];
  if (family === 'ESIM') {
    if (kind !== 'plan' || detail !== undefined) return undefined;
    return { offerId, ...(recharged && { iccid: recharged.iccid }) };
  }
  if (detail === undefined || kind === 'plan') return undefined;
  const value = kind === 'fixed' ? fixedValue(detail, request) : valueInRange(detail, request);
  if (!value) return undefined;
  if (family === 'VOUCHER') return { offerId, fields: [], ...value };
  return phone?.startsWith('+') ? { offerId, recipientPhoneNumber: phone, ...value } : undefined;
}

/** Empty for the offer's only amount, because its purchase names no value. Undefined if the order has another amount. */
function fixedValue(detail: string, { unitValue, currency }: PurchaseRequest): object | undefined {
  const [, skuCurrency, amount] = /^([A-Z]{3}):(\d+(?:\.\d+)?)$/.exec(detail) ?? [];
  if (amount === undefined || skuCurrency !== currency) return undefined;
  return new Exact(amount).equals(unitValue) ? {} : undefined;
}

/** The value that the recipient gets (`ZEND`), as an integer in the minor units of its currency. */
function valueInRange(detail: string, { unitValue, currency }: PurchaseRequest): object | undefined {
  const [, skuCurrency, divisor] = /^([A-Z]{3}):(10{0,4})$/.exec(detail) ?? [];
  if (divisor === undefined || skuCurrency !== currency) return undefined;
  const value = new Exact(unitValue).times(divisor).toNumber();
  return Number.isSafeInteger(value) ? { value: { type: 'ZEND', value } } : undefined;
}

const lookupPaths: Readonly<Record<Family, SafeText>> = {
  TOPUP: safeText`/topups/purchases/:transactionId`,
  VOUCHER: safeText`/vouchers/purchases/:transactionId`,
  ESIM: safeText`/esim/purchases/:transactionId`,
};

async function find(http: SupplierHttp, lookup: PurchaseLookup): Promise<LookupReport> {
  const { reference, family } = lookup;
  const answer = await http.call({
    method: 'GET',
    path: lookupPaths[family],
    params: { transactionId: transactionIdOf(reference) },
    maxBytes: MAX_PAGE_BYTES,
  });
  if (!answer.ok && answer.rejection.code === ZENDIT_NOT_FOUND) return { state: 'NOT_FOUND' };
  const report = answer.ok ? readLookup(answer.body, lookup) : undefined;
  if (!report) throw new SupplierUnavailable(safeText`zendit: unreadable answer to a lookup`);
  return report;
}

/** The plans of a country or a brand. */
async function esimPlans(http: SupplierHttp, productSku: string): Promise<EsimPlan[]> {
  const filter = esimFilterOf(productSku);
  if (!filter) throw new SupplierUnavailable(safeText`zendit: the SKU of an eSIM product is no country and no brand`);
  const { by, value } = filter;
  const isWanted = ({ country, productSku: sku }: SupplierOffer) =>
    by === 'brand' ? sku === productSku : country === value;
  const plans: EsimPlan[] = [];
  for await (const page of listed(http, offerPaths.ESIM, { [by]: value }, readOffer('ESIM')))
    plans.push(...page.filter(isWanted).flatMap((offer) => planOf(offer) ?? []));
  return plans;
}

/** The SKUs of all plans of the brand or country whose plan the profile was sold with. Zendit does not document which plans fit. */
async function rechargePlans(http: SupplierHttp, sku: string): Promise<string[]> {
  const [, offerId] = /^plan:(\S{1,200})$/.exec(sku) ?? [];
  if (offerId === undefined) return [];
  const productSku = await http.read({
    path: safeText`/esim/offers/:offerId`,
    params: { offerId },
    maxBytes: MAX_PAGE_BYTES,
    parse: (body) => readOffer('ESIM')(body)?.[0].productSku,
  });
  return (await esimPlans(http, productSku)).map((plan) => plan.sku);
}

const offerPaths: Readonly<Record<Family, SafeText>> = {
  VOUCHER: safeText`/vouchers/offers`,
  TOPUP: safeText`/topups/offers`,
  ESIM: safeText`/esim/offers`,
};

/** Every offer of the three families. A page that lacks a row is unreadable, so no short list ends without an error. */
async function* catalogue(http: SupplierHttp): AsyncGenerator<SupplierOffer[]> {
  for (const family of familyIds) yield* listed(http, offerPaths[family], {}, readOffer(family));
}

/** Drops a repeated row, because a purchase that ends during the reading moves other purchases to a later page. */
async function* statement(http: SupplierHttp, since: Date): AsyncGenerator<SoldPurchase[]> {
  const query = { createdAt: `gte${since.toISOString()}`, status: 'DONE' };
  for (const path of Object.values(purchasePaths)) {
    const rows = listed(http, path, query, readSold);
    for await (const fresh of withoutRepeats(rows, ({ key }) => key)) yield fresh.map(({ sold }) => sold);
  }
}

/** Every row of a list, page by page. */
function listed<T>(
  http: SupplierHttp,
  path: SafeText,
  query: Readonly<Record<string, string>>,
  readRow: (row: unknown) => T[] | undefined,
): AsyncGenerator<T[]> {
  return allPages(MAX_PAGES, (page) => {
    const offset = (page - 1) * PAGE_SIZE;
    return http.read({
      path,
      query: { ...query, _limit: PAGE_SIZE, _offset: offset },
      maxBytes: MAX_PLANS_BYTES,
      parse: (body) => readPage(body, { offset, size: PAGE_SIZE }, readRow),
    });
  });
}

/** Zendit signs nothing: only the secret proves that the push is its own. */
function hintOf(expected: string, { headers, rawBody }: ReceivedPush): PushHint | undefined {
  if (!isSecret(headers[PUSH_HEADER] ?? '', expected)) return undefined;
  const message = readPurchase(parseJson(rawBody.toString('utf8')));
  if (!message) return undefined;
  return { kind: isReversed(message) ? 'reversal' : 'purchase', reference: referenceOf(message.transactionId) };
}
