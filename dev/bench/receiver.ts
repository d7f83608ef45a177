/** A receiver of webhooks on this machine, which accepts every event. */
import { until } from '../testbed/waiting';
import { WebhookReceiver } from '../stack/webhook-receiver';

export class Receiver extends WebhookReceiver {
  /** The received events. */
  count = 0;

  /** Returns once this many events have arrived since the start. */
  async reached(count: number): Promise<void> {
    await until(`${count} events`, async () => this.count >= count);
  }

  protected override take(): number {
    this.count += 1;
    return 204;
  }
}
