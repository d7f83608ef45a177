/** The adapter of the simulator: deduplicates by our reference, supports look-ups by it, pushes hints. */
import { joinSafeText, safeWord, safeText } from '../../domain/safe-text';
import { json } from '../kit/exchange';
import { createHttp, type Reading, type SupplierHttp } from '../kit/http';
import {
  allPages,
  MAX_PAGE_BYTES,
  MAX_PLANS_BYTES,
  MAX_STATUS_BYTES,
  maxPurchaseBytes,
  ResponseTooLong,
  withoutRepeats,
} from '../kit/limits';
import {
  SupplierOutcomeUnknown,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type SoldPurchase,
  type Supplier,
  type SupplierTraits,
} from '../port';
import {
  classify,
  codes,
  readBalances,
  readEsimStatus,
  readPlans,
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

/** The stock of 200,000 products, and two million sales, with 200 on a page. */
const MAX_STOCK_PAGES = 1_000;
const MAX_STATEMENT_PAGES = 10_000;

export interface SimulatorSupplierOptions {
  url: string;
  /** Both the bearer token and the key that signs pushes. */
  secret: string;
  /** The maximum number of units in one purchase. */
  maxUnits: number;
  purchaseTimeoutMs?: number;
  /** docs/specification.md#limits: 15 s. */
  lookupTimeoutMs?: number;
}

/** The supplier port over the simulator at `url`. */
export function createSimulatorSupplier(options: SimulatorSupplierOptions): Supplier {
  const { url, secret, maxUnits, purchaseTimeoutMs = 15_000, lookupTimeoutMs = 15_000 } = options;
  const http = createHttp({
    supplier: safeText`simulator`,
    url,
    authorization: () => ({ authorization: `Bearer ${secret}` }),
    classify,
    codes,
  });
  const traits: SupplierTraits = {
    repeatedReference: 'returns-first',
    lookup: 'by-reference',
    // The longest request (see `purchaseTimeoutMs`), and 2 s until look-ups show it.
    lookupConclusiveAfterMs: 17_000,
    maxUnits,
    concurrency: 'unlimited',
    pushesEsims: true,
  };

  const get: Get = (maxBytes, reading) => http.read({ ...reading, maxBytes, timeoutMs: lookupTimeoutMs });

  return {
    name: 'simulator',
    traits,
    ...purchaseCalls(http, get, purchaseTimeoutMs, lookupTimeoutMs),
    stock: () =>
      allPages(MAX_STOCK_PAGES, (page) =>
        get(MAX_PAGE_BYTES, { path: safeText`/stock`, query: { page }, parse: readStockPage }),
      ),
    balances: () => get(MAX_STATUS_BYTES, { path: safeText`/balance`, parse: readBalances }),
    esimPlans: (sku) =>
      get(MAX_PLANS_BYTES, { path: safeText`/esim/products/:sku/plans`, params: { sku }, parse: readPlans }),
    esimStatus: (iccid) =>
      get(MAX_STATUS_BYTES, { path: safeText`/esims/:iccid`, params: { iccid }, parse: readEsimStatus }),
    verifyPush: (push) => verifyPush(secret, push),
  };
}

type Get = <T>(maxBytes: number, reading: Omit<Reading<T>, 'maxBytes' | 'timeoutMs'>) => Promise<T>;

/** The calls about purchases. */
function purchaseCalls(http: SupplierHttp, get: Get, purchaseTimeoutMs: number, lookupTimeoutMs: number) {
  async function purchase(request: PurchaseRequest, mayBeSent: () => boolean): Promise<PurchaseReport> {
    const body = {
      reference: request.reference,
      sku: request.sku,
      units: request.units,
      unit_value: request.unitValue,
      currency: request.currency,
      ...(request.input && { input: request.input }),
    };
    const answer = await http.call({
      method: 'POST',
      path: safeText`/purchases`,
      body: json(body),
      timeoutMs: purchaseTimeoutMs,
      maxBytes: maxPurchaseBytes(request.units),
      purchase: { reference: request.reference, mayBeSent },
    });
    if (!answer.ok) return rejected(answer.rejection.code, answer.rawResponse);
    const message = readPurchase(answer.body);
    const report = message?.reference === request.reference ? toReport(message, request.family) : undefined;
    if (!report) throw new SupplierOutcomeUnknown(safeText`simulator: unreadable answer to a purchase`);
    return report;
  }

  async function find(lookup: PurchaseLookup): Promise<LookupReport> {
    try {
      return reportOf(await findAll(lookup), lookup);
    } catch (error) {
      // The response is longer than any purchase. Another look-up would return the same.
      if (error instanceof ResponseTooLong)
        return { state: 'AMBIGUOUS', isShown: false, detail: error.message };
      throw error;
    }
  }

  /** The purchase with the reference, or the first two that differ. */
  async function findAll({ reference, units }: PurchaseLookup): Promise<PurchaseMessage[]> {
    return get(maxPurchaseBytes(units), {
      path: safeText`/purchases`,
      query: { reference },
      parse: (body) => readPurchases(body, reference),
    });
  }

  /** True only if exactly one purchase exists, and its own message says that it ended without goods. */
  async function withdraw(lookup: PurchaseLookup): Promise<boolean> {
    const [message, ...others] = await findAll(lookup);
    if (!message || others.length > 0) return false;
    if (message.status !== 'PENDING') return hasEndedEmpty(message);
    if (message.goods.length > 0) return false;
    const answer = await http.call({
      method: 'POST',
      path: safeText`/purchases/:id/cancel`,
      params: { id: message.id },
      timeoutMs: lookupTimeoutMs,
      maxBytes: maxPurchaseBytes(lookup.units),
    });
    const cancelled = answer.ok ? readPurchase(answer.body) : undefined;
    return cancelled !== undefined && cancelled.reference === lookup.reference && hasEndedEmpty(cancelled);
  }

  /** A purchase may move to a later page during the reading. Drops a repeated row by the supplier's id. */
  async function* statement(since: Date): AsyncGenerator<SoldPurchase[]> {
    const pages = allPages(MAX_STATEMENT_PAGES, (page) => {
      const query = { since: since.toISOString(), page };
      return get(MAX_PAGE_BYTES, { path: safeText`/statement`, query, parse: readStatementPage });
    });
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

  return { purchase, find, withdraw, statement };
}

function reportOf(found: PurchaseMessage[], { family }: PurchaseLookup): LookupReport {
  const [message, ...others] = found;
  if (!message) return { state: 'NOT_FOUND' };
  if (others.length > 0) return ambiguous([message, ...others]);
  if (message.status === 'REVERSED') return { state: 'REVERSED' };
  return toReport(message, family) ?? ambiguous([message]);
}

function hasEndedEmpty({ status, goods }: PurchaseMessage): boolean {
  return goods.length === 0 && (status === 'REJECTED' || status === 'CANCELLED');
}

const statuses = ['DELIVERED', 'PENDING', 'REJECTED', 'CANCELLED', 'REVERSED', 'UNKNOWN'];

/** Names only states and counts of the rows. */
function ambiguous(messages: PurchaseMessage[]): LookupReport {
  const shown = messages.map(
    ({ status, goods }) =>
      safeText`${safeWord(statuses, status) ?? safeText`no known state`} with ${goods.length} units`,
  );
  const states = joinSafeText(shown, safeText`, `);
  return {
    state: 'AMBIGUOUS',
    isShown: true,
    detail: safeText`The supplier shows ${messages.length} for one reference: ${states}`,
  };
}
