/** Callbacks to the buyer about transactions. They are not signed. */
import type { ModeBook } from '../kit/modes';
import { jsonOf } from '../kit/responses';
import { copiesIn, every2xx, sendWebhook } from '../kit/webhooks';
import { skuOf } from './products';
import { classOf, contradicting } from './statuses';
import type { Transaction } from './transactions';
import { viewTransaction } from './views';

/** DT One repeats callbacks "several times". Their number and intervals are not documented, so the fake stops early. */
const repeatsAfterMs = [1_000, 5_000];

/**
 * Returns the function that notifies the buyer of a final state, at the `callback_url` of the request. DT One sends callbacks only
 * for COMPLETED, DECLINED and REVERSED. Callbacks have no signature, so in mode `forged` a callback states another result.
 */
export function createCallbacks(modes: ModeBook): (transaction: Transaction) => void {
  return (transaction) => {
    const { request, product, status } = transaction;
    const url = request.callback_url;
    if (url === undefined || !['COMPLETED', 'DECLINED', 'REVERSED'].includes(classOf(status))) return;
    const current = modes.of(skuOf(product));
    const shown = current.webhook === 'forged' ? contradicting(status) : status;
    const body = jsonOf(viewTransaction(transaction, current, shown));
    const webhook = { url, body, headers: {}, accepted: every2xx, repeatsAfterMs };
    sendWebhook(webhook, copiesIn(current));
  };
}
