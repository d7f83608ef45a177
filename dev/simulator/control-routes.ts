/** The controls of the simulator: changes that devices, outages or a hostile supplier otherwise cause. */
import { Router } from 'express';
import Joi from 'joi';
import { esimChanges, type Store, type Esim, type EsimChange } from './store';
import type { Controls } from './controls';
import { HttpError, known, unknownPath, validated, type Outage } from './http';
import { behaviourSchema, selectorSchema } from './modes';
import { referenceSchema } from './purchase-routes';
import type { Push } from './pushes';
import { viewBought, viewEsim, viewPurchase } from './views';

export interface ControlRoutesOptions {
  store: Store;
  controls: Controls;
  outage: Outage;
  push: (push: Push) => void;
}

const referenceQuery = Joi.object<{ reference?: string }>({ reference: referenceSchema });
const outageSchema = Joi.object<{ seconds: number }>({ seconds: Joi.number().strict().min(0).max(86_400).required() });
const usageSchema = Joi.object<{ megabytes?: number }>({
  megabytes: Joi.number().strict().positive().precision(3).max(1_000_000_000),
});
const balanceSchema = Joi.object<{ amount: string }>({
  amount: Joi.string()
    .pattern(/^\d{1,15}(\.\d{1,2})?$/)
    .required(),
});
const accountSchema = Joi.object<{ blocked: boolean }>({ blocked: Joi.boolean().strict().required() });

export function controlRoutes({ store, controls, outage, push }: ControlRoutesOptions): Router {
  const routes = Router();

  routes.get('/purchases', (request, response) => {
    const { reference } = validated(referenceQuery, request.query);
    response.json(store.find(reference).flatMap((purchase) => viewBought(purchase) ?? []));
  });

  routes.post('/purchases/:reference/reverse', (request, response) => {
    const purchase = known(store.findExact(request.params.reference), 'purchase');
    if (!store.reverse(purchase)) throw new HttpError(409, 'NOT_DELIVERED', 'Only what is delivered is reversed.');
    push({ type: 'reversal', reference: purchase.reference });
    response.json(viewPurchase(purchase));
  });

  routes.post('/esims/:iccid/:change', (request, response) => {
    const change = esimChanges.find((name) => name === request.params.change);
    if (!change) throw new HttpError(404, 'NOT_FOUND', `A profile can ${esimChanges.join(', ')}.`);
    const esim = known(store.esim(request.params.iccid.replace(/F$/, '')), 'eSIM');
    const { megabytes } = validated(usageSchema, request.body ?? {});
    changeEsim(esim, change, change === 'use' ? megabytes : undefined);
    response.json(viewEsim(esim));
  });

  function changeEsim(esim: Esim, change: EsimChange, megabytes: number | undefined): void {
    if (megabytes === undefined) store.changeEsim(esim, change);
    else store.useData(esim, megabytes);
    push({ type: 'esim', iccid: esim.iccid });
  }

  routes.post('/outage', (request, response) => {
    const { seconds } = validated(outageSchema, request.body);
    outage.begin(seconds);
    response.json({ seconds });
  });

  routes.post('/account', (request, response) => {
    const { blocked } = validated(accountSchema, request.body);
    controls.setAccount(blocked);
    response.json({ blocked });
  });

  routes.post('/balance', (request, response) => {
    const { amount } = validated(balanceSchema, request.body);
    controls.setBalance(amount);
    response.json({ amount });
  });

  routes.get('/behaviour', (_request, response) => void response.json(controls.behaviours()));

  routes.put('/behaviour', (request, response) => {
    controls.behave(validated(behaviourSchema, request.body));
    response.json(controls.behaviours());
  });

  routes.delete('/behaviour', (request, response) => {
    controls.endBehaviour(validated(selectorSchema, request.query));
    response.json(controls.behaviours());
  });

  routes.use(unknownPath);
  return routes;
}
