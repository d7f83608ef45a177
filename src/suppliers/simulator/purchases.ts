/** Buying at the simulator, asking about purchases, taking them back. */
import { json, type SupplierHttp } from '../kit/http';
import { allPages } from '../kit/pages';
import { codeWord } from '../kit/reading';
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
      path: '/purchases',
      body: json(body),
      timeoutMs: purchaseTimeoutMs,
      mayBeSent,
    });
    if (!answer.ok) return rejected(answer.refusal.code);
    const message = readPurchase(answer.body);
    const report = message?.reference === request.reference ? toReport(message, request.family) : undefined;
    if (!report) throw new SupplierOutcomeUnknown('simulator: unreadable answer to a purchase');
    return report;
  }

  async function find({ reference, family }: PurchaseLookup): Promise<LookupReport> {
    const [message, ...others] = await findAll(reference);
    if (!message) return { state: 'NOT_FOUND' };
    if (others.length > 0) return ambiguous([message, ...others]);
    if (message.status === 'REVERSED') return { state: 'REVERSED' };
    return toReport(message, family) ?? ambiguous([message]);
  }

  async function findAll(reference: string): Promise<PurchaseMessage[]> {
    return http.get({
      path: '/purchases',
      query: { reference },
      read: (body) => readPurchases(body, reference),
      timeoutMs: lookupTimeoutMs,
    });
  }

  /** Certain only where there is one purchase to speak of, and it says of itself that it has ended empty. */
  async function withdraw({ reference }: PurchaseLookup): Promise<boolean> {
    const [message, ...others] = await findAll(reference);
    if (!message || others.length > 0) return false;
    if (message.status !== 'PENDING') return hasEndedEmpty(message);
    if (message.goods.length > 0) return false;
    const answer = await http.call({
      method: 'POST',
      path: `/purchases/${encodeURIComponent(message.id)}/cancel`,
      pathName: '/purchases/:id/cancel',
      timeoutMs: lookupTimeoutMs,
    });
    const cancelled = answer.ok ? readPurchase(answer.body) : undefined;
    return cancelled !== undefined && cancelled.reference === reference && hasEndedEmpty(cancelled);
  }

  /** A purchase may move to a later page while they are read: its second row is dropped by the supplier's id. */
  async function* statement(since: Date): AsyncGenerator<SoldPurchase[]> {
    const seen = new Set<string>();
    for await (const purchases of allPages((page) => statementPage(since, page))) {
      const fresh = purchases.filter(({ id }) => !seen.has(id));
      fresh.forEach(({ id }) => seen.add(id));
      yield fresh.map(({ reference, units, sold_at: soldAt }) => ({ reference, units, soldAt }));
    }
  }

  async function statementPage(since: Date, page: number) {
    const query = { since: since.toISOString(), page };
    const read = await http.get({
      path: '/statement',
      query,
      read: readStatementPage,
      timeoutMs: lookupTimeoutMs,
    });
    return { items: read.purchases, totalPages: read.total_pages };
  }

  return { purchase, find, withdraw, statement };
}

function hasEndedEmpty({ status, goods }: PurchaseMessage): boolean {
  return goods.length === 0 && (status === 'REJECTED' || status === 'CANCELLED');
}

/** What was shown, by states and counts only. */
function ambiguous(messages: PurchaseMessage[]): LookupReport {
  const states = messages
    .slice(0, 10)
    .map(({ status, goods }) => `${codeWord(status)} with ${goods.length} units`);
  const detail = `The supplier shows ${messages.length} for one reference: ${states.join(', ')}`;
  return { state: 'AMBIGUOUS', detail };
}
