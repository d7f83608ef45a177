/** Calls to the buyer about transactions. None is signed. */
import type { ModeBook } from '../kit/modes';
import { jsonOf } from '../kit/responses';
import { copiesIn, every2xx, sendWebhook } from '../kit/webhooks';
import { skuOf } from './products';
import { classOf, contradicting } from './statuses';
import type { Transaction } from './transactions';
import { viewTransaction } from './views';

/** "Several times": the documentation gives neither the number nor the times, so the fake stops early. */
const repeatsAfterMs = [1_000, 5_000];

/**
 * Returns the function that tells the buyer of a final state, by the `callback_url` of the request. DT One does so for
 * COMPLETED, DECLINED and REVERSED only. There is no signature to forge, so a forged callback states another result.
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
