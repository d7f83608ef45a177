/** Webhooks to the buyer. They are not signed. */
import type { FakeContext } from '../kit/fake';
import { jsonOf } from '../kit/responses';
import { hourMs, minuteMs } from '../kit/times';
import { answersHead, copiesIn, every2xx, sendWebhook } from '../kit/webhooks';
import type { Family } from './offers';
import type { Purchase } from './purchases';
import type { Refunds } from './refunds';
import { contradicting } from './statuses';
import { viewPurchase } from './views';

const repeatsAfterMs = [
  1_000,
  10_000,
  minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
];

/** The name of the header that the buyer chose. Its value is the secret of the settings. */
const header = 'x-webhook-secret';

/**
 * Returns the function that sends the purchase at every state, including the states before the final one. A forged webhook has a
 * wrong header value and states another result.
 */
export function createWebhooks({ modes, settings }: FakeContext, refunds: Refunds): (purchase: Purchase) => void {
  const url = settings.callbackUrl;
  const webhookConsole = new Console();
  return (purchase) => {
    const { offer, status } = purchase;
    const current = modes.of(offer.offerId);
    if (url === undefined || current.webhook === 'none') return;
    const isForged = current.webhook === 'forged';
    const shown = isForged ? contradicting(status) : status;
    const webhook = {
      url,
      body: jsonOf(viewPurchase(purchase, current, refunds.find(purchase), shown)),
      headers: { [header]: isForged ? `not-${settings.secret}` : settings.secret },
      accepted: every2xx,
      repeatsAfterMs,
    };
    void webhookConsole.saved(offer.family, url).then((isSaved) => {
      if (isSaved) sendWebhook(webhook, copiesIn(current));
    });
  };
}

/**
 * The console, where the buyer saves one webhook for each product type. Before it saves a webhook, Zendit calls HEAD.
 * The buyer may start after the fake, so the fake tries to save at each webhook until HEAD gets 200. Earlier webhooks are lost. The
 * documentation does not say that HEAD has the chosen header, so the fake calls HEAD without it.
 */
class Console {
  private readonly probes = new Map<Family, Promise<boolean>>();

  saved(family: Family, url: string): Promise<boolean> {
    const probe = this.probes.get(family) ?? this.probe(family, url);
    this.probes.set(family, probe);
    return probe;
  }

  private async probe(family: Family, url: string): Promise<boolean> {
    const isSaved = await answersHead(url);
    if (!isSaved) this.probes.delete(family);
    return isSaved;
  }
}
