/** Sends what is due for an endpoint: the events of an order one after the other, several orders side by side. */
import { recordAttempts, type Attempt, type Delivery, type Target } from '../../data/webhooks/deliveries';
import { reportUnreadableSecret } from '../../data/webhooks/secrets';
import { isVerificationTest, isSuccess, type AttemptResult } from '../../domain/webhooks';
import { webhookSecret } from '../../security/encryption-context';
import type { DeliveryDependencies } from './delivery-dependencies';
import { DeliveryLog } from './delivery-log';
import { envelopeToSend } from './envelope';
import { signatureHeaders } from './signing';

/** A round begins no further send after this time. */
const ROUND_LIMIT_MS = 20_000;

/** A delivery that was attempted. */
export interface AttemptedDelivery {
  delivery: Delivery;
  at: Date;
  /** False if the event's body could not be built, which says nothing about the endpoint. */
  built: boolean;
  result: AttemptResult;
}

export class RoundSender {
  constructor(private readonly dependencies: DeliveryDependencies) {}

  /**
   * Sends the events of each queue, such as an order's, one after the other, and up to `concurrency` queues side
   * by side. After the first failure nothing more is begun, so that an endpoint that goes down costs few events
   * an attempt. Successes are recorded while the round goes on.
   */
  async sendAll(
    target: Target,
    queues: Delivery[][],
    concurrency: number,
    clock: () => Date,
  ): Promise<AttemptedDelivery[]> {
    const { database } = this.dependencies;
    const secrets = await this.secretsOf(target);
    const until = performance.now() + ROUND_LIMIT_MS;
    const delivered = new DeliveryLog((attempts) => recordAttempts(database, target.id, clock(), attempts));
    const attempted: AttemptedDelivery[] = [];
    let failed = false;
    const worker = async () => {
      for (let queue = queues.shift(); queue; queue = queues.shift()) {
        for (const delivery of queue) {
          if (failed || delivered.failed || performance.now() > until) return;
          const one = await this.send(target.url, secrets, delivery, clock());
          failed ||= countsFor(one) && !isSuccess(one.result);
          attempted.push(one);
          if (isSuccess(one.result)) delivered.add(deliveredBy(one));
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    await delivered.written();
    return attempted;
  }

  private async send(
    url: string,
    secrets: string[],
    delivery: Delivery,
    at: Date,
  ): Promise<AttemptedDelivery> {
    const body = this.bodyOf(delivery);
    if (body === undefined) return { delivery, at, built: false, result: unsent('event could not be built') };
    if (secrets.length === 0)
      return { delivery, at, built: true, result: unsent('signing secret unreadable') };
    const headers = signatureHeaders(secrets, delivery.id, new Date(), body);
    return { delivery, at, built: true, result: await this.dependencies.sender.send(url, headers, body) };
  }

  /** The text to send; undefined if it cannot be built, which a person must look into. */
  private bodyOf(delivery: Delivery): string | undefined {
    const { sealer, log } = this.dependencies;
    try {
      return JSON.stringify(envelopeToSend(sealer, delivery));
    } catch (err) {
      log.error({ err, event: delivery.id }, 'the body of a webhook could not be built');
      return undefined;
    }
  }

  /** The secrets that sign now, newest first. One that does not open signs nothing; if none does, operators are told. */
  private async secretsOf({ id, nonce, sealedSecrets }: Target): Promise<string[]> {
    const { database, sealer, log } = this.dependencies;
    const opened = sealedSecrets.flatMap((sealed) => {
      try {
        return [sealer.open(webhookSecret(nonce), sealed)];
      } catch (err) {
        log.error({ err, endpoint: id }, 'a signing secret of a webhook endpoint does not open');
        return [];
      }
    });
    if (opened.length === 0) await reportUnreadableSecret(database, id);
    return opened;
  }
}

/** Whether the attempt tells something of the endpoint: its event was built, and it is no verification test that failed. */
export function countsFor({ delivery, built, result }: AttemptedDelivery): boolean {
  return built && (isSuccess(result) || !isVerificationTest(delivery));
}

/** The deliveries of each order, in the order of the batch; an event of no order stands alone. */
export function queuesByOrder(batch: Delivery[]): Delivery[][] {
  const queues = new Map<string, Delivery[]>();
  for (const delivery of batch) {
    const key = delivery.orderId === null ? delivery.id : String(delivery.orderId);
    queues.set(key, [...(queues.get(key) ?? []), delivery]);
  }
  return [...queues.values()];
}

/** An attempt that failed before anything was sent. */
function unsent(error: string): AttemptResult {
  return { status: null, error, retryAfterMs: 0, durationMs: 0 };
}

/** What is written down of an attempt, whatever becomes of its delivery. */
export function attemptOf({ delivery, at, built, result }: AttemptedDelivery) {
  return { ...result, sequence: delivery.sequence, attemptedAt: at, unbuildable: !built };
}

function deliveredBy(attempted: AttemptedDelivery): Attempt {
  return { ...attemptOf(attempted), state: 'DELIVERED', nextAttemptAt: null };
}
