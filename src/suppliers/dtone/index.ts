/**
 * The adapter of DT One (Digital Value Services API v1): gift cards, top-ups and eSIMs by one call. One transaction is one unit.
 * DT One rejects a repeated reference (1007001) and finds transactions by it, however old they are.
 */
import { basename } from 'node:path/posix';
import { Exact } from '../../domain/prices/money';
import { planOf } from '../../domain/prices/supplier-catalogue';
import { safeText } from '../../domain/safe-text';
import { day, minute, timeAt } from '../../domain/time';
import { json } from '../kit/exchange';
import { createHttp, type SupplierHttp, type TimeLimits } from '../kit/http';
import {
  allPages,
  MAX_PAGE_BYTES,
  MAX_PLANS_BYTES,
  MAX_STATUS_BYTES,
  maxPurchaseBytes,
  wholeList,
  withoutRepeats,
} from '../kit/limits';
import { isSecret, parseJson } from '../kit/messages';
import { noSuchProduct, rejectionReport, rejectedWith, type SupplierRejection } from '../kit/reports';
import type { SharedState } from '../../domain/suppliers/shared-state';
import type {
  EsimPlan,
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
import { codes, errorCodes, NO_CREDIT, UNKNOWN_PROFILE } from './error-codes';
import { classify, countedPageOf, pageOf, readBalances, readBenefits, readDates } from './messages';
import { ESIM_SERVICE, matchesFilter, PLAN_TYPE, planFilterOf } from './plans';
import { readOffers, services } from './products';
import { readFound, readStatement, readTransaction, toLookupReport, toReport } from './transactions';

const PAGE_SIZE = 100;
/** Enough for a hundred thousand transactions of one day, or products of one service. */
const MAX_PAGES = 1_000;

export interface DtoneOptions extends TimeLimits {
  /** Such as `https://preprod-dvs-api.dtone.com/v1`. */
  url: string;
  key: string;
  secret: string;
  /** Our address for callbacks. The last segment of its path is a secret. Without it, DT One sends no callbacks. */
  callbackUrl?: string | undefined;
  /** The rate limit of our account; absent if there is none. */
  callsPerSecond?: number | undefined;
}

const traits: SupplierTraits = {
  repeatedReference: 'is-rejected',
  lookup: 'by-reference',
  // DT One does not say how soon a search finds a transaction. Its longest documented request takes 180 s; ours end after 15 s.
  lookupConclusiveAfterMs: 3 * minute,
  maxUnits: 1,
  concurrency: 'unlimited',
  // DT One has webhooks for eSIMs, but their fields are not known.
  pushesEsims: false,
};

/** The supplier port over DT One's API. */
export function createDtoneSupplier(options: DtoneOptions, state: SharedState): Supplier {
  const { url, key, secret, callbackUrl, callsPerSecond } = options;
  const credentials = Buffer.from(`${key}:${secret}`).toString('base64');
  const http = createHttp({
    supplier: safeText`dtone`,
    url,
    authorization: () => ({ authorization: `Basic ${credentials}` }),
    ...(callsPerSecond !== undefined && { turn: (kind) => state.turn(callsPerSecond, kind) }),
    classify,
    codes,
    timeLimits: options,
  });
  return {
    name: 'dtone',
    traits,
    purchase: (request, mayBeSent) => purchase(http, options, request, mayBeSent),
    find: ({ reference, ...ordered }) =>
      http.read({
        path: safeText`/transactions`,
        query: { external_id: reference, per_page: PAGE_SIZE },
        isPatient: true,
        maxBytes: maxPurchaseBytes(1),
        parse: (body) => {
          const found = readFound(body, reference);
          return found && toLookupReport(found, ordered);
        },
      }),
    balances: () => http.read({ path: safeText`/balances`, maxBytes: MAX_STATUS_BYTES, parse: readBalances }),
    catalogue: () => catalogue(http),
    esimPlans: (productSku) => esimPlans(http, productSku),
    rechargePlans: ({ sku }) => rechargePlans(http, sku),
    esimStatus: (iccid) => esimStatus(http, iccid),
    statement: (since) => statement(http, since),
    ...(callbackUrl !== undefined && { verifyPush: (push: ReceivedPush) => hintOf(basename(callbackUrl), push) }),
  };
}

async function purchase(
  http: SupplierHttp,
  { callbackUrl }: DtoneOptions,
  request: PurchaseRequest,
  mayBeSent: () => boolean,
): Promise<PurchaseReport> {
  const { reference } = request;
  const terms = termsOf(request);
  if (!terms) return noSuchProduct(NO_SUCH_PRODUCT);
  return http.buy({
    reference,
    mayBeSent,
    path: safeText`/async/transactions`,
    body: json({
      external_id: reference,
      auto_confirm: true,
      ...terms,
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
    }),
    maxBytes: maxPurchaseBytes(1),
    parse: (body) => {
      const transaction = readTransaction(body);
      return transaction?.reference === reference ? toReport(transaction, request) : undefined;
    },
    rejectionOf,
  });
}

function rejectionOf(code: string): SupplierRejection {
  const failureCode = errorCodes[code]?.failureCode ?? 'UNKNOWN';
  return rejectionReport(failureCode, rejectedWith(codes, code), code === NO_CREDIT ? 'our-account' : undefined);
}

const NO_SUCH_PRODUCT = safeText`The SKU, the amount and the input of the order name no product of DT One`;

/**
 * The product, the recipient and the amount of a purchase. The SKU is `plan:<product id>` for an eSIM plan,
 * `fixed:<product id>:<currency>:<amount>` for a product with one amount, and `range:<product id>` for a product that takes
 * the ordered amount. Undefined if the order does not fit the SKU, for example because a product with one amount would deliver
 * another amount. The purchase of an eSIM names an account number only to recharge it: DT One then adds the plan to that ICCID.
 */
function termsOf({ family, sku, unitValue, currency, input = {}, recharged }: PurchaseRequest) {
  const [, kind, id, skuCurrency, amount] =
    /^(plan|fixed|range):(\d{1,15})(?::([A-Z]{3}):(\d+(?:\.\d+)?))?$/.exec(sku) ?? [];
  const product = { product_id: Number(id) };
  if (family === 'ESIM') {
    if (kind !== 'plan') return undefined;
    return recharged ? { ...product, credit_party_identifier: { account_number: recharged.iccid } } : product;
  }
  const { phone_number: phone, account_number: account } = input;
  if (family === 'TOPUP' && !phone && !account) return undefined;
  const recipient = { ...(phone && { mobile_number: phone }), ...(account && { account_number: account }) };
  const bought = { ...product, ...(family === 'TOPUP' && { credit_party_identifier: recipient }) };
  if (kind === 'fixed')
    return amount && skuCurrency === currency && new Exact(amount).equals(unitValue) ? bought : undefined;
  if (kind !== 'range' || amount !== undefined) return undefined;
  const destination = { unit_type: 'CURRENCY', unit: currency, amount: Number(unitValue) };
  return { ...bought, calculation_mode: 'DESTINATION_AMOUNT', destination };
}

async function esimPlans(http: SupplierHttp, productSku: string): Promise<EsimPlan[]> {
  const filter = planFilterOf(productSku);
  if (!filter) throw new SupplierUnavailable(safeText`dtone: the SKU of an eSIM product is no country and no operator`);
  const query = { service_id: ESIM_SERVICE, type: PLAN_TYPE, [filter.by]: filter.value };
  const plans: EsimPlan[] = [];
  for await (const page of products(http, query)) {
    const wanted = page.filter((offer) => matchesFilter(offer, filter));
    plans.push(...wanted.flatMap((offer) => planOf(offer) ?? []));
  }
  return plans;
}

/**
 * The SKUs of all plans of the operator whose plan the profile was sold with. DT One does not document which plans fit a profile, and
 * declines one that does not.
 */
async function rechargePlans(http: SupplierHttp, sku: string): Promise<string[]> {
  const [, id] = /^plan:(\d{1,15})$/.exec(sku) ?? [];
  if (id === undefined) return [];
  const path = safeText`/products/:id`;
  const productSku = await http.read({
    path,
    params: { id },
    maxBytes: MAX_PAGE_BYTES,
    parse: (body) => readOffers([body])?.items[0]?.productSku,
  });
  return (await esimPlans(http, productSku)).map((plan) => plan.sku);
}

/** Every product of the services that we sell from. */
async function* catalogue(http: SupplierHttp): AsyncGenerator<SupplierOffer[]> {
  for (const service of services) yield* products(http, { service_id: service });
}

function products(
  http: SupplierHttp,
  query: Readonly<Record<string, string | number>>,
): AsyncGenerator<SupplierOffer[]> {
  return wholeList(MAX_PAGES, (page) =>
    http.read({
      path: safeText`/products`,
      query: { ...query, page, per_page: PAGE_SIZE },
      isPatient: true,
      maxBytes: MAX_PLANS_BYTES,
      parse: (body, headers) => countedPageOf(readOffers(body), headers),
    }),
  );
}

async function esimStatus(http: SupplierHttp, iccid: string) {
  const about = {
    method: 'POST' as const,
    unknownProfile: UNKNOWN_PROFILE,
    body: json({ service_id: ESIM_SERVICE, credit_party_identifier: { account_number: iccid } }),
    maxBytes: MAX_STATUS_BYTES,
  };
  const dates = await http.read({ ...about, path: safeText`/lookup/credit-party-status`, parse: readDates });
  const benefits = await http.read({
    ...about,
    path: safeText`/lookup/credit-party-benefits`,
    query: { per_page: PAGE_SIZE },
    parse: readBenefits,
  });
  return { ...dates, ...benefits };
}

/**
 * DT One lists at most 24 hours in one search. Drops a repeated row: two searches share the moment between them, and a
 * transaction may move to a later page during the reading.
 */
async function* statement(http: SupplierHttp, since: Date): AsyncGenerator<SoldPurchase[]> {
  const seen = new Set<string>();
  for (let from = since.getTime(); from < Date.now(); from += day) {
    const dates = { from_date: timeAt(from).toISOString(), to_date: timeAt(from + day).toISOString() };
    const pages = allPages(MAX_PAGES, (page) =>
      http.read({
        path: safeText`/transactions`,
        query: { ...dates, page, per_page: PAGE_SIZE },
        isPatient: true,
        maxBytes: 4 * MAX_PAGE_BYTES,
        parse: (body, headers) => pageOf(readStatement(body), headers),
      }),
    );
    yield* withoutRepeats(pages, ({ kind, supplierOrderId }) => `${kind} ${supplierOrderId}`, seen);
  }
}

/** DT One signs nothing: only the secret of the path proves that the caller knows our address. */
function hintOf(expected: string, { rawBody, pathSecret = '' }: ReceivedPush): PushHint | undefined {
  if (!isSecret(pathSecret, expected)) return undefined;
  const transaction = readTransaction(parseJson(rawBody.toString('utf8')));
  if (!transaction) return undefined;
  const { reference, state } = transaction;
  return { kind: state === 'REVERSED' ? 'reversal' : 'purchase', reference };
}
