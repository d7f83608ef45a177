#!/usr/bin/env node
/**
 * Removes the safeguards one at a time and shows the failing tests: a safeguard whose removal fails no test is not
 * tested. `node dev/scripts/without-safeguards.mjs [--list] [name ...]`; the sources are restored afterwards.
 * docs/developers/reliability.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const purchasing = 'src/ordering/purchasing/purchasing.ts';
const openPurchases = 'src/ordering/purchasing/open-purchases.ts';
const lateGoods = 'src/ordering/purchasing/late-goods.ts';
const purchaseCalls = 'src/ordering/purchasing/send-and-look-up.ts';
const purchaseWork = 'src/ordering/purchasing/purchase-work.ts';
const restored = 'src/data/operations/restored.ts';
const decisions = 'src/ordering/purchasing/purchase-decisions.ts';
const purchases = 'src/data/purchases/purchases.ts';
const purchaseReads = 'src/data/purchases/purchase-reads.ts';
const withdrawals = 'src/data/purchases/withdrawals.ts';
const purchasePolls = 'src/data/purchases/purchase-polls.ts';
const moves = 'src/data/orders/settle-order.ts';
const migration = 'src/data/schema/migrations/0005-orders.ts';
const placing = 'src/data/orders/place-order.ts';
const intakes = 'src/data/orders/order-reservations.ts';
const phoneNumbers = 'src/domain/orders/phone-numbers.ts';
const usableGoods = 'src/domain/orders/usable-goods.ts';
const soldItem = 'src/domain/orders/sold-item.ts';
const quarantine = 'src/ordering/purchasing/quarantine.ts';
const storeReport = 'src/ordering/purchasing/store-report.ts';
const esimLife = 'src/domain/esims/esim-lifecycle.ts';
const responseBody = 'src/suppliers/kit/limits.ts';
const missingOffers = 'src/data/catalogue/missing-offers.ts';
const esimVariants = 'src/data/catalogue/esim-variants.ts';
const offerChecks = 'src/domain/prices/offer-checks.ts';
const shownText = 'src/domain/shown-text.ts';
const purchaseMessages = 'src/suppliers/simulator/purchase-messages.ts';

const notifiedAnswers = 'src/ordering/placement/notified-answers.ts';
const schemaChange = 'src/data/schema/schema-change.ts';
const admission = 'src/ordering/placement/admission.ts';
const dailyCap = 'src/data/schema/functions/daily-cap.sql';
const openOrders = 'src/data/orders/order-search.ts';
const esimRestarts = 'src/ordering/esims/esim-monitors.ts';
const httpServer = 'src/api/server/http-server.ts';
const orderResults = 'src/data/orders/order-results.ts';
const supplierHealth = 'src/data/operations/supplier-health.ts';
const sources = 'src/domain/orders/sources.ts';
const sourceCosts = 'src/domain/orders/source-costs.ts';
const reportedCosts = 'src/ordering/purchasing/reported-costs.ts';
const familyStorage = 'src/data/purchases/families/family-storage.ts';
const voucherStorage = 'src/data/purchases/families/voucher.ts';
const statementComparison = 'src/data/purchases/statement-comparison.ts';
const settlementDifferences = 'src/data/purchases/settlement-differences.ts';
const sourceFunctions = 'src/data/schema/functions/sources.sql';
const supplierCircuits = 'src/data/operations/supplier-circuits.ts';
const circuitBreaker = 'src/ordering/purchasing/circuit-breaker.ts';
const supplierPort = 'src/suppliers/port.ts';
const supplierBalances = 'src/data/operations/supplier-balances.ts';

const webhookSender = 'src/notifications/webhooks/sender.ts';
const keptConnections = 'src/notifications/webhooks/kept-connections.ts';

/** The source of each safeguard (file, text, replacement without it), and the tests that must fail without it. */
const safeguards = {
  'other-source-only-if-nothing-was-sent': {
    without: [[purchases, "state = 'READY' AND attempt = unsent", "state = 'READY'"]],
    tests: ['test/ordering/failover'],
  },
  'numbers-rest-after-a-failed-top-up': {
    without: [
      ['src/suppliers/reloadly/transactions.ts', "refusal.because !== 'temporary'", "refusal.state !== ''"],
    ],
    tests: ['test/suppliers/reloadly-outcomes'],
  },
  'late-goods-of-one-supplier-do-not-wait-for-another': {
    without: [
      [
        lateGoods,
        'const failures = await Promise.all(suppliers.map((supplier) => checkSupplier(deps, supplier)));',
        'const failures = [];\n  for (const one of suppliers.sort().reverse()) failures.push(await checkSupplier(deps, one));',
      ],
    ],
    tests: ['test/ordering/late-goods'],
  },
  'late-goods-not-from-a-supplier-that-does-not-answer': {
    without: [[lateGoods, 'inSequence < MAX_FAILURES', 'inSequence < 1e9']],
    tests: ['test/ordering/late-goods'],
  },
  'entries-about-purchases-only-of-open-orders': {
    without: [
      [
        'src/data/operations/attention.ts',
        'WHERE id = $orderId AND completed_at IS NULL FOR SHARE',
        'WHERE id = $orderId FOR SHARE',
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'entries-about-concluded-purchases-are-cleared': {
    without: [
      ['src/data/operations/attention.ts', "AND purchase.state IN ('READY', 'SENT', 'PENDING')\n", '\n'],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'polls-of-one-supplier-leave-half-of-the-slots': {
    without: [['src/ordering/purchasing/supplier-shares.ts', '>= this.max', '>= 1e9']],
    tests: ['test/ordering/supplier-shares'],
  },
  'decisions-only-after-every-look-up': {
    without: [[decisions, 'if (queue.length > 0) throw', 'if (queue.length > 1e9) throw']],
    tests: ['test/ordering/purchase-decisions'],
  },
  'decisions-not-after-they-count-as-failed': {
    without: [[decisions, 'CHANGES_LIMIT_MS) throw new DecisionRejected', '1e9) throw new DecisionRejected']],
    tests: ['test/ordering/purchase-decisions'],
  },
  'decisions-end-in-time': {
    without: [
      [decisions, 'CHANGES_LIMIT_MS) throw new SupplierUnavailable', '1e9) throw new SupplierUnavailable'],
    ],
    tests: ['test/ordering/purchase-decisions'],
  },
  'other-source-after-a-long-retry-after': {
    without: [[purchasing, '(!isHeldBack && isTooLongToWait(error.retryAfterMs))', 'false']],
    tests: ['test/ordering/failover'],
  },
  'other-source-not-because-of-a-long-wait-for-our-own-limits': {
    without: [[purchasing, '(!isHeldBack && isTooLongToWait', '(isTooLongToWait']],
    tests: ['test/ordering/failover'],
  },
  'calls-held-back-are-no-errors-of-the-supplier': {
    without: [
      [
        'src/ordering/purchasing/observed-supplier.ts',
        'if (error instanceof CallHeldBack) return',
        'if (!error) return',
      ],
    ],
    tests: ['test/ordering/observed-supplier'],
  },
  'other-source-not-because-of-our-own-limits': {
    without: [[purchases, 'unsent - held_back >= $tries', 'unsent >= $tries']],
    tests: ['test/ordering/failover'],
  },
  'other-source-not-because-of-the-recipient': {
    without: [[sources, 'return supplierFailures.includes(code) ||', 'return code !== "UNKNOWN" ||']],
    tests: ['test/ordering/failover'],
  },
  'other-source-not-for-an-unclear-top-up': {
    without: [[sources, "(code === 'UNKNOWN' && family !== 'TOPUP')", "code === 'UNKNOWN'"]],
    tests: ['test/ordering/failover'],
  },
  'other-source-not-with-a-unit': {
    without: [[familyStorage, 'greatest(present_units.count, p.stored) = 0 AND p.batch', 'p.batch']],
    tests: ['test/ordering/failover'],
  },
  'other-source-not-with-a-unit-of-another-process': {
    without: [[familyStorage, 'greatest(present_units.count, p.stored) = 0', 'present_units.count = 0']],
    tests: ['test/ordering/mixed-orders'],
  },
  'lost-answers-do-not-wait-for-the-rest': {
    without: [
      [
        purchasing,
        "unpolled: PurchaseState[] = ['SENT', 'PENDING']",
        "unpolled: PurchaseState[] = ['PENDING']",
      ],
    ],
    tests: ['test/ordering/mixed-orders'],
  },
  'lost-answers-do-not-wait-for-many-purchases': {
    without: [[purchasing, "(await this.open.lookUpLost(work)) ? 'more' : buyNext()", 'buyNext()']],
    tests: ['test/ordering/mixed-orders'],
  },
  'lost-answers-of-a-dead-worker-do-not-wait-either': {
    without: [[purchasing, 'if (!first) await this.open.expectLost(order, work);', '']],
    tests: ['test/ordering/mixed-orders'],
  },
  'lost-answers-before-accepted-purchases': {
    without: [[purchaseReads, "p.state = 'SENT' AND (p.asked_at >= p.sent_at) IS NOT TRUE DESC,", '']],
    tests: ['test/ordering/mixed-orders'],
  },
  'lost-answers-only-once-before-the-others': {
    without: [[purchaseReads, ' AND (p.asked_at >= p.sent_at) IS NOT TRUE DESC', ' DESC']],
    tests: ['test/ordering/mixed-orders'],
  },
  'unknown-outcomes-until-every-purchase-was-polled': {
    without: [[purchaseReads, ' OR unpolled.asked_at IS NULL OR unpolled.asked_at < entry.since', '']],
    tests: ['test/ordering/mixed-orders'],
  },
  'unknown-outcomes-until-every-poll-was-clear': {
    without: [[purchaseReads, 'unpolled.unclear OR ', '']],
    tests: ['test/ordering/mixed-orders'],
  },
  'late-goods-are-looked-for-again': {
    without: [
      [
        purchasePolls,
        "THEN clock_timestamp() + interval '1 hour' END\n         FROM due",
        'THEN NULL::timestamptz END\n         FROM due',
      ],
    ],
    tests: ['test/ordering/late-goods'],
  },
  'given-up-purchase-without-units-is-listed': {
    without: [
      [lateGoods, "report.state !== 'REJECTED' && report.goods.length === 0", 'report.goods.length < 0'],
    ],
    tests: ['test/ordering/late-goods'],
  },
  'goods-replaced-by-hand-are-kept': {
    without: [
      [
        quarantine,
        'return [...absent, ...(await withNewCode(deps, doubtful, ({ unit }) => unit))];',
        'return absent;',
      ],
    ],
    tests: ['test/ordering/late-goods'],
  },
  'other-source-not-the-one-that-refused': {
    without: [
      [sourceFunctions, 'WHERE candidate.id NOT IN (SELECT refused.source_id FROM refused)', 'WHERE true'],
    ],
    tests: ['test/ordering/failover'],
  },
  'other-source-not-a-paused-one': {
    without: [[sourceFunctions, "pause.family IN ('', o.family))", "pause.family = 'NONE')"]],
    tests: ['test/ordering/failover'],
  },
  'elsewhere-needs-a-look-up': {
    without: [[decisions, 'if (!(await this.isAbsent(purchase)))', 'if (purchase.attempt < 0)']],
    tests: ['test/ordering/failover'],
  },
  'code-of-the-first-refusal': {
    without: [[familyStorage, 'coalesce((${firstRefusal}), $failureCode)', '$failureCode']],
    tests: ['test/ordering/failover'],
  },
  'circuit-at-half-of-the-calls': {
    without: [[supplierCircuits, 'failed * 2 >= calls', 'failed >= 1']],
    tests: ['test/ordering/supplier-circuits'],
  },
  'circuit-at-ten-calls': {
    without: [[supplierCircuits, 'calls >= 10 AND', 'calls >= 1 AND']],
    tests: ['test/ordering/supplier-circuits'],
  },
  'claims-held-back-are-no-sendings': {
    without: [['src/data/purchases/purchase-reads.ts', 'p.attempt - p.held_back AS', 'p.attempt AS']],
    tests: ['test/ordering/nothing-bought'],
  },
  'look-up-that-outlasts-the-lease': {
    without: [[purchaseCalls, 'if (!mayBeSent())', 'if (!mayBeSent() && claimedAt < 0)']],
    tests: ['test/ordering/nothing-bought'],
  },
  'turn-that-outlasts-the-lease': {
    without: [['src/suppliers/kit/http.ts', 'mightBeSent === true &&', 'mightBeSent === undefined &&']],
    tests: ['test/suppliers/airalo-orders'],
  },
  'calls-held-back-say-nothing': {
    without: [[supplierPort, ' && !(error instanceof CallHeldBack)', '']],
    tests: ['test/ordering/supplier-circuits'],
  },
  'circuit-of-all-processes': {
    without: [
      [
        circuitBreaker,
        '[...this.counts.values()]',
        '[...this.counts.values()].filter(({ failed }) => failed)',
      ],
    ],
    tests: ['test/ordering/supplier-circuits'],
  },
  'circuit-of-a-refused-account': {
    without: [[supplierHealth, "if (call.family !== '')", "if (call.family === 'NONE')"]],
    tests: ['test/ordering/supplier-circuits'],
  },
  'one-test-of-a-circuit': {
    without: [
      [
        circuitBreaker,
        'if (this.isOpen(circuit)) inBackground(claimCircuitTest(this.database, circuit));',
        'void claimCircuitTest;',
      ],
    ],
    tests: ['test/ordering/supplier-circuits'],
  },
  'acceptance-by-an-empty-account': {
    without: [[supplierCircuits, 'AND (closes_on_acceptance OR NOT $isAcceptance)', 'OR $isAcceptance']],
    tests: ['test/ordering/supplier-circuits'],
  },
  'fresh-counts-after-closing': {
    without: [[supplierCircuits, ' WHERE counts.supplier = closed.supplier AND', ' WHERE false AND']],
    tests: ['test/ordering/supplier-circuits'],
  },
  'circuits-that-nobody-tests': {
    without: [[supplierCircuits, " WHERE probe_at < now() - interval '1 hour'", ' WHERE false']],
    tests: ['test/ordering/supplier-circuits'],
  },
  'balance-for-two-days': {
    without: [[supplierBalances, 'balance.amount < 2 * daily.cost', 'balance.amount < 0 * daily.cost']],
    tests: ['test/data/supplier-sales'],
  },
  'headers-of-unseen-requests': {
    without: [
      [
        httpServer,
        'Object.entries({ ...headers, ...headersOf(error, body) })',
        'Object.entries(headersOf(error, body))',
      ],
    ],
    tests: ['test/api/connections'],
  },
  'only-the-first-step-is-local': {
    without: [
      [
        'workflows/activities.ts',
        'return proxyActivities<Pick<Activities, Step>>({ ...shortStep, taskQueue: stepsQueue, summary })[name];',
        'return proxyLocalActivities<Pick<Activities, Step>>({ ...shortStep, summary })[name];',
      ],
      [
        'workflows/order-handlers.ts',
        'await untilPlacementKnown(state);\n  await untilMessagesHandled();',
        '',
      ],
    ],
    tests: ['test/workflows/messages'],
  },
  'answers-named-by-nonce': {
    without: [
      [
        notifiedAnswers,
        'of({ nonce }: OrderKey, signal: AbortSignal): Promise<Answer> {',
        'of({ orderId }: OrderKey, signal: AbortSignal): Promise<Answer> {\n    const nonce = String(orderId);',
      ],
    ],
    tests: ['test/ordering/answers'],
  },
  'lost-notifications-are-asked-for': {
    without: [[notifiedAnswers, 'const PATIENCE_MS = 2_000', 'const PATIENCE_MS = 3_600_000']],
    tests: ['test/ordering/answers'],
  },
  'storing-statements-are-planned-once': {
    without: [[sourceFunctions, 'sql STABLE ROWS 1 SET jit = off AS', 'sql STABLE AS']],
    tests: ['test/data/hot-statements'],
  },
  'no-compiled-statements': {
    without: [['src/data/database/database.ts', "['jit', 'off']", "['jit', 'on']"]],
    tests: ['test/data/migrations'],
  },
  'bounded-wait-of-indexes': {
    without: [[schemaChange, 'lock_timeout = ${attempts', 'lock_timeout = ${0 * attempts']],
    tests: ['test/data/migrations'],
  },
  'rejected-while-disk-is-full': {
    without: [
      [admission, 'if (this.storage.isFailing)', 'if (this.storage.isFailing && !this.workers.areAvailable)'],
    ],
    tests: ['test/ordering/temporal-storage'],
  },
  'one-day-of-caps': {
    without: [[dailyCap, 'day_of(coming_moment(in_client_id))', 'day_of(clock_timestamp())']],
    tests: ['test/api/caps'],
  },
  'stamped-in-the-future': {
    without: [
      [openOrders, "is_older_than(o.placed_at, '1 minute')", "o.placed_at < now() - interval '1 minute'"],
    ],
    tests: ['test/ordering/restarts'],
  },
  'counts-with-future-times': {
    without: [['src/data/orders/counted-intervals.ts', '${kept} AND now()`', "${kept} AND 'infinity'`"]],
    tests: ['test/data/supplier-sales'],
  },
  'operators-settings-without-keys': {
    without: [
      [
        'src/config.ts',
        'const { secretKeys: _keys, ...table } = settings;',
        'const { ...table } = settings;',
      ],
    ],
    tests: ['test/config'],
  },
  'failing-workflows-are-confirmed': {
    without: [
      [
        'src/temporal/failing-workflows.ts',
        '++listed <= MAX_CONFIRMED &&',
        '++listed <= MAX_CONFIRMED * 0 &&',
      ],
    ],
    tests: ['test/ordering/failing-workflows'],
  },
  'refused-message-changes-no-state': {
    without: [
      [
        'src/ordering/maintenance/operator-calls.ts',
        "call.result === 'refused' ? before : next?.before",
        'next?.before',
      ],
    ],
    tests: ['test/ordering/operator-calls'],
  },
  'unfinished-message-is-copied-later': {
    without: [['src/ordering/maintenance/operator-calls.ts', "call.result === 'none' &&", 'false &&']],
    tests: ['test/ordering/operator-calls'],
  },
  'failures-far-apart-are-no-outage': {
    without: [[supplierHealth, "is_older_than(health.last_failure_at, '20 minutes')", 'false']],
    tests: ['test/data/supplier-health'],
  },
  'outage-listed-before-tasks': {
    without: [['src/domain/operations/maintenance.ts', 'supplierTasks.includes(task)', 'false']],
    tests: ['test/domain/maintenance'],
  },
  'closed-wallet-is-no-default': {
    without: [
      [
        'src/data/clients/accounts.ts',
        'WHERE id = $id AND closed_at IS NULL FOR UPDATE',
        'WHERE id = $id FOR UPDATE',
      ],
    ],
    tests: ['test/ops/accounts'],
  },
  'failures-with-future-times': {
    without: [
      [
        supplierHealth,
        "NOT is_older_than(last_failure_at, '10 seconds')",
        "last_failure_at > now() - interval '10 seconds'",
      ],
    ],
    tests: ['test/data/supplier-health'],
  },
  'rejections-with-future-times': {
    without: [
      [
        supplierHealth,
        "NOT is_older_than(blocked_at, '10 seconds')",
        "blocked_at > now() - interval '10 seconds'",
      ],
    ],
    tests: ['test/data/supplier-health'],
  },
  'circuits-with-future-times': {
    without: [[supplierCircuits, 'await rows(database, correctStatement);', 'void correctStatement;']],
    tests: ['test/ordering/supplier-circuits'],
  },
  'polls-with-future-times': {
    without: [[purchasePolls, ' AND ${isDue} ORDER', ' AND late_check_at <= clock_timestamp() ORDER']],
    tests: ['test/ordering/late-goods'],
  },
  'sources-that-operators-stopped': {
    without: [
      [
        'src/data/catalogue/source-settings.ts',
        'if (settings.active !== undefined)',
        'if (settings.active === undefined)',
      ],
    ],
    tests: ['test/data/offer-sync'],
  },
  'monitors-one-by-one': {
    without: [
      [esimRestarts, 'if (esims <= maxCompared) return restartMissing(deps, all);', ''],
      [
        esimRestarts,
        'return restarted + (await restartGroup(deps, all, { esims, maxCompared, turn }));',
        'return restarted + 0 * turn;',
      ],
    ],
    tests: ['test/ordering/restarts'],
  },
  lease: {
    without: [[purchaseCalls, 'performance.now() - claimedAt < SEND_LEASE_MS', 'claimedAt > 0']],
    tests: ['test/ordering/purchasing'],
  },
  'conclusive-window': {
    without: [
      [
        purchaseCalls,
        'return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;',
        'return 0 * traits.lookupConclusiveAfterMs;',
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'own-clock': {
    without: [
      [
        purchaseCalls,
        'Math.min(Math.max(0, sentMsAgo), this.deps.sentPurchases.ageMs(purchase))',
        'Math.max(0, sentMsAgo)',
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'unrecognised-answer': {
    without: [
      [
        'src/suppliers/kit/http.ts',
        'unreadable answer ${status}`, true, rawResponse)',
        'unreadable answer ${status}`, false, rawResponse)',
      ],
    ],
    tests: ['test/suppliers/conclusions', 'test/ordering/purchasing'],
  },
  'refusal-names-the-purchase': {
    without: [
      ['src/suppliers/simulator/messages.ts', 'error.reference === reference', 'error.reference !== null'],
    ],
    tests: ['test/suppliers/conclusions'],
  },
  'failed-look-up': {
    without: [
      [
        openPurchases,
        "only the supplier's own answer ends the order without its goods.\n" +
          '    const report = await this.calls.find(purchase, supplier);',
        "only the supplier's own answer ends the order without its goods.\n" +
          "    const report = await this.calls.find(purchase, supplier).catch(() => ({ state: 'NOT_FOUND' as const }));",
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'claim-before-repeating': {
    without: [
      [
        openPurchases,
        'const attempt = await claimAgain(this.deps.database, purchase, conclusiveAfter(supplier));',
        'const { attempt } = purchase;',
      ],
    ],
    tests: ['test/ordering/supplier-kinds'],
  },
  'goods-by-hand-are-checked-first': {
    without: [
      [
        decisions,
        'if (await hasKnownCode(this.deps, open, goods))',
        'if (goods.length < 0 && (await hasKnownCode(this.deps, goods)))',
      ],
    ],
    tests: ['test/ordering/purchase-decisions'],
  },
  'goods-by-hand-are-stored-together': {
    without: [[voucherStorage, 'isByHand(outcome) ?', 'isByHand(outcome) && purchase.attempt < 0 ?']],
    tests: ['test/ordering/purchase-decisions'],
  },
  'goods-by-hand-under-an-earlier-key': {
    without: [
      [
        voucherStorage,
        'AND NOT (${byHand} AND EXISTS (SELECT FROM older))',
        'AND (${byHand} OR purchase.units > 0)',
      ],
    ],
    tests: ['test/data/key-rotation'],
  },
  'rejected-goods-change-no-purchase': {
    without: [[familyStorage, 'AND NOT (${byHand} AND present_units.count < p.units)', '']],
    tests: ['test/ordering/purchase-decisions'],
  },
  'failure-of-an-earlier-attempt': {
    without: [
      [
        familyStorage,
        "($state NOT IN ('REJECTED', 'REPLACED') OR attempt = $attempt)",
        '$attempt::integer IS NOT NULL',
      ],
    ],
    tests: ['test/ordering/failover'],
  },
  'report-of-an-earlier-attempt-is-lost': {
    without: [[quarantine, 'if (current && isOpen(current))', 'if (current && !isOpen(current))']],
    tests: ['test/ordering/failover'],
  },
  'sale-of-an-ended-purchase-is-reported': {
    without: [[statementComparison, 'OR is_open AND a.kind', 'OR a.kind']],
    tests: ['test/ops/reconcile'],
  },
  'sales-of-another-supplier-deliver-nothing': {
    without: [
      [
        statementComparison,
        'p.reference = sold.reference AND p.supplier = $supplier',
        'p.reference = sold.reference AND p.supplier IS NOT DISTINCT FROM coalesce(p.supplier, $supplier)',
      ],
    ],
    tests: ['test/ops/reconcile'],
  },
  'costs-of-statements-are-compared': {
    without: [[statementComparison, 'amount <> expected OR', 'amount < 0 OR']],
    tests: ['test/ops/reconcile'],
  },
  'missing-cost-decides-nothing': {
    without: [
      [
        statementComparison,
        'CASE WHEN bool_and(amount IS NOT NULL) AND min(currency) = max(currency) THEN sum(amount) END',
        'coalesce(sum(amount), 0)',
      ],
    ],
    tests: ['test/ops/reconcile'],
  },
  'refund-without-reversal-is-listed': {
    without: [[statementComparison, 'AND p.reversed_at IS NULL AND NOT', 'AND p.stored > sold.sold AND NOT']],
    tests: ['test/ops/reconcile'],
  },
  'reversal-without-refund-is-listed': {
    without: [
      [statementComparison, 'CASE WHEN p.reversed_at IS NULL THEN ${delivered} ELSE 0 END', '${delivered}'],
    ],
    tests: ['test/ops/reconcile'],
  },
  'differences-older-than-a-comparison-stay': {
    without: [
      [
        settlementDifferences,
        'WHERE supplier = $supplier AND at >= $since',
        'WHERE supplier = $supplier AND $since::timestamptz IS NOT NULL',
      ],
    ],
    tests: ['test/ops/reconcile'],
  },
  'changed-difference-is-not-accepted': {
    without: [[settlementDifferences, ', accepted_reason = NULL', '']],
    tests: ['test/ops/reconcile'],
  },
  'old-differences-are-compared-again': {
    without: [
      [
        'src/ordering/maintenance/reconciliation.ts',
        'Math.min(now - COMPARED_MS, oldest)',
        'Math.min(now - COMPARED_MS, now + oldest)',
      ],
    ],
    tests: ['test/ops/reconcile'],
  },
  'sources-agree-with-their-offers': {
    without: [['src/catalogue/offer-decisions.ts', 'contradictionOf(terms, item) ?? (amounts', '(amounts']],
    tests: ['test/ops/catalogue-offers'],
  },
  'sources-serve-only-offered-amounts': {
    without: [
      [
        'src/domain/prices/offer-checks.ts',
        "if ('fixed' in wanted && values.every(isServed)) return undefined;",
        'if (values.some(isServed) || !values.every(isServed)) return undefined;',
      ],
    ],
    tests: ['test/ops/catalogue-offers'],
  },
  'new-sources-serve-the-offered-amounts': {
    without: [
      ['src/catalogue/offer-decisions.ts', '{ ...offeredAmounts(terms), ...settings }', '{ ...settings }'],
    ],
    tests: ['test/ops/catalogue-offers'],
  },
  'goods-by-hand-of-another-purchase': {
    without: [[statementComparison, 'CASE WHEN ${byHand} THEN', 'CASE WHEN true THEN']],
    tests: ['test/ops/reconcile'],
  },
  'goods-without-remainder': {
    without: [
      [decisions, 'if (goods.length !== missing) throw', 'if (goods.length < missing) throw'],
      [decisions, 'if (!(await isDeliveredByHand(', 'if (goodsId === 0 && !(await isDeliveredByHand('],
    ],
    tests: ['test/ordering/purchase-decisions'],
  },
  confirmed: {
    without: [
      [openPurchases, 'if (purchase.confirmed) return', 'if (purchase.sentMsAgo === -1) return'],
      [purchases, " AND state = 'SENT' AND NOT confirmed", " AND state = 'SENT'"],
      [
        withdrawals,
        'AND state = $state AND confirmed = $confirmed',
        'AND state = $state AND $confirmed::boolean IS NOT NULL',
      ],
    ],
    tests: ['test/ordering/supplier-kinds'],
  },
  'cancelled-only-if-nothing-was-bought': {
    without: [
      [openPurchases, 'delivered > 0;', 'delivered > 5_000;'],
      [withdrawals, "WHERE state IN ('SENT', 'PENDING', 'DELIVERED') OR stored > 0", "WHERE state = 'NONE'"],
    ],
    tests: ['test/ordering/mixed-orders'],
  },
  'cancellation-locks-every-purchase': {
    without: [[withdrawals, 'ORDER BY batch FOR UPDATE', 'ORDER BY batch']],
    tests: ['test/ordering/conditions'],
  },
  'discounted-voucher-does-not-pay': {
    without: [
      ['src/data/purchases/redemption.ts', 'product.redeemable AND o.discount = 0', 'product.redeemable'],
    ],
    tests: ['test/api/redemption'],
  },
  'used-reference-is-not-sent-again': {
    without: [[purchaseCalls, 'error instanceof ReferenceUsed', 'error instanceof RangeError']],
    tests: ['test/ordering/supplier-kinds'],
  },
  'expired-request-is-fenced-off': {
    without: [
      [
        intakes,
        "AND nonce = $nonce AND state = 'RESERVED' RETURNING",
        "AND nonce = $nonce AND state = 'RESERVED' AND accept_by > now() RETURNING",
      ],
    ],
    tests: ['test/data/orders'],
  },
  'answer-lost-twice-is-listed': {
    without: [[purchaseCalls, 'purchase.sendings > 1', 'purchase.sendings > 1_000']],
    tests: ['test/ordering/purchasing'],
  },
  'closing-at-the-end': {
    without: [
      [moves, "AND purchase.state = 'READY' AND (moved.row)", "AND purchase.state = 'NONE' AND (moved.row)"],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'successor-counts-as-open': {
    without: [
      [
        'src/data/purchases/successors.ts',
        "WHERE state = 'REPLACED' AND NOT EXISTS",
        "WHERE state = 'NONE' AND NOT EXISTS",
      ],
    ],
    tests: ['test/ordering/conditions'],
  },
  'absent-before-replaced': {
    without: [
      [
        purchaseCalls,
        "if (purchase.attemptsMade <= 1 || supplier.traits.lookup === 'none') return true;",
        'if (purchase.attempt <= 9) return true;',
      ],
    ],
    tests: ['test/ordering/nothing-bought'],
  },
  'absent-before-bought-again': {
    without: [[purchasing, 'purchase.attemptsMade <= 1 && !purchase.isSuccessor', 'purchase.attempt <= 9']],
    tests: ['test/ordering/nothing-bought'],
  },
  'another-may-be-hidden': {
    without: [
      [
        purchaseCalls,
        'const mayHideAnother = purchase.attemptsMade > 1',
        'const mayHideAnother = purchase.attempt > 9',
      ],
    ],
    tests: ['test/ordering/nothing-bought'],
  },
  'one-token-at-a-time': {
    without: [
      [
        'src/data/operations/supplier-sharing.ts',
        'WHERE (tokens.claimed_until < clock_timestamp()\n        OR',
        'WHERE (true OR',
      ],
    ],
    tests: ['test/ordering/shared-state'],
  },
  'fresh-tokens-are-not-replaced-at-once': {
    without: [
      [
        'src/data/operations/supplier-sharing.ts',
        'expires_at = $expiresAt\n',
        'expires_at = $expiresAt, claimed_until = now()\n',
      ],
    ],
    tests: ['test/ordering/shared-state'],
  },
  'turns-across-processes': {
    without: [['src/ordering/purchasing/shared-state.ts', 'await sleep(waitMs);', 'await sleep(0);']],
    tests: ['test/ordering/shared-state'],
  },
  'numbers-as-text': {
    without: [
      ['src/suppliers/kit/messages.ts', "part.startsWith('\"') ? part", "part.startsWith('') ? part"],
    ],
    tests: ['test/suppliers/json'],
  },
  'no-end-while-open': {
    without: [[moves, "WHERE state IN ('SENT', 'PENDING')) = 0", "WHERE state IN ('NONE')) = 0"]],
    tests: ['test/ordering/purchasing'],
  },
  'unique-hashes': {
    without: [
      [migration, 'CREATE UNIQUE INDEX vouchers_by_code', 'CREATE INDEX vouchers_by_code'],
      [migration, 'CREATE UNIQUE INDEX vouchers_by_claim', 'CREATE INDEX vouchers_by_claim'],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'open-order-at-claim': {
    without: [[purchases, 'o.nonce = $nonce AND o.completed_at IS NULL', 'o.nonce = $nonce']],
    tests: ['test/ordering/conditions'],
  },
  'attempt-of-a-claim': {
    without: [
      [
        purchases,
        'reference = $reference AND attempt = $attempt',
        'reference = $reference AND $attempt::integer > -1',
      ],
    ],
    tests: ['test/ordering/conditions'],
  },
  'standing-at-the-end': {
    without: [[moves, 'AND o.delivered_quantity = $delivered', 'AND $delivered::integer IS NOT NULL']],
    tests: ['test/ordering/conditions'],
  },
  'result-of-the-end': {
    without: [[moves, 'if (!moved) throw', 'if (!moved) return settledAs(order);\n  if (!to) throw']],
    tests: ['test/ordering/conditions'],
  },
  'ended-purchases-take-nothing': {
    without: [
      [
        'src/data/purchases/families/family-storage.ts',
        "AND state NOT IN ('DELIVERED', 'REJECTED', 'WITHDRAWN', 'REPLACED') FOR UPDATE",
        'FOR UPDATE',
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'sold-as-ordered': {
    without: [
      [
        storeReport,
        'const fault = contradiction ?? unitFault(goods, now);',
        'const fault = unitFault(goods, now);',
      ],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'unusable-only-if-arrived': {
    without: [
      [
        withdrawals,
        "WHEN 'REJECTED' THEN 1 ELSE p.units - p.stored END)`",
        "WHEN 'REJECTED' THEN 1 ELSE 0 END)`",
      ],
    ],
    tests: ['test/ordering/waiting-states'],
  },
  'unusable-only-if-missing': {
    without: [[withdrawals, "p.state = 'PENDING' AND p.stored < p.units", "p.state IN ('SENT', 'PENDING')"]],
    tests: ['test/ordering/waiting-states'],
  },
  'no-top-up-without-a-usable-unit': {
    without: [['src/data/purchases/families/topup.ts', "'DELIVERED' AND $hasUnit THEN", "'DELIVERED' THEN"]],
    tests: ['test/ordering/waiting-states'],
  },
  'goods-quarantined-once': {
    without: [
      [
        'src/data/purchases/quarantined-goods.ts',
        "insertUnits('NOT ' + isQuarantined)",
        "insertUnits('true')",
      ],
    ],
    tests: ['test/ordering/waiting-states'],
  },
  'quarantined-codes-are-known': {
    without: [
      [
        'src/data/purchases/families/voucher.ts',
        '  UNION ALL\n  SELECT unit FROM (${codesElsewhere}) elsewhere\n',
        '',
      ],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'quarantined-profiles-are-known': {
    without: [['src/data/purchases/families/esim.ts', '     AND NOT EXISTS (${codeElsewhere})\n', '']],
    tests: ['test/ordering/supplier-goods'],
  },
  'quarantined-codes-by-hand': {
    without: [
      [
        quarantine,
        'return isQuarantinedElsewhere(deps.database, open[0]?.orderId ?? 0, codes);',
        'return false;',
      ],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'sold-as-ordered-spelling': {
    without: [[soldItem, 'normal(one) === normal(other)', 'one === other']],
    tests: ['test/domain/sold-item'],
  },
  'deviating-values-listed': {
    without: [
      [purchaseCalls, 'if (stored.isDelivered) await listDeviation(this.deps, purchase, report);', ''],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'duplicates-quarantined': {
    without: [[storeReport, ', ...repeatedUnits(purchase, stored, good)];', '];']],
    tests: ['test/ordering/supplier-goods'],
  },
  fence: {
    without: [
      [placing, "AND nonce = $nonce AND state = 'RESERVED'", "AND nonce = $nonce AND state <> 'PLACED'"],
    ],
    tests: ['test/data/orders'],
  },
  'access-at-placement': {
    without: [[placing, 'require_access(d.client_id, d.api_key_id, d.session_id)', 'true']],
    tests: ['test/data/sessions'],
  },
  'access-locked-until-commit': {
    without: [['src/data/schema/functions/revocations.sql', 'OR reused) FOR SHARE;', 'OR reused);']],
    tests: ['test/data/sessions'],
  },
  'access-after-the-debit': {
    without: [
      [
        placing,
        'THEN require_access(d.client_id, d.api_key_id, d.session_id) ELSE false END',
        'THEN true ELSE false END AND require_access(d.client_id, d.api_key_id, d.session_id)',
      ],
    ],
    tests: ['test/data/sessions'],
  },
  'fence-under-lock': {
    without: [
      [
        intakes,
        "nonce = $nonce AND state = 'RESERVED' RETURNING ${decisionColumns}",
        'nonce = $nonce RETURNING ${decisionColumns}',
      ],
    ],
    tests: ['test/data/orders'],
  },
  'no-decimal-as-phone-number': {
    without: [[phoneNumbers, 'if (decimalEnd.test(visible)) return undefined;', '']],
    tests: ['test/domain/customer-input'],
  },
  'possible-phone-numbers': {
    without: [[phoneNumbers, 'if (!number?.isPossible()) return', 'if (!number) return']],
    tests: ['test/domain/customer-input'],
  },
  'apostrophes-in-statements': {
    without: [['src/statements/csv.ts', "\\uFF20']/;", '\\uFF20]/;']],
    tests: ['test/api/csv-answer'],
  },
  'addresses-without-ports': {
    without: [['src/api/server/app.ts', '      forwardedAddresses,\n', '']],
    tests: ['test/api/console-session'],
  },
  'no-wallet-for-a-blank-voucher-code': {
    without: [
      ['src/api/orders/order-fields.ts', ".allow('')\n    .empty(null)", ".empty(Joi.valid('', null))"],
    ],
    tests: ['test/api/redemption'],
  },
  'sandbox-iccids-in-sandboxes-only': {
    without: [['src/domain/esims/profile-codes.ts', 'return isTest ?', 'return isTest || true ?']],
    tests: ['test/domain/esim-profile'],
  },
  'no-profile-with-a-confirmation-code': {
    without: [
      [usableGoods, 'if (lpa.needsConfirmation)', 'if (lpa.needsConfirmation && activationCode === "")'],
    ],
    tests: ['test/domain/esim-profile'],
  },
  'one-order-for-an-activation-code': {
    without: [
      [
        'src/data/purchases/families/esim.ts',
        'profile && !profile.isTest ?',
        'profile && profile.iccid === "" ?',
      ],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'a-day-ends-at-its-end': {
    without: [['src/domain/time.ts', '`${text}T23:59:59.999Z` : text', 'text : text']],
    tests: ['test/domain/usable-goods'],
  },
  'unknown-countries-are-not-sold': {
    without: [['src/suppliers/kit/offers.ts', 'faultOf(offer) ?? countryFault(offer)', 'faultOf(offer)']],
    tests: ['test/domain/offer-country'],
  },
  'usable-codes': {
    without: [[usableGoods, 'if (unusable.test(code))', 'if (unusable.test(code) && name.length === 0)']],
    tests: ['test/domain/usable-goods'],
  },
  'expired-codes': {
    without: [[usableGoods, 'expiry <= now.getTime() ?', 'expiry <= now.getTime() && expiry === 0 ?']],
    tests: ['test/domain/usable-goods'],
  },
  'trimmed-codes': {
    without: [
      [storeReport, 'const goods = normalised(unit);', 'const goods = unit.kind ? unit : normalised(unit);'],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'unreadable-units-are-kept': {
    without: [[storeReport, 'await keepFaultyUnits(deps, purchase, unusable);', '']],
    tests: ['test/ordering/supplier-goods'],
  },
  'delivered-units-have-no-faults': {
    without: [
      [
        storeReport,
        '!shown.includes(position));\n}\n\n/** A purchase with a faulty',
        'position > shown.length * 0);\n}\n\n/** A purchase with a faulty',
      ],
    ],
    tests: ['test/ordering/supplier-goods'],
  },
  'ids-repeat-no-input': {
    without: [[storeReport, 'input !== null && repeatsInput(', 'input === undefined && repeatsInput(']],
    tests: ['test/ordering/supplier-goods'],
  },
  'format-of-ids': {
    without: [[purchaseMessages, '/^P[0-9a-f]{18}$/', '/^[ -~]{1,100}$/']],
    tests: ['test/simulator/adapter'],
  },
  'bounded-times': {
    without: [
      [
        esimLife,
        'const clamp = (time: Date | undefined) => time && clamped(time, esim, now);',
        'const clamp = (time: Date | undefined) => time;',
      ],
    ],
    tests: ['test/domain/esim-life'],
  },
  'no-end-by-the-time-of-a-plan': {
    without: [
      [
        'src/suppliers/zendit/messages.ts',
        "const isOver = ({ status }: PlanMessage) => !['ACTIVE', 'QUEUED'].includes(status);",
        "const isOver = ({ status, endAt }: PlanMessage) => !['ACTIVE', 'QUEUED'].includes(status) || endAt !== undefined;",
      ],
    ],
    tests: ['test/suppliers/zendit-lists'],
  },
  'no-end-by-a-time-alone': {
    without: [
      [
        esimLife,
        'const depleted = seen.isDepleted ?',
        'const depleted = seen.isDepleted || seen.depletedAt ?',
      ],
    ],
    tests: ['test/domain/esim-life'],
  },
  'bounded-bytes': {
    without: [[responseBody, 'if (bytes > maxBytes)', 'if (bytes > maxBytes * 1_000)']],
    tests: ['test/simulator/adapter'],
  },
  'bounded-depth': {
    without: [['src/suppliers/kit/messages.ts', 'return maxDepth > 0 &&', 'return maxDepth > -20_000 &&']],
    tests: ['test/simulator/adapter'],
  },
  'bounded-pages': {
    without: [
      ['src/suppliers/kit/limits.ts', 'if (totalPages > maxPages)', 'if (totalPages > maxPages * 1e9)'],
    ],
    tests: ['test/simulator/adapter'],
  },
  'rows-that-differ': {
    without: [
      [
        purchaseMessages,
        'const distinct = other === undefined ? [first] : [first, other];',
        'const distinct = [first];',
      ],
    ],
    tests: ['test/simulator/adapter'],
  },
  'closed-wallet-statement': {
    without: [
      [
        'src/data/wallets/wallet-statement.ts',
        'WHERE id = $walletId FOR NO KEY UPDATE',
        'WHERE id = $walletId',
      ],
      [
        'src/data/wallets/wallet-statement.ts',
        'SELECT close_time(client_id, $to) FROM wallet',
        'SELECT $to::timestamptz FROM wallet',
      ],
    ],
    tests: ['test/ops/wallet-statement'],
  },
  'closed-order-statement': {
    without: [
      [
        'src/data/orders/order-statement.ts',
        'close_time($clientId, $to)',
        '(SELECT moment FROM client_clocks WHERE client_id = $clientId)',
      ],
    ],
    tests: ['test/data/order-statement'],
  },
  'distinct-plan-amounts': {
    without: [
      ['src/domain/prices/plan-amounts.ts', 'if (this.taken.has(amount.toFixed())) return false;', ''],
      [
        'src/data/schema/migrations/0002-catalogue.ts',
        'EXCLUDE USING btree (product_id WITH =, amount WITH =) WHERE (active)',
        'EXCLUDE USING btree (id WITH =) WHERE (active)',
      ],
    ],
    tests: ['test/data/variant-sync'],
  },
  'discounts-are-judged-by-price': {
    without: [['src/ops/confirmation.ts', 'judged ? judged(change.before) : [change]', '[change]']],
    tests: ['test/ops/accounts'],
  },
  'removals-of-an-import-need-force': {
    without: [['src/ops/confirmation.ts', 'if (removed.length === 0 ||', 'if (removed.length >= 0 ||']],
    tests: ['test/ops/catalogue-import'],
  },
  'dry-runs-store-nothing': {
    without: [['src/ops/import-catalogue.ts', 'if (isDryRun || report.some', 'if (report.some']],
    tests: ['test/ops/catalogue-import'],
  },
  'settings-name-products-that-cannot-be-bought': {
    without: [['src/ops/resulting-margins.ts', 'rejected > 0', 'rejected > 1e9']],
    tests: ['test/ordering/margin-rules'],
  },
  'made-products-wait-for-a-person': {
    without: [['src/ops/offer-products.ts', '    active: options.active,\n', '    active: true,\n']],
    tests: ['test/ops/catalogue-offers'],
  },
  'imports-are-whole': {
    without: [
      ['src/ops/import-catalogue.ts', "some(({ outcome }) => outcome === 'rejected')", 'some(() => false)'],
    ],
    tests: ['test/ops/catalogue-csv', 'test/ops/catalogue-import'],
  },
  'files-of-operators-are-utf-8': {
    without: [['src/ops/text-file.ts', 'if (isUtf8(bytes)) return text', 'if (bytes) return text']],
    tests: ['test/ops/catalogue-csv'],
  },
  'imported-texts-hide-no-characters': {
    without: [
      ['src/ops/catalogue-file.ts', 'if (hidden === undefined) return value', 'if (value) return value'],
    ],
    tests: ['test/ops/catalogue-import'],
  },
  'pictures-only-over-https': {
    without: [[shownText, "protocol === 'https:' && ", '']],
    tests: ['test/domain/shown-text', 'test/suppliers/offer-texts'],
  },
  'texts-of-offers-have-no-entities': {
    without: [['src/suppliers/kit/offers.ts', 'shownLine(decodeHTMLStrict(sent))', 'shownLine(sent)']],
    tests: ['test/suppliers/offer-texts'],
  },
  'half-a-list': {
    without: [[responseBody, 'if (read < total)', 'if (read < 0)']],
    tests: ['test/suppliers/catalogue'],
  },
  'list-shrinks-on-its-last-page': {
    without: [[responseBody, 'total = Math.max(total, page.totalRows)', 'total = page.totalRows']],
    tests: ['test/suppliers/whole-list'],
  },
  'costs-at-reference-rates': {
    without: [
      [
        'src/data/wallets/paying-wallet.ts',
        'FROM cost_rates valued WHERE',
        'FROM (SELECT *, false AS is_reference FROM forex_rates) valued WHERE',
      ],
    ],
    tests: ['test/ordering/margin-rules'],
  },
  'report-at-reference-rates': {
    without: [['src/data/schema/functions/margins.sql', 'AND NOT p.cost_rate_is_reference THEN', 'THEN']],
    tests: ['test/ordering/order-margins'],
  },
  'changes-are-measured-from-the-accepted-terms': {
    without: [
      [
        'src/catalogue/offer-sync.ts',
        'const before = accepted ?? terms;',
        "const before = accepted?.fee === '' ? accepted : terms;",
      ],
    ],
    tests: ['test/data/offer-sync'],
  },
  'list-price-stays-above-the-cost': {
    without: [
      [
        'src/catalogue/offer-sync.ts',
        '?? reasonBelowCost(before, after, listPrice)',
        '?? (listPrice ? undefined : reasonBelowCost(before, after, listPrice))',
      ],
    ],
    tests: ['test/data/offer-sync'],
  },
  'list-price-of-a-plan-waits': {
    without: [
      [
        'src/data/catalogue/plan-prices.ts',
        'if (!stored) return [plan];',
        'if (stored?.sku !== plan.name) return [plan];',
      ],
    ],
    tests: ['test/data/variant-sync'],
  },
  'list-price-of-a-plan-is-measured-from-the-accepted-one': {
    without: [['src/domain/prices/plan-prices.ts', 'stored.accepted ?? stored.amount', 'stored.amount']],
    tests: ['test/data/variant-sync'],
  },
  'list-price-of-a-plan-is-above-its-cost': {
    without: [['src/domain/prices/plan-prices.ts', 'if (!isBelowCost(price) ||', 'if (price.isFinite() ||']],
    tests: ['test/data/variant-sync'],
  },
  'charge-counts-as-cost': {
    without: [
      [
        sources,
        'highestCostOf(source, request) ?? costOf(source.reportedCost ?? source, request)',
        'costOf(source, request)',
      ],
    ],
    tests: ['test/ordering/reported-costs'],
  },
  'charge-counts-for-the-floor': {
    without: [[sourceCosts, 'reportedCost ?? source;', "reportedCost?.fee === '' ? reportedCost : source;"]],
    tests: ['test/ordering/reported-costs'],
  },
  'loss-is-listed': {
    without: [[reportedCosts, 'if (isLoss) {', "if (isLoss && price === '') {"]],
    tests: ['test/ordering/reported-costs'],
  },
  'impossible-cost-is-not-used': {
    without: [
      ['src/domain/prices/reported-costs.ts', 'base.times(MAX_TIMES)', 'base.times(MAX_TIMES * 1e15)'],
    ],
    tests: ['test/ordering/reported-costs'],
  },
  'accepted-cost-is-no-surprise': {
    without: [[reportedCosts, 'if (isComparable && accepted', 'if (!isComparable && accepted']],
    tests: ['test/ordering/reported-costs'],
  },
  'impossible-balance-is-not-used': {
    without: [
      ['src/catalogue/balance-sync.ts', 'return balances.filter(isPossible)', 'return [...balances]'],
    ],
    tests: ['test/ordering/reported-costs'],
  },
  'rates-near-the-reference-rate': {
    without: [['src/ops/commands/rates.ts', 'before: reference, after', 'before: null, after']],
    tests: ['test/ordering/margin-rules'],
  },
  'rates-near-the-inverse': {
    without: [['src/ops/commands/rates.ts', 'before: opposite && inverseOf(opposite)', 'before: null']],
    tests: ['test/ordering/margin-rules'],
  },
  'reversed-purchases-cost-nothing': {
    without: [[purchasePolls, 'SET reversed_at = now()', 'SET reversed_at = NULL']],
    tests: ['test/ordering/order-margins'],
  },
  'margin-floor': {
    without: [
      [sources, 'if (margin.greaterThanOrEqualTo(', 'if (margin.isFinite() || margin.greaterThanOrEqualTo('],
    ],
    tests: ['test/domain/margin-floor', 'test/ordering/margin-rules', 'test/api/margin-floor'],
  },
  'unknown-cost-under-a-floor': {
    without: [
      [sources, 'if (!cost) return `its cost is unknown, ${floor}`;', 'if (!cost) return undefined;'],
    ],
    tests: ['test/domain/margin-floor', 'test/ordering/margin-rules'],
  },
  'specific-margin-rule': {
    without: [
      [
        'src/data/prices/margin-rules.ts',
        'ORDER BY rule.client_id IS NULL, rule.client_group IS NULL, rule.product_id IS NULL LIMIT 1',
        'ORDER BY rule.id LIMIT 1',
      ],
    ],
    tests: ['test/ordering/margin-rules'],
  },
  'margin-at-the-rate-of-the-order': {
    without: [
      ['src/data/schema/functions/margins.sql', "(stored.cost_rate->>'rate')::numeric", 'p.cost_rate'],
    ],
    tests: ['test/ordering/order-margins'],
  },
  'cost-of-late-goods': {
    without: [[quarantine, "units.length > 0 && 'cost' in report", "units.length < 0 && 'cost' in report"]],
    tests: ['test/ordering/order-margins'],
  },
  'empty-catalogue': {
    without: [[offerChecks, 'if (absent === known)', 'if (absent < 0)']],
    tests: ['test/data/offer-sync'],
  },
  'only-offers-never-for-sale': {
    without: [
      [offerChecks, 'if (absent === known)', 'if (listed === 0)'],
      [offerChecks, '{ family, known, missing', '{ family, listed, known, missing'],
    ],
    tests: ['test/data/offer-sync'],
  },
  'short-catalogue': {
    without: [[offerChecks, 'missing >= DOUBTFUL_COUNT', 'missing < 0']],
    tests: ['test/data/offer-sync'],
  },
  'empty-list-of-a-family': {
    without: [
      [missingOffers, 'SELECT family, count(*)', 'SELECT min(family) AS family, count(*)'],
      [missingOffers, ' GROUP BY family ORDER BY family', ''],
    ],
    tests: ['test/data/offer-sync'],
  },
  'unfit-source-stops': {
    without: [
      [
        'src/catalogue/offer-sync.ts',
        'if (isPlanOfOffer || isSetInactive)',
        'if (isPlanOfOffer || isSetInactive || itemId > 0)',
      ],
    ],
    tests: ['test/data/offer-sync'],
  },
  'other-sources-of-a-changed-plan': {
    without: [[esimVariants, '=> hasOtherTerms).map', '=> hasOtherTerms && limitPercent < 0).map']],
    tests: ['test/data/offer-sync'],
  },
  'cancellation-sees-successors': {
    without: [[withdrawals, 'if (!isHidden) return;', 'if (isHidden || !isHidden) return;']],
    tests: ['test/ordering/conditions'],
  },
  'cancellation-needs-every-look-up': {
    without: [
      [
        'src/ordering/purchasing/open-purchases.ts',
        'if (!work.isComplete(attempted)) throw',
        'if (!work.isComplete(attempted) && accepted.length < 0) throw',
      ],
    ],
    tests: ['test/ordering/mixed-orders'],
  },
  'gone-offers-hold-no-change': {
    without: [
      ['src/data/catalogue/missing-offers.ts', '(gone_at IS NULL OR held IS NOT NULL)', 'gone_at IS NULL'],
    ],
    tests: ['test/data/offer-sync'],
  },
  'waiting-changes-are-listed': {
    without: [['src/data/catalogue/offer-review.ts', 'if (!first)', 'if (!first || first.count > 0)']],
    tests: ['test/ordering/margin-rules'],
  },
  'cost-of-a-waiting-change': {
    without: [[sourceCosts, 'listed?.greaterThan(cost) === false', 'listed?.greaterThan(0)']],
    tests: ['test/domain/margin-floor', 'test/ordering/margin-rules'],
  },
  'no-data-is-not-unlimited': {
    without: [
      ['src/suppliers/kit/offers.ts', 'storedGigabytes(plan.dataAmountGb).isZero()', 'plan.dataAmountGb < 0'],
    ],
    tests: ['test/suppliers/plan-data', 'test/suppliers/airalo-answers'],
  },
  'two-lists-in-a-row': {
    without: [
      ['src/catalogue/offer-sync.ts', 'const LISTS_TO_WITHDRAW = 2;', 'const LISTS_TO_WITHDRAW = 1;'],
    ],
    tests: ['test/data/offer-sync'],
  },
  'large-changes-wait': {
    without: [
      [
        'src/domain/prices/source-terms.ts',
        "large.length > 0 ? large.map(priceChangeText).join('; ') : undefined",
        "large.length > 0 && limitPercent < 0 ? large.map(priceChangeText).join('; ') : undefined",
      ],
    ],
    tests: ['test/data/offer-sync'],
  },
  'currency-of-a-fixed-sku': {
    without: [
      ['src/suppliers/dtone/index.ts', 'skuCurrency === currency && ', ''],
      [
        'src/suppliers/zendit/index.ts',
        'amount === undefined || skuCurrency !== currency',
        'amount === undefined',
      ],
    ],
    tests: ['test/suppliers/dtone', 'test/suppliers/zendit-requests'],
  },
  'operators-audit-entries': {
    without: [
      [
        'src/data/schema/functions/audit.sql',
        "IF NEW.actor_kind = 'OPERATOR' AND current_user",
        "IF NEW.actor_kind = 'NONE' AND current_user",
      ],
      [
        'src/data/schema/grants.sql',
        'INSERT (actor_kind, client_id, api_key_id, address, request_id, action, object, before, after)',
        'INSERT',
      ],
    ],
    tests: ['test/data/grants'],
  },
  'prices-of-changed-ranges': {
    without: [['src/data/catalogue/import/upsert.ts', 'before.flatMap(({ point }) => point ?? [])', '[]']],
    tests: ['test/ops/catalogue-import'],
  },
  'bounded-bodies': {
    without: [['src/api/middleware/request-body.ts', ' || counter.containers > MAX.containers', '']],
    tests: ['test/api/call-weights'],
  },
  'a-repeated-list-is-no-second-proof': {
    without: [
      [
        'src/data/catalogue/missing-offers.ts',
        "missed_at < $listedAt::timestamptz - interval '6 hours'",
        'missed_at < $listedAt',
      ],
    ],
    tests: ['test/data/offer-sync'],
  },
  'bodies-of-unknown-size-wait': {
    without: [
      ['src/api/middleware/request-body.ts', 'if (hasKnownSize(request)) return', 'if (request) return'],
    ],
    tests: ['test/api/call-weights'],
  },
  'catalogue-by-its-schema': {
    without: [['src/data/schema/functions/audit.sql', 'FROM pg_catalog.pg_class', 'FROM pg_class']],
    tests: ['test/data/grants'],
  },
  'audit-retention': {
    without: [
      [
        'src/data/schema/functions/audit.sql',
        'IF OLD.at >= clock_timestamp() - audit_retention() THEN',
        'IF OLD.at IS NULL THEN',
      ],
      [
        'src/data/schema/functions/audit.sql',
        'IF current_user <> retention_role() AND EXISTS',
        'IF current_user IS NULL AND EXISTS',
      ],
    ],
    tests: ['test/data/grants'],
  },
  'locks-of-two-lookup-keys': {
    without: [
      ['src/data/purchases/families/family-storage.ts', 'ORDER BY bucket FOR UPDATE`', 'ORDER BY bucket`'],
    ],
    tests: ['test/data/grants'],
  },
  'invalid-before-it-is-whole': {
    without: [
      [
        'src/api/middleware/request-body.ts',
        'else if (isInvalid?.(part)) end',
        'else if (isInvalid?.(part) && bytes > maxBytes) end',
      ],
    ],
    tests: ['test/api/call-weights'],
  },
  'charged-before-it-is-read': {
    without: [
      [
        'src/api/middleware/request-body.ts',
        'isPlain(request) && bytes <= maxBytes ? weightOfBody(bytes) : 0',
        'isPlain(request) && bytes <= maxBytes ? 0 * weightOfBody(bytes) : 0',
      ],
    ],
    tests: ['test/api/call-weights'],
  },
  'pace-of-rejected-bodies': {
    without: [
      [
        'src/api/middleware/request-body.ts',
        'if (!isWithinPace(length)) pause',
        'if (!isWithinPace(length) && length < 0) pause',
      ],
    ],
    tests: ['test/api/call-weights'],
  },
  'elements-beyond-one-too-many': {
    without: [['src/api/shared/validation.ts', 'value.slice(0, maxItems + 1)', 'value.slice(0)']],
    tests: ['test/api/call-weights'],
  },
  'one-request-of-a-connection': {
    without: [
      [
        'src/api/server/http-server.ts',
        'if (!previous) return begin();',
        'if (!previous?.destroyed) return begin();',
      ],
    ],
    tests: ['test/api/connections'],
  },
  'webhooks-again-only-on-a-new-connection': {
    without: [[webhookSender, 'return postBy(newConnections);', 'return postBy(agent);']],
    tests: ['test/notifications/webhooks-sender'],
  },
  'webhooks-again-only-without-a-byte-of-a-response': {
    without: [[keptConnections, 'socket?.bytesRead === before', 'true']],
    tests: ['test/notifications/webhooks-sender'],
  },
  'webhooks-again-only-after-a-reused-connection': {
    without: [[keptConnections, 'before > 0 &&', '']],
    tests: ['test/notifications/webhooks-sender'],
  },
  'webhooks-again-only-within-the-same-attempt': {
    without: [
      [webhookSender, 'body, signal });', 'body, signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS) });'],
    ],
    tests: ['test/notifications/webhooks-sender'],
  },
  'webhooks-that-are-slow-to-verify': {
    without: [
      [
        'src/suppliers/airalo/signature.ts',
        'rawBody.length <= MAX_REWRITTEN_BYTES',
        'rawBody.length <= 1e3 * MAX_REWRITTEN_BYTES',
      ],
    ],
    tests: ['test/suppliers/airalo-answers'],
  },
  'rest-between-large-reads': {
    without: [['src/api/shared/large-reads.ts', 'REST.share * tookMs', '0 * REST.share * tookMs']],
    tests: ['test/api/large-reads'],
  },
  'far-pages-take-turns': {
    without: [['src/api/shared/large-reads.ts', ' || offset > MAX_AT_ONCE.rowsBefore', '']],
    tests: ['test/api/large-reads'],
  },
  'wallet-statements-take-turns': {
    without: [
      [
        'src/api/wallets/routes.ts',
        'await sendCsv(response, name, walletColumns, statementLines(deps.database, id, period));',
        "const read = found(await readStatement(deps.database, id, period), 'Wallet');\n" +
          '      await sendCsv(response, name, walletColumns, walletLines(read, period));',
      ],
    ],
    tests: ['test/api/statements'],
  },
  'replays-take-turns': {
    without: [
      [
        'src/api/webhooks/endpoint-routes.ts',
        'scheduleLargeRead(response, () =>\n        replayEvents(',
        '(async (count: () => ReturnType<typeof replayEvents>) => count())(() =>\n        replayEvents(',
      ],
    ],
    tests: ['test/api/webhooks'],
  },
  'replays-of-the-future-read-nothing': {
    without: [
      ['src/data/webhooks/redelivery.ts', 'since.getTime() > Date.now()', 'since.getTime() > Infinity'],
    ],
    tests: ['test/data/webhook-endpoints'],
  },
  'open-files-of-a-client': {
    without: [
      [
        'src/api/shared/csv-response.ts',
        'maxPerOwner: 5, maxPerOwnerAmongOthers: 5',
        'maxPerOwner: 200, maxPerOwnerAmongOthers: 200',
      ],
    ],
    tests: ['test/api/csv-answer'],
  },
  'bodies-that-nothing-reads': {
    without: [
      ['src/api/middleware/request-body.ts', 'if (hasBody) response', 'if (hasBody && !next) response'],
    ],
    tests: ['test/api/call-weights'],
  },
  'rejected-calls-in-the-log': {
    without: [
      ['src/api/middleware/api-request-log.ts', 'return rejected > MAX_REJECTED;', 'return rejected < 0;'],
    ],
    tests: ['test/api/api-request-log'],
  },
  'unprepared-searches': {
    without: [
      [
        'src/data/database/database.ts',
        'runOnPool<Row>(database, sql, binds, false)',
        'runOnPool<Row>(database, sql, binds)',
      ],
    ],
    tests: ['test/data/client-orders'],
  },
  'limit-before-statements': {
    without: [
      [
        'src/api/server/app.ts',
        'sequence([log, authenticate(deps), ...ofClient])',
        'sequence([log, authenticate(deps), rejectEndedAccess(deps), ...ofClient])',
      ],
    ],
    tests: ['test/api/rate-limits'],
  },
  'force-for-large-changes': {
    without: [
      [
        'src/ops/confirmation.ts',
        'if (large.length === 0 || command.opts<{ force?: boolean }>().force) return;',
        'if (large.length >= 0 || command.opts<{ force?: boolean }>().force) return;',
      ],
    ],
    tests: ['test/ops/accounts'],
  },
  'value-as-it-was-shown': {
    without: [
      [
        'src/data/prices/pricing-settings.ts',
        '${condition(key)} AND ${column} = $before`',
        '${condition(key)} AND $before::numeric IS NOT NULL`',
      ],
    ],
    tests: ['test/ops/accounts'],
  },
  'age-never-negative': {
    without: [
      [
        'src/data/schema/functions/clocks.sql',
        'greatest(0, extract(epoch FROM clock_timestamp() - moment))::float8',
        'extract(epoch FROM clock_timestamp() - moment)::float8',
      ],
    ],
    tests: ['test/data/functions'],
  },
  'future-counts-as-old': {
    without: [['src/data/schema/functions/clocks.sql', ' OR moment > clock_timestamp()', '']],
    tests: ['test/data/functions'],
  },
  'known-event-types': {
    without: [
      [
        'src/data/schema/functions/event-fan-out.sql',
        "(event_types = '{}' AND type IN (",
        "(event_types = '{}' AND type NOT LIKE 'topup.%' OR event_types = '{}' AND type IN (",
      ],
    ],
    tests: ['test/data/functions'],
  },
  'clock-offset': {
    without: [
      [
        'src/metrics/process-metrics.ts',
        'clock === timedOut ? NaN :',
        'clock === timedOut || clock > 0 ? NaN :',
      ],
    ],
    tests: ['test/metrics/metrics'],
  },
  'sequence-metric': {
    without: [['src/metrics/stored-metrics.ts', 'sequences.map(', 'sequences.slice(0, 0).map(']],
    tests: ['test/metrics/metrics'],
  },
  'readable-secret-clears': {
    without: [['src/data/webhooks/endpoint-secrets.ts', 'isDeleted || isReadable(secret)', 'isDeleted']],
    tests: ['test/data/webhook-endpoints'],
  },
  'stop-begins-no-delivery': {
    without: [
      [
        'src/notifications/webhooks/delivery.ts',
        'stopping.aborted || performance.now() > deadline',
        'performance.now() > deadline',
      ],
    ],
    tests: ['test/notifications/delivery'],
  },
  'stop-answers-waiting-reads': {
    without: [
      ['src/api/shared/large-reads.ts', 'TURN_LIMIT_MS, closed, stopping)', 'TURN_LIMIT_MS, closed)'],
    ],
    tests: ['test/faults/stopping'],
  },
  'stop-completes-responses': {
    without: [
      [
        'src/api/server/http-server.ts',
        "if (begun) begun.once('close', () => begun.req.socket.destroySoon());\n      else connection.destroy();",
        'connection.destroy();',
      ],
    ],
    tests: ['test/faults/stopping'],
  },
  'stop-closes-only-idle-connections': {
    without: [
      [
        'src/api/main.ts',
        'if (!inFlight.all().some(({ writableEnded }) => writableEnded)) server.closeIdleConnections();',
        'server.closeIdleConnections();',
      ],
    ],
    tests: ['test/faults/stopping'],
  },
  'current-account': {
    without: [
      [
        'src/data/clients/accounts.ts',
        '{ transaction, lock, rejectOnEmpty: true }',
        '{ rejectOnEmpty: true }',
      ],
    ],
    tests: ['test/ops/accounts'],
  },
  'unreadable-metrics-omitted': {
    without: [['src/metrics/stored-metrics.ts', 'if (labelNames.length === 0) entry.remove();', '']],
    tests: ['test/metrics/stored-metrics'],
  },
  'gauges-are-zero': {
    without: [
      [
        'src/metrics/stored-metrics.ts',
        'attentionKinds.map((kind) => [{ kind }, attention.find((entry) => entry.kind === kind)?.standing ?? 0]),',
        'attention.map(({ kind, standing }) => [{ kind }, standing]),',
      ],
    ],
    tests: ['test/metrics/metrics'],
  },
  'sent-may-have-run': {
    without: [
      [
        'src/suppliers/kit/http.ts',
        'const mayHaveBought = call.purchase !== undefined && begun;',
        "const mayHaveBought = call.purchase?.reference === '' && begun;",
      ],
    ],
    tests: ['test/suppliers/conclusions'],
  },
  'first-seen': {
    without: [
      [
        'src/ordering/purchasing/send-and-look-up.ts',
        'Math.min(this.firstSeen.get(key) ?? at, at)',
        'Math.max(0, at)',
      ],
    ],
    tests: ['test/ordering/sent-purchases'],
  },
  'age-of-each-attempt': {
    without: [
      [
        'src/ordering/purchasing/send-and-look-up.ts',
        '`${reference} ${attempt}`',
        '`${reference} ${attempt * 0}`',
      ],
    ],
    tests: ['test/ordering/sent-purchases'],
  },
  'sent-in-the-future': {
    without: [[purchaseCalls, 'if (sentMsAgo < 0) await', 'if (sentMsAgo === Infinity) await']],
    tests: ['test/ordering/purchasing'],
  },
  'code-length': {
    without: [[usableGoods, '[...code].length > MAX_CODE_LENGTH', '[...code].length === 0']],
    tests: ['test/domain/usable-goods'],
  },
  'implausible-times-told': {
    without: [[esimLife, 'return doubted.length === 0 ?', 'return doubted.length >= 0 ?']],
    tests: ['test/domain/esim-life'],
  },
  'implausible-times-listed': {
    without: [[esimLife, 'return doubted.length === 0 ?', 'return doubted.length >= 0 ?']],
    tests: ['test/ordering/esim-polls'],
  },
  'stored-times-are-bounded': {
    without: [
      [
        esimLife,
        'Math.min(Math.max(activatedAt.getTime(), soldAt), soldAt + usableForMs)',
        'activatedAt.getTime()',
      ],
    ],
    tests: ['test/domain/esim-life'],
  },
  'time-of-a-call': {
    without: [
      [
        'src/suppliers/kit/exchange.ts',
        'AbortSignal.timeout(call.timeoutMs)',
        'AbortSignal.timeout(call.timeoutMs * 1e3)',
      ],
    ],
    tests: ['test/simulator/adapter'],
  },
  'time-of-a-list': {
    without: [['src/suppliers/kit/limits.ts', '> LIST_LIMIT_MS)', '> LIST_LIMIT_MS * 1e9)']],
    tests: ['test/simulator/adapter'],
  },
  'limits-by-kind': {
    without: [[responseBody, '64 * KiB + units * 32 * KiB', 'MAX_STATUS_BYTES + units * 0']],
    tests: ['test/simulator/adapter'],
  },
  'bounded-rows': {
    without: [['src/suppliers/kit/messages.ts', 'MAX_ROWS = 10_000', 'MAX_ROWS = 1e9']],
    tests: ['test/simulator/adapter'],
  },
  'functions-of-this-release': {
    without: [
      [
        'src/data/schema/migrate.ts',
        '.filter((file) => !wasApplied(file))',
        '.filter((file) => !wasApplied(file) && file.sql === "")',
      ],
    ],
    tests: ['test/data/grants'],
  },
  'written-off-is-not-repeated': {
    without: [
      [
        purchases,
        "attempt = attempt + 1, sent_at = clock_timestamp(), updated_at = now()\n      WHERE ${ofThisAttempt} AND state = 'SENT'",
        "attempt = attempt + 1, sent_at = clock_timestamp(), updated_at = now()\n      WHERE ${ofThisAttempt} AND state <> 'NONE'",
      ],
    ],
    tests: ['test/ordering/conditions'],
  },
  'writes-need-access': {
    without: [
      [
        'src/api/middleware/authenticate.ts',
        'if (accessRefusal && !',
        "if (accessRefusal && request.path === '' && !",
      ],
    ],
    tests: ['test/api/ended-access'],
  },
  'suspension-ends-sessions': {
    without: [
      [
        'src/data/schema/functions/revocations.sql',
        'WHERE client_id = NEW.id AND (revoked_at',
        'WHERE client_id = 0 AND (revoked_at',
      ],
    ],
    tests: ['test/api/ended-access'],
  },
  'weight-of-a-body': {
    without: [['src/domain/clients/rate-classes.ts', 'Math.ceil(bytes / BYTES_PER_WEIGHT) - 1', '0 * bytes']],
    tests: ['test/api/call-weights'],
  },
  'weight-of-rows': {
    without: [['src/domain/clients/rate-classes.ts', 'Math.floor(rows / ROWS_PER_WEIGHT) - 1', '0 * rows']],
    tests: ['test/api/call-weights'],
  },
  'bounded-keys': {
    without: [
      ['src/api/middleware/request-body.ts', 'counter.keys > MAX.keys', 'counter.keys > MAX.keys * 1e6'],
    ],
    tests: ['test/api/call-weights'],
  },
  'named-keys-alone': {
    without: [['src/api/shared/validation.ts', 'known(schema, body)', 'body']],
    tests: ['test/api/call-weights'],
  },
  'unknown-input-fields': {
    without: [
      [
        'src/domain/orders/customer-input.ts',
        'if (unknown !== undefined) throw',
        "if (unknown === '') throw",
      ],
    ],
    tests: ['test/domain/customer-input'],
  },
  'one-large-read-of-a-client': {
    without: [
      ['src/api/shared/large-reads.ts', 'maxPerOwner: 1,', 'maxPerOwner: 8,'],
      ['src/api/shared/large-reads.ts', 'maxPerOwnerAmongOthers: 1,', 'maxPerOwnerAmongOthers: 8,'],
    ],
    tests: ['test/api/large-reads'],
  },
  'read-ends-with-its-connection': {
    without: [
      [
        'src/api/shared/large-reads.ts',
        'if (closed.aborted) stop();',
        'if (closed.aborted && TURN_LIMIT_MS < 0) stop();',
      ],
    ],
    tests: ['test/api/large-reads'],
  },
  'no-response-without-a-request': {
    without: [[httpServer, 'if (hasSentNothing(socket)) socket.destroy();\n    else end', 'end']],
    tests: ['test/api/connections'],
  },
  'stalled-connections': {
    without: [['src/api/server/http-server.ts', '>= stalledMs) socket', '>= stalledMs * 1e6) socket']],
    tests: ['test/api/connections'],
  },
  'bounded-pipelining': {
    without: [['src/api/server/http-server.ts', '> MAX_PIPELINED)', '> MAX_PIPELINED * 1e3)']],
    tests: ['test/api/connections'],
  },
  'connections-by-network': {
    without: [
      ['src/api/server/http-server.ts', 'const network = networkOf(address);', 'const network = address;'],
    ],
    tests: ['test/api/connections'],
  },
  'cache-key': {
    without: [['src/api/shared/response-cache.ts', '${canonicalJson(input)}', '${request.originalUrl}']],
    tests: ['test/api/response-cache'],
  },
  'cache-counts-keys': {
    without: [['src/api/shared/response-cache.ts', 'key.length * CHARACTER_BYTES', 'key.length * 0']],
    tests: ['test/api/response-cache'],
  },
  'cache-is-swept': {
    without: [['src/data/database/versioned-cache.ts', 'this.entries.purgeStale()', 'this.entries.size']],
    tests: ['test/api/response-cache'],
  },
  'cut-paths': {
    without: [['src/api/middleware/request-log.ts', '.slice(0, MAX_PATH)', '']],
    tests: ['test/api/request-log'],
  },
  'shared-readiness': {
    without: [['src/api/probes/routes.ts', 'shareResultFor(CHECK_SHARED_MS,', 'shareResultFor(0,']],
    tests: ['test/ordering/temporal-storage'],
  },
  'full-disk-without-orders': {
    without: [
      [
        'src/ordering/placement/temporal-storage.ts',
        ' || performance.now() - this.wroteAt >= WRITE_EVERY_MS',
        '',
      ],
    ],
    tests: ['test/ordering/temporal-storage'],
  },
  'full-disk': {
    without: [
      [
        'src/ordering/placement/temporal-storage.ts',
        'return this.failedChecks >= FAILED_CHECKS;',
        'return this.failedChecks < 0;',
      ],
    ],
    tests: ['test/ordering/temporal-storage'],
  },
  'no-order-on-a-full-disk': {
    without: [
      [
        'src/ordering/placement/admission.ts',
        'if (this.storage.isFailing) throw',
        'if (this.inFlight < 0) throw',
      ],
    ],
    tests: ['test/ordering/admission'],
  },
  'one-wait-for-all-families': {
    without: [
      [
        'src/ordering/placement/admission.ts',
        'const isTooLong = waitMs > MAX_QUEUE_MS;',
        "const isTooLong = waitMs > (family === 'ESIM' ? 10 : 1) * MAX_QUEUE_MS;",
      ],
    ],
    tests: ['test/ordering/admission'],
  },
  'no-temporary-tables': {
    without: [
      [
        'src/data/schema/grants.sql',
        'REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {codec}, {retention};',
        '',
      ],
    ],
    tests: ['test/data/grants'],
  },
  'schema-of-an-earlier-state': {
    without: [
      [
        'src/data/schema/migrate.ts',
        'if (unknown === undefined || migrations',
        'if (migrations.length > 0 || unknown === undefined || migrations',
      ],
    ],
    tests: ['test/data/migrations', 'test/data/grants'],
  },
  'migration-lock-of-the-owner': {
    without: [
      [
        'src/data/schema/migration-lock.ts',
        "'LOCK TABLE migrations IN SHARE UPDATE EXCLUSIVE MODE NOWAIT'",
        "'LOCK TABLE migrations IN ACCESS SHARE MODE NOWAIT'",
      ],
    ],
    tests: ['test/data/grants'],
  },
  'secrets-of-the-library': {
    without: [
      ['packages/client/src/session.ts', '#credentials', 'credentials'],
      ['packages/client/src/transport.ts', '#session', 'session'],
    ],
    tests: ['test/client/sessions'],
  },
  'library-needs-tls': {
    without: [['packages/client/src/transport.ts', 'if (isSafe) return', 'if (isSafe !== undefined) return']],
    tests: ['test/client/sessions'],
  },
  'ids-in-paths': {
    without: [
      ['packages/client/src/api.ts', 'if (/^\\.{0,2}$|[/\\\\]/.test(value))', 'if (value === undefined)'],
    ],
    tests: ['test/client/sessions'],
  },
  'right-secret-counts-apart': {
    without: [
      [
        'src/api/auth/limits.ts',
        'isVerified ? verifiedCaller : { key: pair, overrides }',
        'isVerified ? { key: pair, overrides } : { key: pair, overrides }',
      ],
    ],
    tests: ['test/api/rate-limits'],
  },
  'ended-sessions-count-apart': {
    without: [
      [
        'src/api/middleware/caller.ts',
        'return hasEnded ? `${id}:ended` : String(id);',
        'return hasEnded ? String(id) : String(id);',
      ],
    ],
    tests: ['test/api/ended-access'],
  },
  'ended-cookies-count-apart': {
    without: [['src/api/console/session.ts', 'if (!session) markEnded(response);', '']],
    tests: ['test/api/ended-access'],
  },
  'ended-refreshes-count-apart': {
    without: [
      [
        'src/api/auth/limits.ts',
        "if (await caller.hasEnded()) pair += ':ended';",
        'await caller.hasEnded();',
      ],
    ],
    tests: ['test/api/ended-access'],
  },
  'ended-sessions-empty-caches': {
    without: [
      [
        'src/data/schema/migrations/0022-ended-sessions.ts',
        "tell_change('clients')",
        "tell_change('catalogue')",
      ],
    ],
    tests: ['test/api/ended-access'],
  },
  'callbacks-over-tls': {
    without: [
      ['src/setting-schemas.ts', "if (url.startsWith('https:')) return url;", "if (url !== '') return url;"],
    ],
    tests: ['test/production-settings'],
  },
  'secret-of-callback-address': {
    without: [
      [
        'src/setting-schemas.ts',
        "if (isEasilyGuessed(url.slice(url.lastIndexOf('/') + 1))) return guessed(helpers);",
        '',
      ],
    ],
    tests: ['test/production-settings'],
  },
  'no-network-of-everybody-as-proxy': {
    without: [['src/setting-schemas.ts', 'entries.find(isOpenToAll)', 'entries.find(() => false)']],
    tests: ['test/production-settings'],
  },
  'stated-plain-connections': {
    without: [['src/config.ts', 'demandEncryption(demandOneSupplier(', '(demandOneSupplier(']],
    tests: ['test/production-settings'],
  },
  'paths-in-one-case': {
    without: [
      [
        'src/api/server/dispatch.ts',
        'node.children.get(segment);',
        'node.children.get(segment.toLowerCase());',
      ],
    ],
    tests: ['test/api/dispatch'],
  },
  'no-terminal-controls-from-dgo': {
    without: [['packages/client/src/cli/main.ts', 'console.log(printable(text))', 'console.log(text)']],
    tests: ['test/client/dgo'],
  },
  'nothing-audited-fails': {
    without: [['dev/scripts/audit.mjs', 'process.exitCode = 2;', '']],
    tests: ['test/supply-chain/audit'],
  },
  'one-list-of-checks': {
    without: [
      [
        'src/api/server/app.ts',
        'authenticateSession(deps), ...ofClient]',
        'authenticateSession(deps), ...ofClient.slice(1)]',
      ],
    ],
    tests: ['test/api/prefixes'],
  },
  'deleted-histories-are-audited': {
    without: [
      [
        'src/temporal/connection.ts',
        'return hasStatus(error, NOT_FOUND) &&',
        'return !hasStatus(error, NOT_FOUND) &&',
      ],
    ],
    tests: ['test/ordering/operator-calls'],
  },
  'missing-namespace-deletes-no-history': {
    without: [['src/temporal/connection.ts', ' && !/namespace/i.test((error as Error).message)', '']],
    tests: ['test/ordering/operator-calls'],
  },
  'terminations-despite-unreadable-runs': {
    without: [
      [
        'src/ordering/maintenance/operator-calls.ts',
        'return runAllSteps(\n    () => copyNoted(deps),\n    () => copyTerminated(deps),\n  );',
        'return copyNoted(deps).then(() => copyTerminated(deps));',
      ],
    ],
    tests: ['test/ordering/operator-calls'],
  },
  'login-without-secret-is-a-failure': {
    without: [
      [
        'src/api/auth/login.ts',
        '!isFilled(apiKey) || !isFilled(secret)',
        "!isFilled(apiKey) || typeof secret !== 'string'",
      ],
    ],
    tests: ['test/api/rate-limits'],
  },
  'one-session-cookie': {
    without: [['src/api/console/session.ts', 'if (sent.length > 1) throw', 'if (sent.length < 0) throw']],
    tests: ['test/api/console-session'],
  },
  'cookie-of-this-host': {
    without: [['src/api/console/session.ts', "'__Host-console_session'", "'console_session'"]],
    tests: ['test/api/console-cookie'],
  },
  'characters-that-act-on-a-terminal': {
    without: [['src/ops/output.ts', "return text.replace(controlCharacters, '');", 'return text;']],
    tests: ['test/ops/accounts'],
  },
  'azure-host': {
    without: [['src/notifications/webhooks/addresses.ts', ' || target.toString() === azureHost', '']],
    tests: ['test/notifications/webhooks-addresses'],
  },
  'network-policy': {
    without: [['deploy/kubernetes/service/network.yaml', '168.63.129.16/32,', '']],
    tests: ['test/production/kubernetes'],
  },
  'reads-while-temporal-is-down': {
    without: [
      [
        'deploy/kubernetes/service/api.yaml',
        'readinessProbe: { httpGet: { path: /health,',
        'readinessProbe: { httpGet: { path: /ready,',
      ],
    ],
    tests: ['test/production/kubernetes'],
  },
  'passwords-of-roles-not-in-arguments': {
    without: [['deploy/postgres-config/roles.sh', '--set name="$1"', '--set name="$1" --set password="$2"']],
    tests: ['test/production/roles'],
  },
  'strict-transport-security': {
    without: [
      [
        'src/api/server/app.ts',
        "...(mode === 'production' && { 'Strict-Transport-Security': 'max-age=31536000' }),",
        "...(mode === 'production' && {}),",
      ],
    ],
    tests: ['test/api/sandbox'],
  },
  'verified-temporal-program': {
    without: [
      [
        'dev/stack/temporal.ts',
        'if ((await sha256Of(file)) === fetched) return file;',
        'if ((await sha256Of(file)) !== "") return file;',
      ],
    ],
    tests: ['test/stack/clear-sentences'],
  },
  'each-entry-by-itself': {
    without: [['src/async/promises.ts', 'failures.push(error);', 'throw error;']],
    tests: ['test/ordering/maintenance', 'test/ordering/order-workers'],
  },
  'unplaced-workflows': {
    without: [['src/ordering/maintenance/attention-reviews.ts', 'among.has(id) ?', 'among.size >= 0 ?']],
    tests: ['test/ordering/maintenance'],
  },
  'workflows-without-an-order': {
    without: [['src/temporal/failing-workflows.ts', 'else failing.others.push(workflowId);', '']],
    tests: ['test/ordering/maintenance'],
  },
  'failing-maintenance': {
    without: [
      ['src/ordering/maintenance/service-watch.ts', "['MAINTENANCE_FAILING', failingMaintenance],\n", ''],
    ],
    tests: ['test/ordering/order-workers'],
  },
  'money-comes-from-operators': {
    without: [
      [
        'src/data/schema/functions/ledger.sql',
        'IF NOT pg_has_role(current_user, (SELECT relowner',
        'IF false AND NOT pg_has_role(current_user, (SELECT relowner',
      ],
    ],
    tests: ['test/data/grants'],
  },
  'sandbox-funds-only-in-a-sandbox': {
    without: [
      ['src/data/schema/functions/ledger.sql', 'IF NOT EXISTS (SELECT FROM sandbox_scenarios)', 'IF false'],
    ],
    tests: ['test/data/grants'],
  },
  'one-entry-for-each-reference': {
    without: [['src/data/wallets/ledger.ts', 'wallet.kind !== kind || ', '']],
    tests: ['test/ops/accounts'],
  },
  'references-of-another-client': {
    without: [['src/data/wallets/ledger.ts', 'wallet.otherWalletId !== null && !force', 'false']],
    tests: ['test/ops/accounts'],
  },
  'references-of-orders': {
    without: [['src/data/wallets/ledger.ts', 'if (ofOrders.test(reference))', 'if (false)']],
    tests: ['test/ops/accounts'],
  },
  'large-orders-give-way-to-small-ones': {
    without: [['src/worker/bulk.ts', '  lowerPriority();\n', '']],
    tests: ['test/worker/bulk-worker'],
  },
  'small-orders-do-not-wait-for-tokens-of-large-ones': {
    without: [
      ['src/ordering/purchasing/shared-state.ts', 'yields ? YIELDING_CLAIM_MS : CLAIM_MS', 'CLAIM_MS'],
    ],
    tests: ['test/ordering/shared-state'],
  },
  'large-orders-give-way-between-sessions': {
    without: [['src/worker/low-priority.ts', '  lowerAutogroup();\n', '']],
    tests: ['test/worker/bulk-worker'],
  },
  'missing-bulk-workers-on-the-list': {
    without: [['src/ordering/maintenance/service-watch.ts', "role === 'bulk-worker'", 'role']],
    tests: ['test/ordering/order-workers'],
  },
  'missing-workers': {
    without: [['src/ordering/maintenance/service-watch.ts', "['NO_WORKERS', missingWorkers],\n", '']],
    tests: ['test/ordering/order-workers'],
  },
  'rejected-orders': {
    without: [['src/ordering/maintenance/service-watch.ts', "['ORDERS_REJECTED', rejectedOrders],\n", '']],
    tests: ['test/ordering/order-workers'],
  },
  'abandoned-versions': {
    without: [
      ['src/ordering/maintenance/service-watch.ts', "['VERSION_WITHOUT_WORKERS', abandonedVersions],\n", ''],
    ],
    tests: ['test/ordering/order-workers'],
  },
  'emptied-temporal': {
    without: [
      [
        'src/temporal/prepare.ts',
        'if (missing.length < Object.keys(searchAttributeTypes).length) return;',
        'if (missing.length <= Object.keys(searchAttributeTypes).length) return;',
      ],
    ],
    tests: ['test/ordering/maintenance'],
  },
  'schedules-without-keys': {
    without: [
      [
        'src/temporal/prepare.ts',
        'dataConverter: { payloadCodecs: [plainText] }',
        'dataConverter: options.dataConverter',
      ],
    ],
    tests: ['test/ordering/maintenance-runs'],
  },
  'results-of-runs-without-keys': {
    without: [['src/temporal/codec.ts', ' || isEmpty(payload)', '']],
    tests: ['test/ordering/maintenance-runs'],
  },
  'failures-of-runs-without-keys': {
    without: [['src/temporal/failure-converter.ts', '[refusedType, maintenanceFailedType]', '[refusedType]']],
    tests: ['test/ordering/maintenance-runs'],
  },
  'runs-end-with-their-release': {
    without: [['src/worker/workers.ts', "['NondeterminismError']", '[]']],
    tests: ['test/ordering/maintenance-runs'],
  },
  'prepared-again': {
    without: [
      [
        'src/temporal/prepare.ts',
        'if (missing.length === 0) return false;',
        'if (missing.length >= 0) return false;',
      ],
    ],
    tests: ['test/ordering/maintenance'],
  },
  'health-of-each-call': {
    without: [
      [
        'src/data/operations/supplier-health.ts',
        'await rows(database, successStatement, { ...call });',
        "await rows(database, successStatement, { ...call });\n  await rows(database, 'UPDATE supplier_call_health SET failing_since = NULL, last_failure_at = NULL, last_error = NULL WHERE supplier = $supplier', { supplier: call.supplier });",
      ],
    ],
    tests: ['test/data/supplier-health'],
  },
  'unsent-purchases': {
    without: [
      [
        'src/data/operations/supplier-health.ts',
        "WHERE since < now() - interval '10 minutes' GROUP",
        'WHERE false GROUP',
      ],
    ],
    tests: ['test/ordering/supplier-upkeep'],
  },
  'unusual-failures': {
    without: [[orderResults, 'ELSE ended >= $minEnded', 'ELSE ended < 0 * $minEnded']],
    tests: ['test/ordering/supplier-upkeep'],
  },
  'few-orders-are-no-share': {
    without: [[orderResults, 'ELSE ended >= $minEnded', 'ELSE ended > 0 * $minEnded']],
    tests: ['test/ordering/supplier-upkeep'],
  },
  'share-of-the-day-before': {
    without: [
      [orderResults, 'ended * ($minPoints + before / greatest(ended_before, 1))', 'ended * $minPoints'],
      [orderResults, 'ended * $minFactor * before / greatest(ended_before, 1)', '0 * $minFactor'],
    ],
    tests: ['test/ordering/supplier-upkeep'],
  },
  'our-limit-from-the-first-order': {
    without: [[orderResults, "WHEN 'CLIENT_LIMIT_EXCEEDED' THEN orders > 0\n", '']],
    tests: ['test/ordering/supplier-upkeep'],
  },
  'scenarios-meant-to-fail': {
    without: [
      [
        orderResults,
        'WHERE NOT EXISTS (SELECT FROM intended',
        'WHERE true OR NOT EXISTS (SELECT FROM intended',
      ],
    ],
    tests: ['test/ordering/supplier-upkeep'],
  },
  'nightly-verification': {
    without: [
      [
        'src/data/ledger-verification/index.ts',
        "'LEDGER_UNSOUND', first ? [",
        "'LEDGER_UNSOUND', !first ? [",
      ],
    ],
    tests: ['test/ops/ledger-verify'],
  },
  'reason-for-a-price': {
    without: [
      [
        'src/ops/confirmation.ts',
        "command.requiredOption('--reason <text>'",
        "command.option('--reason <text>'",
      ],
    ],
    tests: ['test/ops/accounts'],
  },
  'overdue-webhooks-of-working-endpoints': {
    without: [
      [
        'src/data/operations/metrics.ts',
        'oldest.created_at IS NOT NULL AND endpoint.failing_since IS NULL',
        'oldest.created_at IS NOT NULL AND endpoint.enabled',
      ],
    ],
    tests: ['test/metrics/metrics'],
  },
  'settled-mail-is-given-up': {
    without: [
      [
        'src/data/operations/attention.ts',
        'await rows(database, giveUpMailStatement, { id }, transaction);',
        '',
      ],
    ],
    tests: ['test/ops/attention'],
  },
  'ended-straggler-is-skipped': {
    without: [['src/temporal/deployment.ts', 'if (hasStatus(error, NOT_FOUND)) return false;', '']],
    tests: ['test/ops/deployments'],
  },
  'resolving-commands': {
    without: [['src/ops/commands/attention.ts', 'resolve: resolvingCommand(one),', 'resolve: one.kind,']],
    tests: ['test/ops/attention'],
  },
  'money-of-a-wallet-in-the-audit': {
    without: [
      ['src/data/operations/audit.ts', "ON entry.action = 'transaction.created'", "ON entry.action = 'none'"],
    ],
    tests: ['test/ops/operators-audit'],
  },
  'audit-fits-a-terminal': {
    without: [
      [
        'src/ops/output.ts',
        "return lines.map((line) => ' '.repeat(indent) + line).join('\\n');",
        'return text;',
      ],
    ],
    tests: ['test/ops/operators-audit'],
  },
  'how-long-ago': {
    without: [['src/ops/arguments.ts', '([mhd])$/', '([md])$/']],
    tests: ['test/ops/operators-audit'],
  },
  'retry-says-what-fails': {
    without: [
      [
        'src/temporal/failing-workflows.ts',
        'if (failure === undefined) return;',
        "if (failure === undefined || workflowId !== '') return;",
      ],
    ],
    tests: ['test/ops/order-decisions'],
  },
  'page-names-every-file': {
    without: [
      [
        'docs/developers/adding-a-family.md',
        '- `src/data/catalogue/offers.ts`',
        '- src/data/catalogue/offers.ts',
      ],
    ],
    tests: ['test/documents/adding-a-family'],
  },
  'events-pass-a-hanging-test': {
    without: [
      [
        'src/notifications/webhooks/delivery.ts',
        'return this.send(',
        'await this.verificationTests.ended();\n    return this.send(',
      ],
    ],
    tests: ['test/api/webhooks'],
  },
  'closed-page-takes-no-place': {
    without: [['src/api/console/routes.ts', 'if (response.destroyed) return;', '']],
    tests: ['test/api/event-stream'],
  },
  'verified-present-url': {
    without: [
      [
        'src/data/webhooks/deliveries.ts',
        'WHERE id = $id AND url = $url AND',
        'WHERE id = $id AND $url::text IS NOT NULL AND',
      ],
    ],
    tests: ['test/api/webhooks'],
  },
  'prices-that-round-to-0': {
    without: [
      [
        'src/ordering/placement/quotes.ts',
        'if (pricing.price.isZero() &&',
        'if (pricing.price.isNegative() &&',
      ],
    ],
    tests: ['test/api/charges'],
  },
  'answer-lost-until-a-look-up-is-answered': {
    without: [
      [
        purchaseCalls,
        "else if (purchase.isListed) {\n      await clearAttention(this.deps.database, subjectOf(purchase), ['ANSWER_LOST']);",
        "else if (purchase.isListed && purchase.units < 0) {\n      await clearAttention(this.deps.database, subjectOf(purchase), ['ANSWER_LOST']);",
      ],
    ],
    tests: ['test/ordering/purchasing'],
  },
  'successors-are-looked-up-first': {
    without: [[purchasing, 'purchase.attemptsMade <= 1 && !purchase.isSuccessor', 'purchase.attempt <= 1']],
    tests: ['test/ordering/restored-orders'],
  },
  'bought-in-the-gap-needs-an-operator': {
    without: [
      [
        purchaseCalls,
        "purchase.boughtInGap && (boughtNothing || report.state === 'NOT_FOUND')",
        'purchase.boughtInGap && purchase.units < 0',
      ],
    ],
    tests: ['test/ordering/restored-orders'],
  },
  'undecided-reservations-of-the-gap-are-lost': {
    without: [[restored, " AND i.state <> 'RESERVED'", '']],
    tests: ['test/data/restored'],
  },
  'accepted-purchases-do-not-wait-for-lost-ones': {
    without: [
      [purchasing, '!work.hasFailed && (polled.ready === 0 || lost.length === 0)', 'polled.open >= 0'],
    ],
    tests: ['test/ordering/mixed-orders'],
  },
  'an-error-does-not-hide-the-reason-for-an-operator': {
    without: [[purchaseWork, 'this.reason === undefined && progress', 'progress']],
    tests: ['test/ordering/mixed-orders'],
  },
  'an-error-does-not-hide-delivered-units': {
    without: [
      [
        purchaseWork,
        'this.reason === undefined && progress.delivered <= this.call.knownDelivered',
        'this.reason === undefined',
      ],
    ],
    tests: ['test/ordering/mixed-orders'],
  },
  'sold-units-are-progress': {
    without: [['workflows/fulfilment.ts', 'delivered > (progress.delivered ?? 0)', 'false']],
    tests: ['test/workflows/orders'],
  },
  'decisions-outlive-the-give-up': {
    without: [
      [
        'workflows/fulfilment.ts',
        "if (decision.resolution === 'ELSEWHERE' && after.ready > 0) this.buyAgain();",
        '',
      ],
    ],
    tests: ['test/workflows/orders'],
  },
  'only-elsewhere-buys-after-the-give-up': {
    without: [['workflows/fulfilment.ts', "decision.resolution === 'ELSEWHERE' && ", '']],
    tests: ['test/workflows/orders'],
  },
  'decisions-do-not-wait-for-the-poll-of-an-overdue-order': {
    without: [['workflows/fulfilment.ts', 'if (this.requests.hasPending) return this.report;', '']],
    tests: ['test/workflows/orders'],
  },
  'signals-act-once-all-messages-are-handled': {
    without: [['workflows/order-handlers.ts', '  await untilMessagesHandled();\n', '']],
    tests: ['test/workflows/messages'],
  },
  'failed-polls-do-not-delay-the-end-of-an-esim': {
    without: [[esimLife, 'untilTheEnd(esim, now, spread(wait, chance))', 'spread(wait, chance)']],
    tests: ['test/domain/esim-life'],
  },
  'a-later-purchase-is-polled-as-often-as-the-first': {
    without: [['workflows/fulfilment.ts', 'delete this.progress.waitingSince;', 'void 0;']],
    tests: ['test/workflows/orders'],
  },
  'reads-wake-orders-that-must-buy-again': {
    without: [
      [
        'src/ordering/purchasing/topup-refresh.ts',
        'const { open } = await purchaseProgress',
        'const { open, ready } = await purchaseProgress',
      ],
      ['src/ordering/purchasing/topup-refresh.ts', 'if (open > 0) return;', 'if (open + ready > 0) return;'],
    ],
    tests: ['test/api/topup-refresh'],
  },
  'no-lost-answer-of-an-unsent-purchase': {
    without: [[purchaseCalls, 'purchase.sendings > 0 && !purchase.confirmed', '!purchase.confirmed']],
    tests: ['test/ordering/purchasing'],
  },
  'slow-polls-of-an-esim-fail-in-time': {
    without: [
      [
        'activities/esim.ts',
        'stateAfterPoll(order, now), pollLimitMs)',
        'stateAfterPoll(order, now), 100 * pollLimitMs)',
      ],
    ],
    tests: ['test/ordering/esim-polls'],
  },
  'cleared-entries-read-no-other-orders': {
    without: [
      [
        'src/data/operations/attention.ts',
        "clearStatement('order_id = $orderId')",
        "clearStatement('order_id IS NOT DISTINCT FROM $orderId')",
      ],
    ],
    tests: ['test/data/hot-statements'],
  },
  'polls-at-their-time-limit-are-no-failures': {
    without: [
      [
        'workflows/activities.ts',
        'return cause.failure?.cause?.applicationFailureInfo?.type === unchangedType;',
        'return false;',
      ],
    ],
    tests: ['test/workflows/unchanged-polls'],
  },
  'answered-polls-are-no-failures': {
    without: [['activities/polling.ts', 'earlier.count + 1', 'Math.max(attempt, earlier.count + 1)']],
    tests: ['test/workflows/esim-monitor', 'test/workflows/orders'],
  },
  'a-short-outage-needs-no-operator': {
    without: [
      ['activities/polling.ts', 'forMs < UNREACHABLE_AFTER_MS && mayBeLast', 'forMs < 0 && mayBeLast'],
    ],
    tests: ['test/workflows/orders'],
  },
  'no-replacement-without-the-look-up': {
    without: [[purchaseCalls, 'if (isSupplierError(error)) return false;', '']],
    tests: ['test/ordering/nothing-bought'],
  },
  'a-requested-attempt-outlives-the-run': {
    without: [['workflows/fulfilment.ts', 'if (progress.isWoken) requests.wake();', '']],
    tests: ['test/workflows/orders'],
  },
  'idle-endpoints-have-no-backlog': {
    without: [['src/data/operations/metrics.ts', 'oldest.created_at IS NOT NULL AND ', '']],
    tests: ['test/metrics/metrics'],
  },
  'unsent-mails-about-endpoints-have-an-age': {
    without: [
      ['src/data/operations/metrics.ts', "WHERE mail = 'DUE' ORDER BY id", 'WHERE false ORDER BY id'],
    ],
    tests: ['test/metrics/metrics'],
  },
  'undeliverable-mails-have-no-age': {
    without: [['src/data/operations/metrics.ts', "kind = 'MAIL_UNDELIVERABLE'", "kind = 'NONE'"]],
    tests: ['test/metrics/metrics'],
  },
  'order-requests-without-an-outcome-are-listed': {
    without: [['src/metrics/request-metrics.ts', "  'outcomeUnknown',\n", '']],
    tests: ['test/metrics/request-metrics'],
  },
  'paused-endpoints-are-listed': {
    without: [['src/data/webhooks/operated-endpoints.ts', '  await reviewEndpointPauses(database);\n', '']],
    tests: ['test/data/webhook-endpoints'],
  },
  'disabled-endpoints-are-not-listed-as-paused': {
    without: [['src/data/webhooks/operated-endpoints.ts', 'WHERE paused AND enabled', 'WHERE paused']],
    tests: ['test/data/webhook-endpoints'],
  },
  'sales-under-lost-references-are-named': {
    without: [
      [
        statementComparison,
        "p.state IN ('READY', 'SENT', 'PENDING') AS is_open",
        "coalesce(p.state, 'SENT') IN ('READY', 'SENT', 'PENDING') AS is_open",
      ],
    ],
    tests: ['test/ops/reconcile'],
  },
  'given-up-after-six-hours-of-lost-purchases': {
    without: [
      [
        'workflows/fulfilment.ts',
        '(this.progress.buyingSince ??= Date.now() -',
        '(this.progress.buyingSince = Date.now() -',
      ],
    ],
    tests: ['test/workflows/orders'],
  },
  'a-request-survives-the-attempt-under-way': {
    without: [
      [
        'src/data/webhooks/deliveries.ts',
        'AND delivery.generation = result.generation',
        'AND delivery.generation >= result.generation',
      ],
    ],
    tests: ['test/api/webhook-changes'],
  },
  'a-round-ends-after-a-change': {
    without: [
      [
        'src/notifications/webhooks/delivery.ts',
        'if (performance.now() >= this.nextAt) {',
        'if (performance.now() >= this.nextAt * 1_000) {',
      ],
    ],
    tests: ['test/api/webhook-changes'],
  },
  'failures-before-a-change-do-not-count': {
    without: [
      [
        'src/notifications/webhooks/delivery.ts',
        "failedAttempt(one, isCurrent ? health : 'RESET', now)",
        'failedAttempt(one, isCurrent ? health : health, now)',
      ],
    ],
    tests: ['test/api/webhook-changes'],
  },
  'postponed-only-while-pending': {
    without: [
      [
        'src/data/webhooks/deliveries.ts',
        "AND delivery.state IN ('DUE', 'RETRY') AND NOT delivery.asked_for",
        '',
      ],
    ],
    tests: ['test/data/webhook-endpoints'],
  },
  'given-up-only-while-pending': {
    without: [
      [
        'src/data/webhooks/deliveries.ts',
        "AND delivery.state IN ('DUE', 'RETRY')\nRETURNING",
        'RETURNING',
      ],
    ],
    tests: ['test/data/webhook-endpoints'],
  },
  'a-disabled-endpoint-is-swept': {
    without: [['src/data/webhooks/deliveries.ts', "AND awake AND enabled'", "AND awake'"]],
    tests: ['test/data/webhook-endpoints'],
  },
  'a-request-leaves-a-disabled-endpoint-awake': {
    without: [['src/data/webhooks/redelivery.ts', 'AND awake AND enabled`', 'AND awake`']],
    tests: ['test/data/webhook-endpoints'],
  },
  'a-redelivery-holds-its-event': {
    without: [
      [
        'src/data/webhooks/redelivery.ts',
        'WHERE sequence = $sequence FOR KEY SHARE',
        'WHERE sequence = $sequence',
      ],
    ],
    tests: ['test/data/webhook-retention'],
  },
  'a-replay-holds-its-events': {
    without: [['src/data/webhooks/redelivery.ts', 'LIMIT $most FOR KEY SHARE', 'LIMIT $most']],
    tests: ['test/data/webhook-retention'],
  },
  'the-deletion-of-events-waits-for-requests': {
    without: [
      [
        'src/data/webhooks/events.ts',
        '    await rows(database, lockEventsStatement, binds, transaction);\n',
        '',
      ],
    ],
    tests: ['test/data/webhook-retention'],
  },
  'a-failure-ends-with-the-last-event': {
    without: [
      [
        'src/notifications/webhooks/delivery.ts',
        '(await endFailure(this.database, target))',
        '!(await Promise.resolve(endFailure))',
      ],
    ],
    tests: ['test/workflows/webhook-endpoint'],
  },
  'a-skipped-event-may-end-the-failure': {
    without: [['workflows/webhook-endpoint.ts', '    if (skipped) changes.count++;\n', '']],
    tests: ['test/workflows/webhook-endpoint-failures'],
  },
  'deleted-endpoints-with-deliveries-are-kept': {
    without: [
      [
        'src/data/webhooks/endpoints.ts',
        'AND event.type <> $testType`',
        'AND event.type IS NULL AND $testType::text IS NULL`',
      ],
    ],
    tests: ['test/data/webhook-retention'],
  },
  'deleted-endpoints-are-kept-for-an-hour': {
    without: [
      [
        'src/data/webhooks/endpoints.ts',
        'deleted_at < now() - ${retention.deletedEndpoint}',
        'deleted_at < now()',
      ],
    ],
    tests: ['test/data/webhook-retention'],
  },
  'given-up-after-six-hours-of-accepted-purchases': {
    without: [['workflows/fulfilment.ts', '(this.progress.boughtForMs ?? 0)', '0']],
    tests: ['test/workflows/orders'],
  },
  'units-of-an-earlier-run-do-not-restart-the-time-for-buying': {
    without: [['workflows/fulfilment.ts', '(progress.delivered ?? 0)', '0']],
    tests: ['test/workflows/orders'],
  },
};

/** The test file of a name. Its suffix states its needs (jest.config.mjs). */
function testFile(entry, test) {
  const endings = ['.unit.test.ts', '.component.test.ts', '.test.ts'];
  const file = endings.map((ending) => test + ending).find((path) => existsSync(join(root, path)));
  if (file === undefined) throw new Error(`${entry}: no test file ${test}.*test.ts`);
  return file;
}

/** The sources that an entry changes, with and without the safeguard. */
function sourcesOf(entry) {
  if (!(entry in safeguards)) throw new Error(`${entry}: no such safeguard; --list shows them`);
  const { without, tests } = safeguards[entry];
  const before = new Map(without.map(([file]) => [file, readFileSync(join(root, file), 'utf8')]));
  const after = new Map(before);
  for (const [file, text, instead] of without) {
    if (!after.get(file).includes(text)) throw new Error(`${entry}: ${file} no longer holds: ${text}`);
    after.set(file, after.get(file).replaceAll(text, instead));
  }
  return { entry, before, after, files: tests.map((test) => testFile(entry, test)) };
}

function write(sources) {
  for (const [file, source] of sources) writeFileSync(join(root, file), source);
}

/** Whether a test uses `dist`: the stack runs from it, and so do the workflows. */
function needsBuild(file) {
  if (file.endsWith('.unit.test.ts')) return false;
  return (
    !file.endsWith('.component.test.ts') ||
    /workflow-harness|\/recording'|'dist/.test(readFileSync(join(root, file), 'utf8'))
  );
}

/** The names of the tests that fail. Throws if that proves nothing: the file cannot run, or all of it fails. */
async function failedTests(file) {
  const results = join(folder, 'results.json');
  rmSync(results, { force: true });
  const program = needsBuild(file)
    ? ['dev/scripts/bootstrap.mjs', 'test']
    : ['node_modules/jest/bin/jest.js'];
  // A test that fails may leave a server open, for which jest would wait.
  const options = ['--forceExit', '--json', `--outputFile=${results}`, file];
  running = spawn(process.execPath, [...program, ...options], { cwd: root });
  let output = '';
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (text) => (output += text));
  await once(running, 'close');
  const tests = existsSync(results)
    ? JSON.parse(readFileSync(results, 'utf8')).testResults.flatMap((result) => result.assertionResults)
    : [];
  if (tests.length === 0) throw new Error(`${file} could not run:\n${output.slice(-3_000)}`);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  // Its preparation failed, or the change broke more than the safeguard.
  if (failed.length === tests.length && tests.length > 1) throw new Error(`${file}: every test fails`);
  return failed;
}

/** The result of a test file without the safeguard: the failing tests, or the reason for none. */
async function missedBy(file) {
  try {
    const failed = await failedTests(file);
    return { missed: failed.length > 0, says: failed.length > 0 ? failed : ['NOT MISSED'] };
  } catch (error) {
    return { missed: false, says: [error.message] };
  }
}

const named = process.argv.slice(2).filter((name) => name !== '--list');
const entries = named.length > 0 ? named : Object.keys(safeguards);
const all = [];
const misfits = [];
for (const entry of entries) {
  try {
    all.push(sourcesOf(entry));
  } catch (error) {
    misfits.push(error.message);
  }
}
if (misfits.length > 0) {
  console.error(misfits.join('\n'));
  process.exit(1);
}
if (process.argv.includes('--list')) {
  for (const { entry, files } of all) console.log(`${entry}: ${files.join(', ')}`);
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'safeguards-'));
let changed = new Map();
let running;
process.on('exit', () => {
  write(changed);
  rmSync(folder, { recursive: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    running?.kill(signal);
    process.exit(1);
  });
}

const table = [];
for (const [index, { entry, before, after, files }] of all.entries()) {
  changed = before;
  write(after);
  for (const file of files) {
    console.log(`${index + 1}/${all.length} ${entry}: ${file} ...`);
    const row = { entry, file, ...(await missedBy(file)) };
    console.log(row.missed ? `  ${row.says.length} tests fail` : `  ${row.says.join('\n')}`);
    table.push(row);
  }
  write(before);
}

// `dist` still holds the last change.
spawnSync(process.execPath, ['dev/scripts/build.mjs'], { cwd: root, stdio: 'inherit' });

console.log('\nentry, test file, failing tests');
for (const { entry, file, says } of table) console.log([`${entry}, ${file}`, ...says].join('\n  '));
process.exitCode = table.every(({ missed }) => missed) ? 0 : 1;
