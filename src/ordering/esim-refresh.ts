/** The eSIM order that a client reads: its supplier is asked first. Specification, "eSIM orders". */
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import { findEsim, type EsimRecord } from '../data/orders/esim-life';
import type { EsimOrderRow } from '../data/orders/order-reads';
import type { OrderKey } from '../domain/order-flow';
import { esimWorkflowId } from '../domain/orders';
import { lookAtEsim, type EsimTools } from './esim-life';
import { retryNow } from './order-workflow';
import { SingleFlight } from './single-flight';

export interface EsimRefreshTools extends EsimTools {
  temporal: TemporalClient;
  log: Logger;
  /** Aborted when the process stops: then a read shows what is stored. */
  stopping: AbortSignal;
}

/** Milliseconds a read waits for the supplier before it shows what is stored. */
const WAIT_AT_MOST = 15_000;

const flights = new SingleFlight<EsimRecord | undefined>();

/**
 * The order after its supplier was asked, where it is delivered and not known to be installed. Every
 * read asks; reads at the same time share one question. A supplier that is out of reach leaves the
 * order as it is. Decisions, "Orders".
 */
export async function refreshEsim(tools: EsimRefreshTools, order: EsimOrderRow): Promise<EsimOrderRow> {
  if (order.status !== 'DELIVERED' || order.activationStatus !== 'NOT_INSTALLED') return order;
  const key = { orderId: order.id, nonce: order.nonce };
  const esim = await flights.run(order.nonce, WAIT_AT_MOST, tools.stopping, () => refresh(tools, key));
  if (!esim) return order;
  const { activationStatus, installedAt, activatedAt } = esim;
  return { ...order, activationStatus, installedAt, activatedAt };
}

async function refresh(tools: EsimRefreshTools, order: OrderKey): Promise<EsimRecord | undefined> {
  try {
    const esim = await findEsim(tools.database, order);
    const seen = await lookAtEsim(tools, esim, new Date());
    // The read does not wait for this: untold, the workflow finds out at its next turn.
    if (seen !== esim) void tellFollower(tools, order);
    return seen;
  } catch (error) {
    tools.log.warn({ err: error, orderId: order.orderId }, 'an eSIM could not be refreshed');
    return undefined;
  }
}

async function tellFollower(
  { temporal, log }: EsimRefreshTools,
  { orderId, nonce }: OrderKey,
): Promise<void> {
  try {
    await retryNow(temporal, esimWorkflowId(orderId, nonce));
  } catch (error) {
    log.warn({ err: error, orderId }, 'the workflow of an eSIM was not told of news');
  }
}
