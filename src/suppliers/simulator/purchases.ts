/** Buying at the simulator, asking about purchases, taking them back. */
import { joinSafeText, safeWord, safeText } from '../../domain/safe-text';
import { MAX_PAGE_BYTES, maxPurchaseBytes, ResponseTooLong } from '../kit/body';
import { json, type SupplierHttp } from '../kit/http';
import { allPages } from '../kit/pages';
import {
  SupplierOutcomeUnknown,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type SoldPurchase,
  type Supplier,
} from '../port';
import {
  readPurchase,
  readPurchases,
  readStatementPage,
  rejected,
  toReport,
  type PurchaseMessage,
} from './purchase-messages';

/** Two million sales, 200 on a page. */
const MAX_STATEMENT_PAGES = 10_000;

/** What purchases are made with. */
export interface PurchasingOptions {
  http: SupplierHttp;
  purchaseTimeoutMs: number;
  lookupTimeoutMs: number;
}

type Purchasing = Pick<Required<Supplier>, 'purchase' | 'find' | 'withdraw' | 'statement'>;

/** The part of the supplier port that has to do with purchases. */
export function createPurchasing(options: PurchasingOptions): Purchasing {
  const { http, purchaseTimeoutMs, lookupTimeoutMs } = options;

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
    if (!answer.ok) return rejected(answer.refusal.code, answer.said);
    const message = readPurchase(answer.body);
    const report = message?.reference === request.reference ? toReport(message, request.family) : undefined;
    if (!report) throw new SupplierOutcomeUnknown(safeText`simulator: unreadable answer to a purchase`);
    return report;
  }

  async function find(lookup: PurchaseLookup): Promise<LookupReport> {
    try {
      return reportOf(await findAll(lookup), lookup);
    } catch (error) {
      // It shows more than a purchase can hold: to ask again would show the same.
      if (error instanceof ResponseTooLong)
        return { state: 'AMBIGUOUS', isShown: false, detail: error.message };
      throw error;
    }
  }

  /** The purchase of the lookup, or the first two that differ. */
  async function findAll({ reference, units }: PurchaseLookup): Promise<PurchaseMessage[]> {
    return http.get({
      path: safeText`/purchases`,
      query: { reference },
      read: (body) => readPurchases(body, reference),
      timeoutMs: lookupTimeoutMs,
      maxBytes: maxPurchaseBytes(units),
    });
  }

  /** Certain only where there is one purchase to speak of, and it says of itself that it has ended empty. */
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

  /** A purchase may move to a later page while they are read: its second row is dropped by the supplier's id. */
  async function* statement(since: Date): AsyncGenerator<SoldPurchase[]> {
    const seen = new Set<string>();
    for await (const purchases of allPages(MAX_STATEMENT_PAGES, (page) => statementPage(since, page))) {
      const fresh = purchases.filter(({ id }) => !seen.has(id));
      fresh.forEach(({ id }) => seen.add(id));
      yield fresh.map(({ reference, units, sold_at: soldAt }) => ({ reference, units, soldAt }));
    }
  }

  async function statementPage(since: Date, page: number) {
    const query = { since: since.toISOString(), page };
    const read = await http.get({
      path: safeText`/statement`,
      query,
      read: readStatementPage,
      timeoutMs: lookupTimeoutMs,
      maxBytes: MAX_PAGE_BYTES,
    });
    return { items: read.purchases, totalPages: read.total_pages };
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

/** What was shown, by states and counts only. */
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
