import { clientsAndAccess } from './0001-clients-and-access';
import { catalogue } from './0002-catalogue';
import { prices } from './0003-prices';
import { walletsAndLedger } from './0004-wallets-and-ledger';
import { orders } from './0005-reservations-and-orders';
import { purchases } from './0006-purchases';
import { orderCounts } from './0007-order-counts';
import { eventsAndWebhooks } from './0008-events-and-webhooks';
import { keys } from './0009-keys';
import { operations } from './0010-operations';
import { auditAndChangeFeed } from './0011-audit-and-change-feed';
import { apiRequests } from './0012-api-requests';
import { unclearPolls } from './0013-unclear-polls';
import { unusableGoods } from './0014-unusable-goods';
import { referenceRates } from './0015-reference-rates';
import { reportedCosts } from './0016-reported-costs';
import { planPrices } from './0017-plan-prices';
import { operatorsMoney } from './0018-operators-money';
import { activationCodes } from './0019-activation-codes';
import { requestOfOrder } from './0020-request-of-order';
import { settlementDifferences } from './0021-settlement-differences';
import { endedSessions } from './0022-ended-sessions';
import { mailOutage } from './0023-mail-outage';
import type { Migration } from './migration';

export const migrations: readonly Migration[] = [
  clientsAndAccess,
  catalogue,
  prices,
  walletsAndLedger,
  orders,
  purchases,
  orderCounts,
  eventsAndWebhooks,
  keys,
  operations,
  auditAndChangeFeed,
  apiRequests,
  unclearPolls,
  unusableGoods,
  referenceRates,
  reportedCosts,
  planPrices,
  operatorsMoney,
  activationCodes,
  requestOfOrder,
  settlementDifferences,
  endedSessions,
  mailOutage,
];
