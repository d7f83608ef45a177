/** Calls to the buyer. None is signed. */
import type { ModeBook } from '../kit/modes';
import { jsonOf, withAdditionalFields } from '../kit/responses';
import { copiesIn, every2xx, sendWebhook } from '../kit/webhooks';
import type { Esim, EsimChange } from './esims';
import { skuOf } from './products';
import { classOf, contradicting } from './statuses';
import type { Transaction } from './transactions';
import { viewTransaction } from './views';

/** "Several times": the documentation gives neither the number nor the times, so the fake stops early. */
const repeatsAfterMs = [1_000, 5_000];

function send(url: string, body: string, headers: Record<string, string>): void {
  sendWebhook({ url, body, headers, accepted: every2xx, repeatsAfterMs });
}

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
    for (let copy = 0; copy < copiesIn(current); copy++) send(url, body, {});
  };
}

type EsimWebhookType =
  'ESIM_STATUS' | 'ESIM_BALANCE_ACTIVATION' | 'ESIM_BALANCE_ALERT' | 'ESIM_COUNTRY_CHANGE';

/**
 * The fields of `data` are not known. So each type names the eSIM at another place, under a name that the documentation has
 * elsewhere, and one type does not name it.
 */
const esimWebhooks: Readonly<Record<EsimWebhookType, (esim: Esim) => object>> = {
  ESIM_STATUS: ({ iccid }) => ({ profile: { iccid } }),
  ESIM_BALANCE_ACTIVATION: ({ iccid }) => ({ pin: { serial: iccid } }),
  ESIM_BALANCE_ALERT: ({ iccid }) => ({ credit_party_identifier: { account_number: iccid } }),
  ESIM_COUNTRY_CHANGE: () => ({}),
};

const typesOf: Readonly<Record<EsimChange, readonly EsimWebhookType[]>> = {
  install: ['ESIM_STATUS'],
  activate: ['ESIM_STATUS', 'ESIM_COUNTRY_CHANGE', 'ESIM_BALANCE_ACTIVATION'],
  use: ['ESIM_BALANCE_ALERT'],
  deplete: ['ESIM_BALANCE_ALERT'],
};

/** Returns the function that sends the life-cycle webhooks of a change. The fake has one URL for every type. */
export function createEsimWebhooks(
  modes: ModeBook,
  url: string | undefined,
): (esim: Esim, change: EsimChange) => void {
  let lastId = Date.now();
  return (esim, change) => {
    if (url === undefined) return;
    const current = modes.of(skuOf(esim.product));
    for (const type of typesOf[change]) {
      lastId += 1;
      const created_at = new Date().toISOString();
      const event = { id: `evt-${lastId}`, created_at, data: esimWebhooks[type](esim) };
      const body = jsonOf(withAdditionalFields(event, current));
      for (let copy = 0; copy < copiesIn(current); copy++) {
        send(url, body, { 'x-webhook-type': type });
      }
    }
  };
}
