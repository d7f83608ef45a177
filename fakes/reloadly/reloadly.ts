/** The fake Reloadly: four hosts in one process, told apart by the first part of the path. */
import { Router } from 'express';
import Joi from 'joi';
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { answerErrors, unknownPath } from './errors';
import { giftCatalogueRoutes, giftOrderRoutes } from './gift-routes';
import type { GiftDetails } from './gift-orders';
import type { BillDetails } from './payments';
import { productHost, tokenRoutes, Tokens } from './tokens';
import { operatorRoutes, topupRoutes } from './topup-routes';
import type { TopupDetails } from './topups';
import { Shop } from './transactions';
import { utilityRoutes } from './utility-routes';

const environment = Joi.object<{ FAKE_RECHARGE_SECONDS: number }, true>({
  /** The time between two top-ups of one number (PHONE_RECENTLY_RECHARGED). 0 turns the limit off. */
  FAKE_RECHARGE_SECONDS: Joi.number().min(0).default(120),
}).options({ stripUnknown: true });

/**
 * Returns Reloadly's interface below `/auth`, `/giftcards`, `/topups` and `/utilities`. All three products draw on
 * one account in US dollars.
 */
export function createReloadly(context: FakeContext): FakeSupplier {
  const { FAKE_RECHARGE_SECONDS: rechargeSeconds } = Joi.attempt(process.env, environment);
  const tokens = new Tokens(context.settings);
  const gifts = new Shop<GiftDetails>(context, {
    insufficientCode: 'INSUFFICIENT_BALANCE',
    webhook: 'giftcard_transaction.status',
    hidesUnfinished: false,
  });
  const topups = new Shop<TopupDetails>(context, {
    insufficientCode: 'INSUFFICIENT_BALANCE',
    webhook: 'airtime_transaction.status',
    // Whether a report shows an unfinished top-up is not known. Its absence is harder for the buyer.
    hidesUnfinished: true,
  });
  const bills = new Shop<BillDetails>(context, {
    insufficientCode: 'INSUFFICIENT_WALLET_BALANCE',
    // Whether utilities have webhooks is not known.
    webhook: undefined,
    hidesUnfinished: false,
  });

  const routes = Router();
  routes.use('/auth', tokenRoutes(tokens));
  const cards = [giftCatalogueRoutes(context), giftOrderRoutes(gifts)];
  const airtime = [operatorRoutes(context), topupRoutes(topups, rechargeSeconds)];
  routes.use('/giftcards', productHost('giftcards', tokens, cards));
  routes.use('/topups', productHost('topups', tokens, airtime));
  routes.use('/utilities', productHost('utilities', tokens, [utilityRoutes(bills)]));
  routes.use(unknownPath, answerErrors);

  return { routes, state: [gifts, topups, bills, tokens] };
}
