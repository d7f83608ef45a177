/**
 * The adapter of DT One (Digital Value Services API v1): gift cards, top-ups and eSIMs by one call. One transaction is one unit.
 * DT One rejects a repeated reference (1007001) and finds transactions by it, however old they are.
 */
import { basename } from 'node:path/posix';
import { Exact } from '../../domain/prices/money';
import { planOf } from '../../domain/prices/supplier-catalogue';
import { safeText, safeWord } from '../../domain/safe-text';
import { day, minute, second } from '../../domain/time';
import { json } from '../kit/exchange';
import { createHttp, type Reading, type SupplierHttp } from '../kit/http';
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
import type { SharedState } from '../kit/shared-state';
import {
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type EsimPlan,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type PushHint,
  type ReceivedPush,
  type SoldPurchase,
  type Supplier,
  type SupplierOffer,
  type SupplierTraits,
} from '../port';
import { codes, errorCodes, NO_CREDIT } from './error-codes';
import { classify, countedPageOf, pageOf, readBalances, readBenefits, readDates } from './messages';
import { ESIM_SERVICE, isOf, PLAN_TYPE, planFilterOf } from './plans';
import { readOffers, services } from './products';
import { readFound, readStatement, readTransaction, toLookupReport, toReport } from './transactions';

const PAGE_SIZE = 100;
/** A hundred thousand transactions of one day, or plans of one product. */
const MAX_PAGES = 1_000;

export interface DtoneOptions {
  /** Such as `https://preprod-dvs-api.dtone.com/v1`. */
  url: string;
  key: string;
  secret: string;
  /** Our address for callbacks. The last segment of its path is a secret. Without it, DT One sends no callbacks. */
  callbackUrl?: string | undefined;
  /** The rate limit of our account; absent if there is none. */
  callsPerSecond?: number | undefined;
  purchaseTimeoutMs?: number;
  lookupTimeoutMs?: number;
}

const traits: SupplierTraits = {
  repeatedReference: 'is-refused',
  lookup: 'by-reference',
  // Nothing says how soon a search finds a transaction. The longest documented request takes 180 s; ours end after 15 s.
  lookupConclusiveAfterMs: 3 * minute,
  maxUnits: 1,
  concurrency: 'unlimited',
  // It has webhooks for eSIMs, but their fields are not known.
  pushesEsims: false,
};

/** The supplier port over DT One's API. */
export function createDtoneSupplier(options: DtoneOptions, state: SharedState): Supplier {
  const {
    url,
    key,
    secret,
    callbackUrl,
    callsPerSecond,
    purchaseTimeoutMs = 15 * second,
    lookupTimeoutMs = 15 * second,
  } = options;
  const credentials = Buffer.from(`${key}:${secret}`).toString('base64');
  const http = createHttp({
    supplier: safeText`dtone`,
    url,
    authorization: () => ({ authorization: `Basic ${credentials}` }),
    ...(callsPerSecond !== undefined && { turn: (kind) => state.turn(callsPerSecond, kind) }),
    classify,
    codes,
  });
  const get: Get = (reading) => http.read({ timeoutMs: lookupTimeoutMs, ...reading });
  return {
    name: 'dtone',
    traits,
    purchase: (request, mayBeSent) => purchase(http, options, purchaseTimeoutMs, request, mayBeSent),
    find: ({ reference, family }: PurchaseLookup) =>
      get({
        path: safeText`/transactions`,
        query: { external_id: reference, per_page: PAGE_SIZE },
        isLookUp: true,
        maxBytes: maxPurchaseBytes(1),
        parse: (body) => {
          const found = readFound(body, reference);
          return found && toLookupReport(found, family);
        },
      }),
    balances: () => get({ path: safeText`/balances`, maxBytes: MAX_STATUS_BYTES, parse: readBalances }),
    catalogue: () => catalogue(get),
    esimPlans: (productSku) => esimPlans(get, productSku),
    esimStatus: (iccid) => esimStatus(get, iccid),
    statement: (since) => statement(get, since),
    ...(callbackUrl !== undefined && {
      verifyPush: (push: ReceivedPush) => hintOf(basename(callbackUrl), push),
    }),
  };
}

type Get = <T>(reading: Omit<Reading<T>, 'timeoutMs'>) => Promise<T>;

async function purchase(
  http: SupplierHttp,
  { callbackUrl }: DtoneOptions,
  timeoutMs: number,
  request: PurchaseRequest,
  mayBeSent: () => boolean,
): Promise<PurchaseReport> {
  const terms = termsOf(request);
  if (!terms)
    return { state: 'REJECTED', failureCode: 'PRODUCT_UNAVAILABLE', detail: NO_SUCH_PRODUCT, goods: [] };
  const answer = await http.call({
    method: 'POST',
    path: safeText`/async/transactions`,
    body: json({
      external_id: request.reference,
      auto_confirm: true,
      ...terms,
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
    }),
    timeoutMs,
    maxBytes: maxPurchaseBytes(1),
    purchase: { reference: request.reference, mayBeSent },
  });
  if (!answer.ok) {
    const { code } = answer.rejection;
    const { rawResponse } = answer;
    const refusal = {
      failureCode: errorCodes[code]?.failureCode ?? 'UNKNOWN',
      detail: safeText`Refused: ${safeWord(codes, code) ?? safeText`no known code`}`,
      ...(rawResponse && { rawResponse }),
    };
    if (code === NO_CREDIT) return { state: 'NOT_BOUGHT', because: 'our-account', ...refusal, goods: [] };
    return { state: 'REJECTED', ...refusal, goods: [] };
  }
  const transaction = readTransaction(answer.body);
  const report =
    transaction?.reference === request.reference ? toReport(transaction, request.family) : undefined;
  if (!report) throw new SupplierOutcomeUnknown(safeText`dtone: unreadable answer to a purchase`);
  return report;
}

const NO_SUCH_PRODUCT = safeText`The SKU, the amount and the input of the order name no product of DT One`;

/**
 * What to buy for whom. The SKU is `plan:<product id>` for an eSIM plan, `fixed:<product id>:<currency>:<amount>` for a product
 * with one amount, and `range:<product id>` for a product that takes the ordered amount. Undefined if the order does not fit, for
 * example because a product with one amount would deliver another one. An eSIM has no account number: with one, DT One tops up
 * that eSIM.
 */
function termsOf({ family, sku, unitValue, currency, input = {} }: PurchaseRequest) {
  const [, kind, id, priced, amount] =
    /^(plan|fixed|range):(\d{1,15})(?::([A-Z]{3}):(\d+(?:\.\d+)?))?$/.exec(sku) ?? [];
  const product = { product_id: Number(id) };
  if (family === 'ESIM') return kind === 'plan' ? product : undefined;
  const { phone_number: phone, account_number: account } = input;
  if (family === 'TOPUP' && !phone && !account) return undefined;
  const recipient = { ...(phone && { mobile_number: phone }), ...(account && { account_number: account }) };
  const bought = { ...product, ...(family === 'TOPUP' && { credit_party_identifier: recipient }) };
  if (kind === 'fixed')
    return amount && priced === currency && new Exact(amount).equals(unitValue) ? bought : undefined;
  if (kind !== 'range' || amount !== undefined) return undefined;
  const destination = { unit_type: 'CURRENCY', unit: currency, amount: Number(unitValue) };
  return { ...bought, calculation_mode: 'DESTINATION_AMOUNT', destination };
}

async function esimPlans(get: Get, productSku: string): Promise<EsimPlan[]> {
  const filter = planFilterOf(productSku);
  if (!filter)
    throw new SupplierUnavailable(safeText`dtone: the SKU of an eSIM product is no country and no operator`);
  const query = { service_id: ESIM_SERVICE, type: PLAN_TYPE, [filter.by]: filter.value };
  const plans: EsimPlan[] = [];
  for await (const page of products(get, query)) {
    const wanted = page.filter((offer) => isOf(filter, offer));
    plans.push(...wanted.flatMap((offer) => planOf(offer) ?? []));
  }
  return plans;
}

/** Every product of the services that we sell from. */
async function* catalogue(get: Get): AsyncGenerator<SupplierOffer[]> {
  for (const service of services) yield* products(get, { service_id: service });
}

function products(
  get: Get,
  query: Readonly<Record<string, string | number>>,
): AsyncGenerator<SupplierOffer[]> {
  return wholeList(MAX_PAGES, (page) =>
    get({
      path: safeText`/products`,
      query: { ...query, page, per_page: PAGE_SIZE },
      maxBytes: MAX_PLANS_BYTES,
      parse: (body, headers) => countedPageOf(readOffers(body), headers),
    }),
  );
}

async function esimStatus(get: Get, iccid: string) {
  const party = { credit_party_identifier: { account_number: iccid } };
  const dates = await get({
    method: 'POST',
    path: safeText`/lookup/credit-party-status`,
    body: json({ service_id: ESIM_SERVICE, ...party }),
    maxBytes: MAX_STATUS_BYTES,
    parse: readDates,
  });
  const benefits = await get({
    method: 'POST',
    path: safeText`/lookup/credit-party-benefits`,
    query: { per_page: PAGE_SIZE },
    body: json({ service_id: ESIM_SERVICE, ...party }),
    maxBytes: MAX_STATUS_BYTES,
    parse: readBenefits,
  });
  return { ...dates, ...benefits };
}

/**
 * DT One lists at most 24 hours in one search. Drops a repeated row: two searches share the moment between them, and a
 * transaction may move to a later page during the reading.
 */
async function* statement(get: Get, since: Date): AsyncGenerator<SoldPurchase[]> {
  const seen = new Set<string>();
  for (let from = since.getTime(); from < Date.now(); from += day) {
    const dates = { from_date: new Date(from).toISOString(), to_date: new Date(from + day).toISOString() };
    const pages = allPages(MAX_PAGES, (page) =>
      get({
        path: safeText`/transactions`,
        query: { ...dates, page, per_page: PAGE_SIZE },
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
