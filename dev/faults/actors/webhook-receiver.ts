/** The webhook receiver of a client, which stores the verified deliveries. */
import { WebhookReceiver, type EventView } from '../../stack/webhook-receiver';

export class ClientReceiver extends WebhookReceiver {
  /** The ids of the accepted events, in the order of their first arrival. */
  readonly taken = new Set<string>();
  /** Deliveries that did not verify. */
  unverified = 0;
  /** Repeated deliveries. */
  repeated = 0;
  /** Answers with an error while this is set. */
  isOutOfOrder = false;

  protected override take(body: string, isVerified: boolean): number {
    if (this.isOutOfOrder) return 500;
    if (!isVerified) {
      this.unverified++;
      return 401;
    }
    const { id } = JSON.parse(body) as EventView;
    if (this.taken.has(id)) this.repeated++;
    this.taken.add(id);
    return 204;
  }
}
