/** The fake Reloadly: four hosts in one process, told apart by the first part of the path. */
import { Router } from 'express';
import type { FakeContext, FakeSupplier } from '../kit/fake';
import { Account } from './account';
import { answerErrors, unknownPath } from './errors';
import { giftCatalogueRoutes, giftOrderRoutes } from './gift-routes';
import type { GiftDetails } from './gift-orders';
import { reloadlyOptions } from './options';
import type { BillDetails } from './payments';
import { productHost, tokenRoutes, Tokens } from './tokens';
import { operatorRoutes, topupRoutes } from './topup-routes';
import type { TopupDetails } from './topups';
import { Shop } from './transactions';
import { utilityRoutes } from './utility-routes';

/**
 * Returns Reloadly's interface below `/auth`, `/giftcards`, `/topups` and `/utilities`. All three products draw on
 * one account in US dollars. The environment may set `FAKE_TOKEN_SECONDS`, `FAKE_RECHARGE_SECONDS` and
 * `FAKE_MAX_PAGE`. Throws if one of them is wrong.
 */
export function createReloadly(context: FakeContext): FakeSupplier {
  const options = reloadlyOptions(process.env);
  const { tokenSeconds, maxPage } = options;
  const account = new Account();
  const tokens = new Tokens(context.settings, tokenSeconds);
  const gifts = new Shop<GiftDetails>(context, account, {
    insufficientCode: 'INSUFFICIENT_BALANCE',
    webhook: 'giftcard_transaction.status',
    hidesUnfinished: false,
  });
  const topups = new Shop<TopupDetails>(context, account, {
    insufficientCode: 'INSUFFICIENT_BALANCE',
    webhook: 'airtime_transaction.status',
    // Whether a report shows an unfinished top-up is not known. Its absence is harder for the buyer.
    hidesUnfinished: true,
  });
  const bills = new Shop<BillDetails>(context, account, {
    insufficientCode: 'INSUFFICIENT_WALLET_BALANCE',
    // Whether utilities have webhooks is not known.
    webhook: undefined,
    hidesUnfinished: false,
  });

  const routes = Router();
  routes.use('/auth', tokenRoutes(tokens));
  const cards = [giftCatalogueRoutes(context, account, maxPage), giftOrderRoutes(gifts, maxPage)];
  const airtime = [operatorRoutes(context, options), topupRoutes(topups, options)];
  routes.use('/giftcards', productHost('giftcards', tokens, cards));
  routes.use('/topups', productHost('topups', tokens, airtime));
  routes.use('/utilities', productHost('utilities', tokens, [utilityRoutes(bills, maxPage)]));
  routes.use(unknownPath, answerErrors);

  return {
    name: 'Reloadly',
    routes,
    reset: () => {
      [gifts, topups, bills].forEach((shop) => shop.reset());
      tokens.clear();
      account.reset();
    },
    fund: (amount) => account.fund(amount),
  };
}
