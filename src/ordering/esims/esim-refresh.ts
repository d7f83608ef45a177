/** The eSIM order that a client reads: its supplier is asked first. docs/specification.md#esim-orders. */
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import { findEsim, type EsimRecord } from '../../data/esims/esim-lifecycle';
import type { EsimOrderRow } from '../../data/purchases/families/esim';
import type { OrderKey } from '../../domain/orders/order-flow';
import { esimWorkflowId } from '../../domain/orders/orders';
import { syncEsim, type EsimDependencies } from './esim-status';
import { retryNow } from '../order-workflow';
import { SingleFlight } from '../../async/promises';

export interface EsimRefreshDependencies extends EsimDependencies {
  temporal: TemporalClient;
  log: Logger;
  /** Aborted when the process stops: then a read shows what is stored. */
  stopping: AbortSignal;
}

/** Milliseconds a read waits for the supplier before it shows what is stored. */
const READ_LIMIT_MS = 15_000;

const flights = new SingleFlight<EsimRecord | undefined>();

/**
 * The order after its supplier was asked, where it is delivered and not known to be installed. Every
 * read asks; reads at the same time share one question. A supplier that is out of reach leaves the
 * order as it is. docs/specification.md#esim-orders.
 */
export async function refreshEsim(deps: EsimRefreshDependencies, order: EsimOrderRow): Promise<EsimOrderRow> {
  if (order.status !== 'DELIVERED' || order.activationStatus !== 'NOT_INSTALLED') return order;
  const key = { orderId: order.id, nonce: order.nonce };
  const esim = await flights.run(order.nonce, READ_LIMIT_MS, deps.stopping, () => refresh(deps, key));
  return asItStands(order, esim);
}

/** The delivered order after its supplier was asked, by a question of its own: what was asked before knows no better. */
export async function pollEsimNow(deps: EsimRefreshDependencies, order: EsimOrderRow): Promise<EsimOrderRow> {
  return asItStands(order, await refresh(deps, { orderId: order.id, nonce: order.nonce }));
}

function asItStands(order: EsimOrderRow, esim: EsimRecord | undefined): EsimOrderRow {
  if (!esim) return order;
  const { activationStatus, installedAt, activatedAt } = esim;
  return { ...order, activationStatus, installedAt, activatedAt };
}

async function refresh(deps: EsimRefreshDependencies, order: OrderKey): Promise<EsimRecord | undefined> {
  try {
    const esim = await findEsim(deps.database, order);
    const synced = await syncEsim(deps, esim, new Date());
    // The read does not wait for this: untold, the workflow finds out at its next turn.
    if (synced !== esim) void signalMonitor(deps, order);
    return synced;
  } catch (error) {
    deps.log.warn({ err: error, orderId: order.orderId }, 'an eSIM could not be refreshed');
    return undefined;
  }
}

async function signalMonitor(
  { temporal, log }: EsimRefreshDependencies,
  { orderId, nonce }: OrderKey,
): Promise<void> {
  try {
    await retryNow(temporal, esimWorkflowId(orderId, nonce));
  } catch (error) {
    log.warn({ err: error, orderId }, 'the workflow of an eSIM was not told of news');
  }
}
