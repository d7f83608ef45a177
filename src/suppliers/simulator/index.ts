/** The adapter of the simulator: deduplicates by our reference, supports lookups by it, pushes hints. */
import { joinSafeText, safeWord, safeText, type SafeText } from '../../domain/safe-text';
import { json } from '../kit/exchange';
import { createHttp, type SupplierHttp, type TimeLimits } from '../kit/http';
import {
  allPages,
  MAX_PAGE_BYTES,
  MAX_PLANS_BYTES,
  MAX_STATUS_BYTES,
  maxPurchaseBytes,
  withoutRepeats,
} from '../kit/limits';
import { ambiguous, unlessTooLong } from '../kit/reports';
import type {
  LookupReport,
  PurchaseLookup,
  PurchaseReport,
  PurchaseRequest,
  SoldPurchase,
  Supplier,
  SupplierTraits,
} from '../../domain/suppliers/port';
import {
  classify,
  codes,
  SIMULATOR_NOT_FOUND,
  readBalances,
  readEsimStatus,
  readPlans,
  readSkus,
  readStockPage,
  verifyPush,
} from './messages';
import {
  readPurchase,
  readPurchases,
  readStatementPage,
  rejected,
  toReport,
  type PurchaseMessage,
} from './purchase-messages';

/** Enough for the stock of 200,000 products, with 200 on a page. */
const MAX_STOCK_PAGES = 1_000;
/** Enough for two million sales, with 200 on a page. */
const MAX_STATEMENT_PAGES = 10_000;

export interface SimulatorSupplierOptions extends TimeLimits {
  url: string;
  /** Both the bearer token and the key that signs pushes. */
  secret: string;
  /** The maximum number of units in one purchase. */
  maxUnits: number;
}

/** The supplier port over the simulator at `url`. */
export function createSimulatorSupplier(options: SimulatorSupplierOptions): Supplier {
  const { url, secret, maxUnits } = options;
  const http = createHttp({
    supplier: safeText`simulator`,
    url,
    authorization: () => ({ authorization: `Bearer ${secret}` }),
    classify,
    codes,
    timeLimits: options,
  });
  return {
    name: 'simulator',
    traits: traitsWith(maxUnits),
    purchase: (request, mayBeSent) => purchase(http, request, mayBeSent),
    find: (lookup) => unlessTooLong(findAll(http, lookup).then((found) => reportOf(found, lookup))),
    withdraw: (lookup) => withdraw(http, lookup),
    statement: (since) => statement(http, since),
    stock: () =>
      allPages(MAX_STOCK_PAGES, (page) =>
        http.read({ path: safeText`/stock`, query: { page }, maxBytes: MAX_PAGE_BYTES, parse: readStockPage }),
      ),
    balances: () => http.read({ path: safeText`/balance`, maxBytes: MAX_STATUS_BYTES, parse: readBalances }),
    esimPlans: (sku) =>
      http.read({
        path: safeText`/esim/products/:sku/plans`,
        params: { sku },
        maxBytes: MAX_PLANS_BYTES,
        parse: readPlans,
      }),
    rechargePlans: ({ iccid }) =>
      http.read({
        path: safeText`/esims/:iccid/recharge-plans`,
        params: { iccid },
        unknownProfile: [SIMULATOR_NOT_FOUND],
        maxBytes: MAX_PLANS_BYTES,
        parse: readSkus,
      }),
    esimStatus: (iccid) =>
      http.read({
        path: safeText`/esims/:iccid`,
        params: { iccid },
        unknownProfile: [SIMULATOR_NOT_FOUND],
        maxBytes: MAX_STATUS_BYTES,
        parse: readEsimStatus,
      }),
    verifyPush: (push) => verifyPush(secret, push),
  };
}

const traitsWith = (maxUnits: number): SupplierTraits => ({
  repeatedReference: 'returns-first',
  lookup: 'by-reference',
  // The 15 s of the longest request (see `purchaseTimeoutMs`), and 2 s until lookups show the purchase.
  lookupConclusiveAfterMs: 17_000,
  maxUnits,
  concurrency: 'unlimited',
  pushesEsims: true,
});

function purchase(http: SupplierHttp, request: PurchaseRequest, mayBeSent: () => boolean): Promise<PurchaseReport> {
  const { reference, sku, units, unitValue, currency, input, recharged } = request;
  return http.buy({
    reference,
    mayBeSent,
    path: safeText`/purchases`,
    body: json({
      reference,
      sku,
      units,
      unit_value: unitValue,
      currency,
      ...(input && { input }),
      ...(recharged && { iccid: recharged.iccid }),
    }),
    maxBytes: maxPurchaseBytes(units),
    parse: (body) => {
      const message = readPurchase(body);
      return message?.reference === reference ? toReport(message, request) : undefined;
    },
    rejectionOf: rejected,
  });
}

/** The purchase with the reference, or the first two that differ. */
function findAll(http: SupplierHttp, { reference, units }: PurchaseLookup): Promise<PurchaseMessage[]> {
  return http.read({
    path: safeText`/purchases`,
    query: { reference },
    maxBytes: maxPurchaseBytes(units),
    parse: (body) => readPurchases(body, reference),
  });
}

/** True only if exactly one purchase has the reference, and the simulator says that this purchase ended without goods. */
async function withdraw(http: SupplierHttp, lookup: PurchaseLookup): Promise<boolean> {
  const [message, ...others] = await findAll(http, lookup);
  if (!message || others.length > 0) return false;
  if (message.status !== 'PENDING') return hasEndedEmpty(message);
  if (message.goods.length > 0) return false;
  const answer = await http.call({
    method: 'POST',
    path: safeText`/purchases/:id/cancel`,
    params: { id: message.id },
    maxBytes: maxPurchaseBytes(lookup.units),
  });
  const cancelled = answer.ok ? readPurchase(answer.body) : undefined;
  return cancelled !== undefined && cancelled.reference === lookup.reference && hasEndedEmpty(cancelled);
}

/** A purchase may move to a later page during the reading. Drops a repeated row by the supplier's id. */
async function* statement(http: SupplierHttp, since: Date): AsyncGenerator<SoldPurchase[]> {
  const pages = allPages(MAX_STATEMENT_PAGES, (page) =>
    http.read({
      path: safeText`/statement`,
      query: { since: since.toISOString(), page },
      maxBytes: MAX_PAGE_BYTES,
      parse: readStatementPage,
    }),
  );
  for await (const fresh of withoutRepeats(pages, ({ id }) => id)) {
    yield fresh.map(({ id, reference, units, sold_at: soldAt }) => ({
      kind: 'sale',
      reference,
      supplierOrderId: id,
      units,
      soldAt,
    }));
  }
}

function reportOf(found: PurchaseMessage[], lookup: PurchaseLookup): LookupReport {
  const [message, ...others] = found;
  if (!message) return { state: 'NOT_FOUND' };
  if (others.length > 0) return ambiguous(shownRows(found));
  if (message.status === 'REVERSED') return { state: 'REVERSED' };
  return toReport(message, lookup) ?? ambiguous(shownRows(found));
}

function hasEndedEmpty({ status, goods }: PurchaseMessage): boolean {
  return goods.length === 0 && (status === 'REJECTED' || status === 'CANCELLED');
}

const states = ['delivered', 'pending', 'rejected', 'cancelled', 'reversed', 'unknown'];

/** What the supplier shows, and what to ask it. Names only the states of the rows and the numbers of their units. */
function shownRows(messages: PurchaseMessage[]): SafeText {
  const rows = messages.map(
    ({ status, goods }) =>
      safeText`${safeWord(states, status.toLowerCase()) ?? safeText`in an unknown state`}, ${goods.length} ${goods.length === 1 ? safeText`unit` : safeText`units`}`,
  );
  const shown = joinSafeText(rows, safeText`; `);
  const [only] = messages;
  if (messages.length === 1 && only?.status === 'UNKNOWN' && only.goods.length === 0)
    return safeText`The supplier has the purchase, but cannot say whether it sold anything. Ask it what it delivered under our reference`;
  return messages.length === 1
    ? safeText`The supplier shows the purchase without a result (${shown}). Ask it what it delivered under our reference`
    : safeText`The supplier shows ${messages.length} purchases with our reference (${shown}). Ask it which of them it sold`;
}
