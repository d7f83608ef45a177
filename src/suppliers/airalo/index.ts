/**
 * The adapter of Airalo (Partner API v2): eSIM data plans. One order is one eSIM, bought by the synchronous call. Airalo has no
 * idempotency: a repeated order buys again. The order's description holds our reference, and lookups search for the description.
 */
import { planOf } from '../../domain/prices/supplier-catalogue';
import { safeText } from '../../domain/safe-text';
import { day, hour, minute, timeAt } from '../../domain/time';
import { createHttp, type SupplierHttp, type TimeLimits } from '../kit/http';
import { allPages, MAX_PAGE_BYTES, MAX_STATUS_BYTES, maxPurchaseBytes } from '../kit/limits';
import { timeOf } from '../kit/messages';
import { noSuchProduct, rejectionReport, rejectedWith, unlessTooLong } from '../kit/reports';
import { bearerAuthorization } from '../kit/bearer-authorization';
import type { IssuedToken, SharedState } from '../../domain/suppliers/shared-state';
import type {
  LookupReport,
  PurchaseReport,
  PurchaseRequest,
  SoldPurchase,
  Supplier,
  SupplierOffer,
  SupplierTraits,
} from '../../domain/suppliers/port';
import { codes, failureCodeOf, AIRALO_NOT_FOUND } from './error-codes';
import { classify, classifyToken, readActivations, readBalances, readToken, readUsage } from './messages';
import { readFound, readPurchase, readRecharge, readStatement } from './orders';
import { readOffers, readTopups } from './packages';
import { form, multipart, signatureHeader, verifyPush } from './signature';

/** Airalo documents this limit for the status of eSIMs and for its sandbox, and no limit for orders. We keep it for every call. */
const CALLS_PER_SECOND = 5;
/** Airalo's texts say that a token lives for a day, its samples for a year. */
const MAX_TOKEN_LIFE_MS = day;
const PAGE_SIZE = 100;
/** Enough for a hundred thousand orders. */
const MAX_PAGES = 1_000;
/** Airalo lists about 3,200 packages, each with its countries. */
const MAX_PACKAGES_BYTES = 64 * MAX_PAGE_BYTES;
/** Airalo asks its partners to read the whole list at most once an hour. */
const PACKAGES_FRESH_MS = hour;

const SUPPLIER = safeText`airalo`;
const ACCEPT = { accept: 'application/json' };

export interface AiraloOptions extends TimeLimits {
  /** Such as `https://partners-api.airalo.com/v2`. */
  url: string;
  clientId: string;
  /** Also the key that signs requests and webhooks. */
  clientSecret: string;
  /** The sandbox caches an eSIM's status for longer. */
  environment: 'sandbox' | 'live';
}

function traitsIn(environment: AiraloOptions['environment']): SupplierTraits {
  return {
    repeatedReference: 'buys-again',
    lookup: 'by-reference',
    // Airalo does not say that its list of orders has the recharges, or that their description can be searched.
    rechargeLookup: 'none',
    // Airalo does not say how soon the list shows an order. Our requests end after 15 s. The rest is a margin, because a wrong
    // conclusion buys twice.
    lookupConclusiveAfterMs: 3 * minute,
    maxUnits: 1,
    concurrency: 'unlimited',
    // Airalo pushes only that little data is left, not the installation, the first use or the end.
    pushesEsims: false,
    esimStatusCachedMs: environment === 'live' ? 20 * minute : hour,
  };
}

/** The supplier port over Airalo's API. `state` shares the token and the rate limit with the other processes. */
export function createAiraloSupplier(options: AiraloOptions, state: SharedState): Supplier {
  const { url, clientId, clientSecret, environment } = options;
  const credentials = [url, clientId, clientSecret];
  const bearer = bearerAuthorization(state, 'access', credentials, tokenIssuer(options));
  const http = createHttp({
    supplier: SUPPLIER,
    url,
    authorization: async (call) => ({ ...ACCEPT, ...(await bearer.authorization(call)) }),
    renewAuthorization: bearer.renewAuthorization,
    turn: (kind) => state.turn(CALLS_PER_SECOND, kind),
    classify,
    codes,
    timeLimits: options,
  });
  const packages = packageList(http);
  return {
    name: 'airalo',
    traits: traitsIn(environment),
    purchase: (request, mayBeSent) => purchase(http, options, request, mayBeSent),
    find: ({ reference }) => unlessTooLong(find(http, reference)),
    balances: () => http.read({ path: safeText`/balance`, maxBytes: MAX_STATUS_BYTES, parse: readBalances }),
    catalogue: async function* () {
      yield await packages();
    },
    esimPlans: async (slug) => {
      const offers = (await packages()).filter(({ productSku }) => productSku === slug);
      return offers.flatMap((offer) => planOf(offer) ?? []);
    },
    rechargePlans: ({ iccid }) => rechargePlans(http, iccid),
    esimStatus: (iccid) => esimStatus(http, iccid),
    statement: (since) => statement(http, since),
    verifyPush: (push) => verifyPush(clientSecret, push),
  };
}

function find(http: SupplierHttp, reference: string): Promise<LookupReport> {
  return http.read({
    path: safeText`/orders`,
    query: { 'filter[description]': reference, include: 'sims,status', limit: PAGE_SIZE },
    isPatient: true,
    maxBytes: MAX_PAGE_BYTES,
    parse: (body) => readFound(body, reference, PAGE_SIZE),
  });
}

/** Airalo issues at most three tokens a minute, so only `SharedState.token` calls this. */
function tokenIssuer(options: AiraloOptions) {
  const { url, clientId, clientSecret } = options;
  const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
  const http = createHttp({
    supplier: SUPPLIER,
    url,
    authorization: () => ({ ...ACCEPT, ...signatureHeader(clientSecret, fields) }),
    classify: classifyToken,
    codes,
    timeLimits: options,
  });
  return async (): Promise<IssuedToken> => {
    const askedAt = Date.now();
    const { value, lifeMs } = await http.read({
      method: 'POST',
      path: safeText`/token`,
      body: form(fields),
      maxBytes: MAX_STATUS_BYTES,
      parse: readToken,
    });
    return { value, expiresAt: new Date(askedAt + Math.min(lifeMs, MAX_TOKEN_LIFE_MS)) };
  };
}

async function purchase(
  http: SupplierHttp,
  { clientSecret }: AiraloOptions,
  { family, sku, units, reference, recharged }: PurchaseRequest,
  mayBeSent: () => boolean,
): Promise<PurchaseReport> {
  if (family !== 'ESIM' || units !== 1 || !/^[\w.+-]{1,200}$/.test(sku)) return noSuchProduct(NO_SUCH_PACKAGE);
  const fields = recharged
    ? { package_id: sku, iccid: recharged.iccid, description: reference }
    : { quantity: '1', package_id: sku, type: 'sim', description: reference };
  return http.buy({
    reference,
    mayBeSent,
    path: recharged ? safeText`/orders/topups` : safeText`/orders`,
    headers: signatureHeader(clientSecret, fields),
    body: multipart(fields),
    maxBytes: maxPurchaseBytes(1),
    parse: (body) => (recharged ? readRecharge(body, reference, recharged) : readPurchase(body, reference)),
    rejectionOf: (code) => rejectionReport(failureCodeOf(code), rejectedWith(codes, code)),
  });
}

const NO_SUCH_PACKAGE = safeText`The SKU of the order names no package of Airalo`;

/**
 * The status of an eSIM. Airalo does not report the installation, but the first use proves it. The first use is the earliest
 * activation, or now if no activation has a time with a time zone.
 */
async function esimStatus(http: SupplierHttp, iccid: string) {
  const about = { params: { iccid }, unknownProfile: [AIRALO_NOT_FOUND], maxBytes: MAX_STATUS_BYTES };
  const { state, usage } = await http.read({ path: safeText`/sims/:iccid/usage`, ...about, parse: readUsage });
  const { provesUse, isDepleted } = state;
  if (!provesUse && !isDepleted) return usage;
  const path = safeText`/sims/:iccid/packages`;
  const activations = await http.read({ path, ...about, maxBytes: MAX_PAGE_BYTES, parse: readActivations });
  const isUsed = provesUse || activations.length > 0;
  return { ...usage, ...(isUsed && { firstUsedAt: earliest(activations) }), ...(isDepleted && { isDepleted }) };
}

function earliest(activations: readonly string[]): Date {
  const times = activations.flatMap((time) => timeOf(time)?.getTime() ?? []);
  return times.length > 0 ? new Date(Math.min(...times)) : new Date();
}

/** The packages that recharge the eSIM. */
function rechargePlans(http: SupplierHttp, iccid: string): Promise<string[]> {
  return http.read({
    path: safeText`/sims/:iccid/topups`,
    params: { iccid },
    unknownProfile: [AIRALO_NOT_FOUND],
    maxBytes: MAX_PAGE_BYTES,
    parse: readTopups,
  });
}

/** Reads all packages by one call, whose result is reused for an hour. */
function packageList(http: SupplierHttp): () => Promise<SupplierOffer[]> {
  let known: Promise<SupplierOffer[]> | undefined;
  let readAt = 0;
  return async () => {
    if (known && performance.now() - readAt < PACKAGES_FRESH_MS) return known;
    const path = safeText`/packages`;
    // Without it, Airalo does not list the packages that recharge an eSIM.
    const query = { include: 'topup' };
    const reading = http.read({ path, query, timeoutMs: minute, maxBytes: MAX_PACKAGES_BYTES, parse: readOffers });
    known = reading;
    readAt = performance.now();
    reading.catch(() => (known = undefined));
    return reading;
  };
}

/**
 * Airalo documents neither the size of its pages nor the time zone of its days. Therefore the statement begins a day early, ends a
 * day late, and reads on until a page shows no new order. Drops repeated orders: an order may move to a later page meanwhile.
 */
async function* statement(http: SupplierHttp, since: Date): AsyncGenerator<SoldPurchase[]> {
  const dayOf = (time: number) => timeAt(time).toISOString().slice(0, 10);
  const days = `${dayOf(since.getTime() - day)} - ${dayOf(Date.now() + day)}`;
  const seen = new Set<string>();
  yield* allPages(MAX_PAGES, async (page) => {
    const { ids, sales } = await http.read({
      path: safeText`/orders`,
      query: { 'filter[created_at]': days, include: 'status', limit: PAGE_SIZE, page },
      isPatient: true,
      maxBytes: 4 * MAX_PAGE_BYTES,
      parse: readStatement,
    });
    const items = sales.filter(({ supplierOrderId = '' }) => !seen.has(supplierOrderId));
    const hasNewOrder = ids.some((id) => !seen.has(id));
    ids.forEach((id) => seen.add(id));
    return { items, totalPages: hasNewOrder ? page + 1 : page };
  });
}
