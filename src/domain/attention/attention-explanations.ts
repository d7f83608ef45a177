/** What each kind of the attention list means, and what to do. The page docs/operators/attention.md and the list show it. */
import type { AttentionKind } from './attention-kinds';

/** Texts in Markdown, with links from docs/operators. */
interface Explanation {
  of: 'order' | 'supplier' | 'endpoint' | 'service';
  meaning: string;
  /** The steps that the command of the kind does not show. */
  action: string;
  /** Both for a page, if they name what no page has: a command of the machine, a setting or a metric. */
  onPage?: string;
}

export const attentionExplanations: Readonly<Record<AttentionKind, Explanation>> = {
  OUTCOME_UNKNOWN: {
    of: 'order',
    meaning:
      'The supplier does not know the result of the purchase, or delivered unusable goods (`orders show` has the defect of each unit).',
    action: 'Ask the supplier, then decide ([unknown outcome](runbook.md#unknown-outcome)).',
    onPage:
      'The supplier does not know the result of the purchase, or delivered unusable goods. Ask the supplier what it sold under our reference, then decide: [unknown outcome](runbook.md#unknown-outcome).',
  },
  ANSWER_LOST: {
    of: 'order',
    meaning:
      'The response to a purchase was lost, and the service keeps looking the purchase up. The row clears when a lookup gets a response or the purchase ends. The reason shows the error of the last failed lookup.',
    action:
      'If the response was lost twice and lookups find no purchase, the service sends the purchase again: ask the supplier what happened under the reference. If you have the goods, run `orders resolve ... delivered`. See [supplier down](runbook.md#supplier-down).',
    onPage:
      'The response to a purchase was lost, and the service keeps looking the purchase up. The row clears when a lookup gets a response or the purchase ends. If the response was lost twice and lookups find no purchase, the service sends the purchase again: ask the supplier what happened under the reference. If you have the goods, resolve the order as delivered. See [supplier down](runbook.md#supplier-down).',
  },
  PURCHASE_OVERDUE: {
    of: 'order',
    meaning: 'The supplier accepted the purchase a day ago and has reported no outcome.',
    action: 'Ask the supplier ([stuck order](runbook.md#stuck-order)).',
  },
  SUPPLIER_BLOCKED: {
    of: 'order',
    meaning: 'The supplier rejects our account. The order keeps retrying.',
    action: 'Have the account unblocked ([account blocked](runbook.md#account-blocked)).',
  },
  UNDER_REVIEW: {
    of: 'order',
    meaning:
      'A rule holds the order, or its client was suspended. It is debited, and nothing is bought. Without a decision it is cancelled.',
    action:
      'Release it, or cancel it ([holds](holds.md#decide)). If the client did not place it, see [stolen key](runbook.md#stolen-key).',
  },
  REFUND_DUE: {
    of: 'order',
    meaning:
      'The refund of undelivered units waits, because the wallet is closed. The workflow of the order stays open until the refund is credited.',
    action: 'Run `wallets reopen`, which credits it ([refund due](runbook.md#refund-due)).',
    onPage:
      'The refund of undelivered units waits, because the wallet is closed. The order stays open until the refund is credited. Reopen the wallet, which credits it: [refund due](runbook.md#refund-due).',
  },
  REFUND_AFTER_DUE: {
    of: 'order',
    meaning: 'A refund after delivery waits, because the wallet is closed. Clients do not see it.',
    action: 'Run `wallets reopen`, which credits it ([refund due](runbook.md#refund-due)).',
    onPage:
      'A refund after delivery waits, because the wallet is closed. Clients do not see it. Reopen the wallet, which credits it: [refund due](runbook.md#refund-due).',
  },
  CLAIM_NEW: {
    of: 'order',
    meaning: 'A client claims delivered goods, and no operator has decided or asked the supplier.',
    action: 'Ask the supplier (`claims send`), or decide ([invalid codes](runbook.md#invalid-codes)).',
  },
  CLAIM_DUE: {
    of: 'order',
    meaning: 'A claim is not closed, and the time in which we promised to answer is over.',
    action: 'Decide it ([invalid codes](runbook.md#invalid-codes)).',
  },
  GOODS_APART: {
    of: 'order',
    meaning: 'Goods are quarantined, or the supplier may have sold the goods of a purchase that the service gave up.',
    action: 'Claim a credit from the supplier ([late goods](runbook.md#late-goods)).',
  },
  PURCHASE_REVERSED: {
    of: 'order',
    meaning: 'The supplier took delivered goods back. The reason shows their cost. No money moves by itself.',
    action:
      'Settle the loss with the supplier, and refund the client (`orders refund`): [late goods](runbook.md#late-goods).',
    onPage:
      'The supplier took delivered goods back. The reason shows their cost. No money moves by itself. Settle the loss with the supplier, and refund the client: [late goods](runbook.md#late-goods).',
  },
  VALUE_DEVIATES: {
    of: 'order',
    meaning:
      'The supplier delivered, and states a computed value (after exchange, tax, fee or within a range) that differs from the ordered face value by more than `PRICE_CHANGE_LIMIT_PERCENT`.',
    action: "Compare it with the supplier's invoice ([late goods](runbook.md#late-goods)).",
    onPage:
      "The supplier delivered a value that differs much from the ordered face value. The value follows from an exchange, a tax, a fee or a range. Compare it with the supplier's invoice: [late goods](runbook.md#late-goods).",
  },
  WORKFLOW_ENDED: {
    of: 'order',
    meaning: 'The workflow was terminated or failed, and the service restarted it. The row clears when the order ends.',
    action: 'Do nothing, or see [stuck order](runbook.md#stuck-order).',
    onPage:
      'The workflow of the order was terminated or failed, and the service restarted it. The row clears when the order ends. Do nothing, or see [stuck order](runbook.md#stuck-order).',
  },
  WORKFLOW_FAILING: {
    of: 'order',
    meaning:
      'The workflow fails its tasks, so it cannot show this kind itself: see the Temporal view "Failing workflow tasks".',
    action:
      'Run `orders retry` to see the error. Terminate the workflow in the Temporal UI. Then run `orders retry` again to restart it ([deploy and roll back](runbook.md#deploy-and-roll-back)).',
    onPage:
      'The workflow of the order fails, and the order does not go on. Retry the order to see the error. Terminate the workflow in the Temporal UI, then retry the order again to restart it: [deploy and roll back](runbook.md#deploy-and-roll-back).',
  },
  MAIL_UNDELIVERABLE: {
    of: 'order',
    meaning:
      'The service could not send an email: about an order, or to the client of a disabled endpoint. The ended workflow of the order, or `webhook-disabled-...`, shows the kind.',
    action:
      'Send it again, or give it up with `attention settle` ([mail down](runbook.md#mail-down)). For an endpoint, tell the client that the endpoint is disabled, then `attention settle`.',
    onPage:
      'The service could not send an email about an order, or to the client of a disabled endpoint. Send it again, or settle the row to give the email up: [mail down](runbook.md#mail-down). For an endpoint, tell the client that it is disabled, then settle the row.',
  },
  ICCID_UNREADABLE: {
    of: 'order',
    meaning:
      'The service cannot decrypt the ICCID of a delivered eSIM, so it does not poll the supplier. The workflow `esim-...` shows the kind. It retries once a day.',
    action:
      'See whether the key is [missing](keys.md#list-the-keys). When the key is back, send `retryNow` to the workflow `esim-...`.',
    onPage:
      'The service cannot decrypt the ICCID of a delivered eSIM, so it does not ask the supplier for its status. A key may be missing. The service tries again once a day, and when its monitor in the Temporal UI is told to retry.',
  },
  ESIM_UNKNOWN: {
    of: 'order',
    meaning:
      'The supplier does not know a delivered eSIM. The service cannot see its state or usage, and cannot list its recharge plans. The row clears when a poll is answered, or when the monitoring ends.',
    action: 'Ask the supplier about the purchase: `orders show` has its reference.',
    onPage:
      'The supplier does not know an eSIM that it delivered, so the service cannot see its state or list its recharge plans. The row clears when the supplier finds it. Ask the supplier about the purchase by our reference, which the order shows.',
  },
  ESIM_POLLS_FAILING: {
    of: 'order',
    meaning:
      'All polls of a delivered eSIM have failed for two days, although the supplier is not down. The reason has the last error. The row clears when a poll is answered, or when the monitoring ends.',
    action: 'Ask the supplier about the purchase: `orders show` has its reference.',
    onPage:
      'The supplier has answered no question about a delivered eSIM for two days, although it is not down. The reason has the last error. The row clears with the next answer. Ask the supplier about the purchase by our reference, which the order shows.',
  },
  ESIM_TIMES_IMPLAUSIBLE: {
    of: 'order',
    meaning:
      'The supplier reported an eSIM time that is before the delivery or in the future. The reason shows the times that the service stored instead, from which the validity counts.',
    action: 'Tell the supplier about the wrong times.',
  },
  SUPPLIER_DOWN: {
    of: 'supplier',
    meaning:
      'For 10 minutes, every call of one type (purchase, lookup, stock ...) for one family has failed. Calls of other types may succeed. The row has the start of the outage and the number of waiting orders. A failure more than 20 minutes after the previous one begins a new outage.',
    action: 'See [supplier down](runbook.md#supplier-down).',
  },
  PURCHASES_NOT_SENT: {
    of: 'supplier',
    meaning: 'A purchase has been due for 10 minutes and is not sent, for any cause.',
    action:
      'See [supplier down](runbook.md#supplier-down); if the supplier is not down, [stuck order](runbook.md#stuck-order).',
  },
  FAILURES_UNUSUAL: {
    of: 'supplier',
    meaning: 'Orders fail much more often than the day before.',
    action: 'See [unusual failures](runbook.md#unusual-failures).',
  },
  ACCOUNT_BLOCKED: {
    of: 'supplier',
    meaning: 'The supplier rejects our account.',
    action: 'Have the account unblocked ([account blocked](runbook.md#account-blocked)).',
  },
  SUPPLIER_PAUSED: {
    of: 'supplier',
    meaning: 'An operator has paused the supplier. The row has the reason.',
    action: 'See [supplier paused](runbook.md#supplier-paused).',
  },
  BALANCE_LOW: {
    of: 'supplier',
    meaning:
      'Our balance is below the threshold that an operator has set, or below twice our average daily costs. The average covers the days since the first sale of the last 7 days.',
    action: 'See [balance low](runbook.md#balance-low).',
  },
  COST_ABOVE_LISTED: {
    of: 'supplier',
    meaning:
      'The supplier charged more for sales than the known cost of the sources that the row names ([what a supplier charges](suppliers.md#what-a-supplier-charges)). Later orders count the charged cost. The row clears with the next sale that costs less, or when you accept a cost.',
    action: 'Accept a right charge with the command; claim a wrong one from the supplier.',
    onPage:
      'The supplier charged more for sales than the known cost of the sources that the row names. Later orders count the charged cost. The row clears with the next sale that costs less, or when you accept the cost. Claim a wrong charge from the supplier.',
  },
  SOLD_AT_LOSS: {
    of: 'supplier',
    meaning:
      'Orders cost more than the client paid, valued at the [reference rates](catalogue.md#reference-rates). The newest come first.',
    action: 'Find the cause with `orders show`: a cost, a rate or a discount.',
    onPage:
      'Orders cost more than the client paid, valued at the reference rates. The newest come first. Find the cause in the data of the orders: a cost, a rate or a discount.',
  },
  REPORT_IMPLAUSIBLE: {
    of: 'supplier',
    meaning:
      'The supplier reported a cost or a balance that cannot be true. The service delivered the goods and used the value nowhere: `reports margin` counts the cost as unknown.',
    action: 'Tell the supplier.',
    onPage:
      'The supplier reported a cost or a balance that cannot be true. The service delivered the goods and used the value nowhere: the margin counts the cost as unknown. Tell the supplier.',
  },
  REDEEMABLE_ON: {
    of: 'supplier',
    meaning:
      'A product of the supplier was made `redeemable`, or such a product got a new source: its codes now pay for orders at their face value. Products that were redeemable before an upgrade are listed once.',
    action:
      'Another person than the one who did it checks that only we issue these codes, then runs the command ([new redeemable product](runbook.md#new-redeemable-product)).',
    onPage:
      'A product of the supplier was made redeemable, or such a product got a new source: its codes now pay for orders at their face value. Products that were redeemable before an upgrade are listed once. Another person than the one who did it checks that only we issue these codes, then settles the row: [new redeemable product](runbook.md#new-redeemable-product).',
  },
  SETTLEMENT_DIFFERENCE: {
    of: 'supplier',
    meaning:
      "The supplier's statement differs from our purchases in units, costs or refunds. The row names the oldest differences, and `reconcile differences --open` lists all. It clears when the statement agrees, or when you accept the differences.",
    action: 'Claim each difference from the supplier ([late goods](runbook.md#late-goods)).',
    onPage:
      "The supplier's statement differs from our purchases in units, costs or refunds. The row names the oldest differences, and the page of the supplier lists all. It clears when the statement agrees, or when you accept the differences. Claim each difference from the supplier: [late goods](runbook.md#late-goods).",
  },
  MARGIN_BELOW_FLOOR: {
    of: 'supplier',
    meaning: 'Clients could not buy a product in the last day, because every source is below the minimum margin.',
    action: 'See [margin too low](runbook.md#margin-too-low).',
  },
  PLAN_AMOUNT_MOVED: {
    of: 'supplier',
    meaning:
      'The supplier lists two eSIM plans of one product at one price, so the newer plan sells at the next unused amount.',
    action: 'Ask the supplier to change a price, or accept the new amount.',
  },
  TOO_MANY_PRICES: {
    of: 'supplier',
    meaning:
      'The supplier lists more prices of a product than the 1,000 that a product can have. The row names the products or offers. The others are not sold.',
    action: 'Nothing, unless clients miss a price: then make a second product for them.',
  },
  PLAN_CHANGED: {
    of: 'supplier',
    meaning:
      "The supplier's list changed the data or validity of eSIM plans ([the rule](catalogue.md#prices-of-plans)). The row names sources at other suppliers that are now [inactive](catalogue.md#several-sources-for-an-item).",
    action: 'If the change is an error, ask the supplier to correct it.',
  },
  PLAN_PRICES_HELD: {
    of: 'supplier',
    meaning:
      'List prices of eSIM plans changed much, or fell below the cost ([prices of plans](catalogue.md#prices-of-plans)). The plans keep their prices.',
    action:
      'Compare the new prices with our cost (`sources list`). Accept a right price with `catalogue accept-plan`; ask the supplier to correct a wrong one.',
    onPage:
      'List prices of eSIM plans changed much, or fell below the cost. The plans keep their prices. Compare the new prices with our cost. Accept a right price; ask the supplier to correct a wrong one.',
  },
  OFFERS_CHANGED: {
    of: 'supplier',
    meaning: "Large changes of the supplier's offers wait, or an offer no longer delivers an item.",
    action: 'See [offers changed](runbook.md#offers-changed).',
  },
  CATALOGUE_DOUBTED: {
    of: 'supplier',
    meaning:
      "The supplier's list of offers is suspect: it lacks all or many known offers of a family. The service has withdrawn nothing.",
    action: 'See [catalogue doubted](runbook.md#catalogue-doubted).',
  },
  ENDPOINT_FAILING: {
    of: 'endpoint',
    meaning:
      'Either the endpoint has failed for 3 days, or a fault of the service prevents its deliveries. After 5 days of failures, the service disables the endpoint. The row clears when the endpoint works, has no waiting event or is disabled, or when the client enables it or changes its URL.',
    action: 'See [endpoint dead](runbook.md#endpoint-dead).',
  },
  ENDPOINT_WORKFLOW_FAILING: {
    of: 'endpoint',
    meaning: 'The workflow of the endpoint fails its tasks: see the Temporal view "Failing workflow tasks".',
    action:
      'Terminate the workflow in the Temporal UI. It restarts with the next event ([deploy and roll back](runbook.md#deploy-and-roll-back)).',
    onPage:
      'The workflow of the endpoint fails, and no event is sent. Terminate the workflow in the Temporal UI. It restarts with the next event: [deploy and roll back](runbook.md#deploy-and-roll-back).',
  },
  ENDPOINT_PAUSED: {
    of: 'endpoint',
    meaning: 'An operator has paused the endpoint, so its events wait.',
    action: 'See [endpoint paused](runbook.md#endpoint-paused).',
  },
  SECRET_UNREADABLE: {
    of: 'endpoint',
    meaning:
      'The service cannot decrypt the signing secret of the endpoint. The row clears when the service can decrypt it, or when the client deletes the endpoint.',
    action: 'See whether the key is [missing](keys.md#list-the-keys). If not, ask the client to rotate the secret.',
    onPage:
      'The service cannot decrypt the signing secret of the endpoint. The row clears when the service can decrypt it, or when the client deletes the endpoint. A key may be missing. If none is, ask the client to rotate the secret.',
  },
  UNPLACED_WORKFLOWS_FAILING: {
    of: 'service',
    meaning:
      'Workflows of order requests that never became orders fail their tasks. No money was debited. The Temporal view "Failing workflow tasks" shows them.',
    action: 'Terminate these workflows in the Temporal UI ([deploy and roll back](runbook.md#deploy-and-roll-back)).',
    onPage:
      'Workflows of order requests that never became orders fail. No money was debited. Terminate these workflows in the Temporal UI: [deploy and roll back](runbook.md#deploy-and-roll-back).',
  },
  SERVICE_WORKFLOWS_FAILING: {
    of: 'service',
    meaning:
      'Other workflows fail their tasks, such as maintenance. The Temporal view "Failing workflow tasks" shows them.',
    action: 'See the error in the Temporal UI ([deploy and roll back](runbook.md#deploy-and-roll-back)).',
    onPage:
      'Workflows of the service itself fail, such as its maintenance. See the error in the Temporal UI: [deploy and roll back](runbook.md#deploy-and-roll-back).',
  },
  NO_WORKERS: {
    of: 'service',
    meaning:
      'No worker of the current version takes orders, so the API rejects order requests. Or no bulk worker runs, so orders of more than 25 units wait.',
    action: '`deploy status` shows which workers to start ([deploy and roll back](runbook.md#deploy-and-roll-back)).',
    onPage:
      'No worker of the current version takes orders, so the API rejects order requests. Or no worker for large orders runs, so orders of more than 25 units wait. Someone with access to the servers starts the workers: [deploy and roll back](runbook.md#deploy-and-roll-back).',
  },
  VERSION_WITHOUT_WORKERS: {
    of: 'service',
    meaning: 'Open orders are pinned to a version without workers.',
    action:
      'Start its workers, or move the orders with the command ([deploy and roll back](runbook.md#deploy-and-roll-back)).',
    onPage:
      'Open orders belong to a version of the service without workers. Someone with access to the servers starts its workers, or moves the orders: [deploy and roll back](runbook.md#deploy-and-roll-back).',
  },
  ORDERS_REJECTED: {
    of: 'service',
    meaning:
      'At least 3 order requests got 503 or 504 in the last 5 minutes. The row has the most frequent reason (as in `digital_goods_http_refusals_total`).',
    action: 'See [overload](runbook.md#overload).',
    onPage:
      'The API could not take at least 3 order requests in the last 5 minutes. The row has the most frequent reason. See [overload](runbook.md#overload).',
  },
  MAINTENANCE_FAILING: {
    of: 'service',
    meaning:
      'Maintenance tasks have been overdue for 5 minutes (tasks that call suppliers: longer). The failed runs of the schedules show the error.',
    action: 'See [maintenance failing](runbook.md#maintenance-failing).',
  },
  MAIL_FAILING: {
    of: 'service',
    meaning:
      'The mail server or the network to it has failed for 10 minutes, and no email has gone out since. The row has the last error. It clears when an email goes out, or when none has failed for 30 minutes. **Pending Activities** of the ended orders show the retries.',
    action: 'See [mail down](runbook.md#mail-down).',
    onPage:
      'The mail server or the network to it has failed for 10 minutes, and no email has gone out since. The row has the last error. It clears when an email goes out, or when none has failed for 30 minutes. See [mail down](runbook.md#mail-down).',
  },
  LEDGER_UNSOUND: {
    of: 'service',
    meaning: 'The nightly `ledger verify` found a fault. The next run without a fault clears the row.',
    action:
      'See [books do not add up](runbook.md#books-do-not-add-up). To run it, use `maintenance run maintenance-ledger`.',
    onPage:
      'The nightly verification of the ledger found a fault. The next verification without a fault clears the row. See [books do not add up](runbook.md#books-do-not-add-up).',
  },
  RATES_OLD: {
    of: 'service',
    meaning:
      'Rates are older than `RATE_MAX_AGE_HOURS`, or, as the row then says, older than `RATE_STOP_HOURS`: orders across the pair are rejected. Or a rate that follows the ECB is older than 130 hours, nothing was fetched for 26 hours, or a fetched file lacks a currency.',
    action: 'Refresh the rates, or set each again, also if it is still right ([stale rates](runbook.md#stale-rates)).',
    onPage:
      'Rates are older than this installation permits. If the row says so, orders across the pair are rejected. Or a rate that follows the ECB is older than 130 hours, nothing was fetched for 26 hours, or a fetched file lacks a currency. Refresh the rates, or set each again, also if it is still right: [stale rates](runbook.md#stale-rates).',
  },
  RATE_HELD: {
    of: 'service',
    meaning:
      'A file changes a rate by more than the limit, or makes a circle. The row says whether it is a file of the feed, or who gave it. The old rate applies, and ages.',
    action:
      'Compare the rate with the market, and accept it or set another one ([stale rates](runbook.md#stale-rates)).',
  },
  BANK_ENTRIES_OPEN: {
    of: 'service',
    meaning: 'Entries of our bank accounts wait for a person. It clears when each is credited, taken back or ignored.',
    action:
      '`bank entries` has the reason of each. `bank credit` or `bank ignore` it ([transfer without reference](runbook.md#transfer-without-reference)).',
    onPage:
      'Entries of our bank accounts wait for a person. The page Money in has the reason of each: credit or ignore it.',
  },
  FUNDING_REVERSED: {
    of: 'service',
    meaning:
      'The bank took back money that was credited to a wallet. Nothing was moved. It clears when the entry is taken back or ignored.',
    action: 'See [reversed transfer](runbook.md#reversed-transfer).',
    onPage:
      'The bank took back money that was credited to a wallet. Nothing was moved: take it back on the page Money in, or ignore the entry. See [reversed transfer](runbook.md#reversed-transfer).',
  },
  STATEMENT_CHANGED: {
    of: 'service',
    meaning:
      'A statement of a bank came again without an entry, or with another amount. The row names the entry, and the wallet if it is credited. Nothing was moved.',
    action: 'Ask the bank what it booked, and correct the wallet ([changed statement](runbook.md#changed-statement)).',
  },
  STATEMENTS_MISSING: {
    of: 'service',
    meaning:
      'Numbers of statements of one of our accounts are missing, and with them perhaps transfers. It clears when they are imported, or the gap is accepted.',
    action:
      'Import the missing statements. If the bank has none, `bank gap accept` ([missing statements](runbook.md#missing-statements)).',
    onPage:
      'Numbers of statements of one of our accounts are missing, and with them perhaps transfers. Import them on the page Money in, or accept the gap there if the bank has none. See [missing statements](runbook.md#missing-statements).',
  },
  RATES_CIRCLE: {
    of: 'service',
    meaning:
      'A client gains in a chain of rates that returns to its first currency, because their product is below 1. An earlier release allowed the chain, and it stays usable. Or a redeemable product has a discount, which no order applies.',
    action:
      'Raise rates of the chain with `rates set`, and clear the discount ([circle of rates](runbook.md#circle-of-rates)).',
    onPage:
      'A client gains in a chain of rates that returns to its first currency, because their product is below 1. An earlier release allowed the chain, and it stays usable. Or a redeemable product has a discount, which no order applies. Raise rates of the chain, and clear the discount: [circle of rates](runbook.md#circle-of-rates).',
  },
  SALES_STOPPED: {
    of: 'service',
    meaning:
      'Operators have stopped the sale of products. The row names each with its reason. It clears when all are resumed.',
    action: 'Resume each sale whose reason is gone ([stopped sales](runbook.md#stopped-sales)).',
  },
  CLAIMS_UNUSUAL: {
    of: 'service',
    meaning:
      'A client has more than `CLAIM_UNUSUAL_COUNT` claims within 30 days, and more than `CLAIM_UNUSUAL_PERCENT` percent of its delivered units claimed.',
    action:
      'Look for a fault of a supplier ([invalid codes](runbook.md#invalid-codes)), or for abuse ([claims](claims.md#unusually-many-claims)).',
    onPage:
      'A client has unusually many claims within 30 days, and claims an unusually large part of its delivered units. Look for a fault of a supplier ([invalid codes](runbook.md#invalid-codes)), or for abuse.',
  },
  KEY_WORN: {
    of: 'service',
    meaning:
      'A promoted `seal` or `payload` key has encrypted 2^30 values, a quarter of what it [may](keys.md#how-much-a-key-may-encrypt). Nothing fails.',
    action:
      '[Add and promote](keys.md#change-a-key) another key of the purpose. The row clears when that key is in use.',
    onPage:
      'A key has encrypted a quarter of what it may. Nothing fails. Someone with access to the servers adds another key and promotes it. The row clears when that key is in use.',
  },
};

/** A part of an explanation. `runbook`: the case of the runbook that the part names. */
export interface ExplanationPart {
  text: string;
  runbook: string | null;
}

/** A link in Markdown: its text, its page and its anchor. */
const link = /\[([^\]]+)\]\(([^)#]*)#?([^)]*)\)/g;

/** The meaning of the kind and what to do, as plain text. `named`: how the reader knows a command or another code. */
export function explanationOf(kind: AttentionKind, named: (code: string) => string): string {
  const { meaning, action } = attentionExplanations[kind];
  return plain(`${meaning} ${action}`, named).replace(link, (_, text: string, page: string) =>
    page === 'runbook.md' ? `the runbook's "${text}"` : text,
  );
}

/** A reference to another page than the runbook, which the back office does not have. */
const besides = / \(\[[^\]]*\]\((?!runbook\.md)[^)]*\)\)/g;

/** The same for a page, in parts: those that name a case of the runbook link to it. */
export function explanationParts(kind: AttentionKind, named: (code: string) => string): ExplanationPart[] {
  const { meaning, action, onPage = `${meaning} ${action}` } = attentionExplanations[kind];
  const text = plain(onPage.replace(besides, ''), named);
  const parts: ExplanationPart[] = [];
  let end = 0;
  for (const found of text.matchAll(link)) {
    const [whole, title = '', page = '', anchor = ''] = found;
    parts.push({ text: text.slice(end, found.index), runbook: null });
    parts.push({ text: title, runbook: page === 'runbook.md' ? anchor : null });
    end = found.index + whole.length;
  }
  return [...parts, { text: text.slice(end), runbook: null }].filter((part) => part.text !== '');
}

/** The text with the names of its codes, and without emphasis. */
function plain(markdown: string, named: (code: string) => string): string {
  return markdown.replace(/`([^`]+)`/g, (_, code: string) => named(code)).replaceAll('*', '');
}
