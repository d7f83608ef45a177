/** The console's own settings, and what a client has done of its first steps. docs/developers/console.md#data-of-the-console. */
import Joi from 'joi';
import { readFirstSteps } from '../../data/clients/first-steps';
import { listConfirmationSums, setConfirmationSum } from '../../data/wallets/confirmation-sums';
import { errors } from '../../domain/errors';
import { callerOf, clientOf } from '../middleware/caller';
import type { Routes } from '../server/route';
import { jsonObject, pathId, validBody } from '../shared/validation';

const sumBody = Joi.object<{ confirm_above: number | null }>({
  confirm_above: Joi.number()
    .strict()
    .min(0)
    .max(1e15)
    .allow(null)
    .required()
    .messages({ '*': 'confirm_above must be a number from 0 to 1e15, or null' }),
});

export const consoleAccountRoutes: Routes = {
  'GET /console/api/confirmations': {
    scope: 'read',
    handler: (deps) => async (_request, response) => {
      const sums = await listConfirmationSums(deps.database, clientOf(response).id);
      const views = sums.map(({ walletId, above }) => ({
        wallet_id: walletId,
        confirm_above: above === null ? null : Number(above),
      }));
      response.json({ confirmations: views });
    },
  },
  'PUT /console/api/confirmations/:id': {
    scope: 'wallets',
    handler: (deps) => async (request, response) => {
      const walletId = pathId(request.params['id'], () => errors.notFound('Wallet'));
      const { confirm_above: above } = validBody(sumBody, jsonObject(request));
      const isFound = await setConfirmationSum(deps.database, callerOf(request, response), { walletId, above });
      if (!isFound) throw errors.notFound('Wallet');
      response.json({ confirm_above: above });
    },
  },
  'GET /console/api/first-steps': {
    scope: 'read',
    handler: (deps) => async (_request, response) => {
      const steps = await readFirstSteps(deps.database, clientOf(response).id);
      response.json({
        has_key: steps.hasKey,
        has_order: steps.hasOrder,
        has_program_order: steps.hasProgramOrder,
        has_endpoint: steps.hasEndpoint,
        has_refund_events: steps.hasRefundEvents,
        has_rehearsal: steps.hasRehearsal,
        has_networks: steps.hasNetworks,
        has_thresholds: steps.hasThresholds,
      });
    },
  },
};
