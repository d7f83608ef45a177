/**
 * What bounds each statement that counts or sums and names a growing table. By the file and the function of the call; functions of the
 * database by their file and name.
 */
const order = 'The rows of one order or purchase';
const open = 'The open orders or entries, by a partial index';
const changed = 'The rows that it changes, at most those of one batch';
const summed = 'The stored sums of the period by day, and the orders since the last roll-up';
const period = 'The orders or entries of the period, by an index';
const sinceCount = 'What was written since the last count, at most a minute ago while maintenance runs';
const counters = 'The stored totals, and the changes since the last roll-up';
const page = 'It counts the rows of the page; the order has an index';
const whole = 'Every row: it reads the whole tables once a night, or when an operator asks';

export const bounds: Readonly<Record<string, string>> = {
  'rules/credited-and-taken-back-entries.sql keep_bank_entry': 'The entries of one booking',
  'rules/largest-supplier-credits.sql record_supplier_credit': order,
  'rules/exceeded-daily-caps.sql exceeds_daily_cap': 'The counts of one client and day',
  'rules/earned-margins.sql order_margin': order,
  'rules/member-changes.sql add_invitation': 'The members of one client',
  'rules/sums-of-ended-orders.sql roll_up_order_sums': 'The sums of one day, or the orders of one day',
  'rules/sums-of-ended-orders.sql sums_of_orders': period,
  'rules/refunds-after-delivery.sql partly_refunded_units': order,
  'rules/refunds-after-delivery.sql refunded_after': order,
  'rules/refunds-after-delivery.sql settled_unit': order,
  'rules/refunds-after-delivery.sql settled_units': order,
  'rules/holds-by-spend-rules.sql hold_of':
    'It stops at the order that decides: at most as many as the rule allows in its period',
  'src/data/attention/incident-reads.ts countHits': open,
  'src/data/attention/today.ts countAttention': open,
  'src/data/attention/today.ts countOpenByFamily': open,
  'src/data/attention/today.ts readResults': summed,
  'src/data/books/line-parts.ts listLineParts': 'The purchases of one order, for each order of the line',
  'src/data/books/order-lines.ts readChangedAmounts': summed,
  'src/data/books/order-lines.ts readInProgress': open,
  'src/data/books/order-lines.ts readRefundedAmounts': period,
  'src/data/catalogue/catalogue-announcements.ts announceCatalogueChanges': sinceCount,
  'src/data/catalogue/catalogue-versions.ts catalogueVersion': sinceCount,
  'src/data/catalogue/catalogue-versions.ts readListVersions': sinceCount,
  'src/data/catalogue/listed-prices.ts countListedPrices':
    'The products of one client, once for each new version of its price list',
  'src/data/catalogue/operated-stops.ts findStoppedSale': open,
  'src/data/catalogue/operated-stops.ts listStoppedSales': open,
  'src/data/catalogue/sellable-items.ts findVoucherOffer': 'The denominations of one product',
  'src/data/clients/accounts.ts countAccess': 'The sessions of one client',
  'src/data/clients/activity.ts listActivity': counters,
  'src/data/clients/activity.ts rollUpActivityCounts': sinceCount,
  'src/data/clients/api-requests.ts groupErrors':
    'The newest 5,000 errors of each class of one client, kept for seven days',
  'src/data/clients/close-client.ts readClosing':
    'The sessions of one client, and its waiting events, by partial indexes',
  'src/data/clients/close-client.ts readRemains': open,
  'src/data/clients/token-sessions.ts countReadOnlyTokens': 'The live tokens of one client',
  'src/data/clients/token-sessions.ts deleteExpiredSessions': changed,
  'src/data/esims/stored-esims.ts countMonitoredEsims': 'The followed eSIMs, by a partial index, in parts of the ids',
  'src/data/funding/bank-attention.ts reviewBankEntries': 'The waiting entries, by a partial index',
  'src/data/funding/bank-entries.ts bankEntry': 'The parts of one booking',
  'src/data/funding/bank-entries.ts entriesOfBookings': 'The parts of one booking, for each booking of a file',
  'src/data/funding/bank-entries.ts listBankEntries': 'The parts of one booking, for each entry of the page',
  'src/data/funding/funding-requests.ts listFundingRequests': 'The requests of one client, some for each transfer',
  'src/data/funding/funding-requests.ts requestFunding': 'The pending requests of one wallet',
  'src/data/keys/sealed-columns.ts countSealedValues': whole,
  'src/data/ledger-verification/index.ts verifyLedger': whole,
  'src/data/maintenance/metrics.ts readStoredMetrics':
    'Stored totals, open entries, and at most 10,000 of each kind of waiting row',
  'src/data/orders/client-claims.ts listClaims': 'The claims of one client, few of its orders',
  'src/data/orders/client-orders.ts exportClientOrders': order,
  'src/data/orders/client-orders.ts isSearchRare': '5,000 orders',
  'src/data/orders/day-report.ts countByHourAndClient': period,
  'src/data/orders/day-report.ts countBySupplier':
    'The results of the last day by five minutes, or the stored sums by day',
  'src/data/orders/day-report.ts timeDeliveries': 'The newest 10,000 orders of the period',
  'src/data/orders/margin-report.ts marginsBetween': summed,
  'src/data/orders/operated-claims.ts listUnusualClaims':
    'The claims of 30 days, and the orders of 30 days of clients with many of them',
  'src/data/orders/operator-reads.ts findOrderOutcome': order,
  'src/data/orders/order-counts.ts rollUpOrderCounts': sinceCount,
  'src/data/orders/order-reads.ts findOrder': order,
  'src/data/orders/order-reads.ts readVoucherPages': order,
  'src/data/orders/order-reservations.ts deleteDecidedReservations': changed,
  'src/data/orders/order-results.ts countOrderResults': sinceCount,
  'src/data/orders/order-results.ts listUnusualFailures': 'The results of a day by five minutes',
  'src/data/orders/order-search.ts countOpenOrders': open,
  'src/data/orders/order-statement.ts statedOrders': order,
  'src/data/orders/order-story.ts readOrderMoney': order,
  'src/data/orders/order-summary.ts summariseOrders': 'The newest 50,000 orders of the period',
  'src/data/orders/refund-imports.ts findRefundImport': 'The lines of one import',
  'src/data/orders/refund-imports.ts listRefundImports': 'The lines of the imports of the page',
  'src/data/orders/refund-imports.ts sumRefunds': 'The lines of one import',
  'src/data/orders/report-parts.ts listReportParts': period,
  'src/data/orders/sales-report.ts reportSales': summed,
  'src/data/orders/settle-order.ts changeStatus': order,
  'src/data/prices/stored-confirmed-values.ts storeConfirmed': changed,
  'src/data/privacy/erasures.ts countErasable': 'The orders of one recipient',
  'src/data/privacy/erasures.ts eraseRecipient': 'The orders of one recipient',
  'src/data/purchases/families/esim.ts storeUnits': order,
  'src/data/purchases/families/family-storage.ts storeOnce': order,
  'src/data/purchases/purchase-reads.ts purchaseProgress': order,
  'src/data/purchases/quarantined-goods.ts quarantineGoods': order,
  'src/data/purchases/settlement-differences.ts countOpenDifferences': 'The open differences, by a partial index',
  'src/data/purchases/settlement-differences.ts reviewDifferences': 'The open differences, by a partial index',
  'src/data/purchases/settlement-differences.ts storeDifferences': 'The differences that one comparison finds',
  'src/data/purchases/statement-comparison.ts batchesOf': 'The sales of the compared statement',
  'src/data/purchases/unmade-purchases.ts endUnusable': order,
  'src/data/suppliers/supplier-health.ts reviewSupplierHealth': open,
  'src/data/suppliers/supplier-health.ts reviewUnsentPurchases': open,
  'src/data/suppliers/supplier-sales.ts countSupplierSales': sinceCount,
  'src/data/wallets/operated-entries.ts countLedger': sinceCount,
  'src/data/wallets/wallet-statement.ts sums': period,
  'src/data/wallets/wallets.ts changeThreshold': 'The pending requests of one wallet',
  'src/data/wallets/wallets.ts findWallet': 'The pending requests of one wallet',
  'src/data/wallets/wallets.ts listWallets': 'The pending requests of each wallet of one client',
  'src/data/webhooks/client-events.ts countWaitingEvents':
    'At most 10,000 waiting events of each endpoint of one client',
  'src/data/webhooks/client-events.ts listClientEvents': page,
  'src/data/webhooks/deliveries.ts backlogOf': 'At most 10,000 waiting events of one endpoint',
  'src/data/webhooks/events.ts countEvents': sinceCount,
  'src/data/webhooks/events.ts deleteOldEvents': changed,
  'src/data/webhooks/events.ts rollUpEventCounts': sinceCount,
  'src/data/webhooks/operated-endpoints.ts findOperatedEndpoint': 'At most 10,000 waiting events of one endpoint',
  'src/data/webhooks/operated-endpoints.ts listOperatedEndpoints':
    'At most 10,000 waiting events of each endpoint of the page',
  'src/data/webhooks/redelivery.ts continueReplay': changed,
  'src/data/webhooks/redelivery.ts extentOf':
    'The events of one client of these types, by an index: a replay may send each of them',
  'src/data/webhooks/resends.ts listResends': 'The resends of one client of the last day, after which they are deleted',
};
