/** Subscriptions, test deliveries, and low-data webhooks. */
import { Router } from 'express';
import { digitsIn, sendJson } from '../kit/responses';
import type { Esim, EsimChange } from './esims';
import type { Parts } from './parts';
import { optInBody, optOutBody, simulatorBody, validated, type NotificationType } from './requests';

const success = { message: 'success' };

/** The routes of notifications. The documentation does not give the form of a subscription in responses. */
export function notificationRoutes({ context: { modes }, limits, notifications }: Parts): Router {
  const routes = Router();

  routes.post('/notifications/opt-in', async (request, response) => {
    const { type, webhook_url, levels } = validated(optInBody, request.body);
    await notifications.optIn(type, { webhook_url, levels });
    sendJson(response, 200, { data: { type, webhook_url, levels }, meta: success }, modes.of(''));
  });

  routes.get('/notifications/opt-in', (_request, response) => {
    sendJson(response, 200, { data: notifications.list(), meta: success }, modes.of(''));
  });

  routes.post('/notifications/opt-out', (request, response) => {
    notifications.optOut(validated(optOutBody, request.body).type);
    sendJson(response, 200, { data: [], meta: success }, modes.of(''));
  });

  routes.post('/simulator/webhook', (request, response) => {
    limits.take('simulator', 5, 60_000);
    const { type, webhook_url } = validated(simulatorBody, request.body);
    notifications.simulate(webhook_url, samples[type], modes.of(''));
    sendJson(response, 200, { data: [], meta: success }, modes.of(''));
  });
  return routes;
}

/** The bodies of test deliveries. They concern no order and no eSIM of ours. */
const samples: Readonly<Record<NotificationType, object>> = {
  async_orders: { request_id: 'xxxxxxxxxxxxxxxxxxxxxxxxx', reason: 'Simulated failure' },
  webhook_low_data: {
    level: '75%',
    package_name: 'Sample package',
    remaining_percentage: 25,
    iccid: '8932000000000000003',
  },
  webhook_credit_limit: { message: 'You have used 50% of your credit.', remaining: '50000.00' },
};

const levelsOf: Readonly<Partial<Record<EsimChange, readonly (readonly [level: string, left: number])[]>>> = {
  use: [['75%', 20]],
  deplete: [['90%', 0]],
  expire: [
    ['3days', 20],
    ['1days', 20],
  ],
};

/** Sends the webhooks of a change of the eSIM. Most changes have none. */
export function notifyChange({ context, notifications }: Parts, esim: Esim, change: EsimChange): void {
  const { pkg } = esim.order;
  const modes = context.modes.of(pkg.id);
  for (const [level, remaining_percentage] of levelsOf[change] ?? []) {
    const iccid = digitsIn(modes)(esim.sim.iccid);
    const body = { level, package_name: pkg.title, remaining_percentage, iccid };
    notifications.notify('webhook_low_data', body, modes);
  }
}
