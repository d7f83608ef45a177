import { clientsAndAccess } from './0001-clients-and-access';
import { catalogueAndPrices } from './0002-catalogue-and-prices';
import { walletsAndLedger } from './0003-wallets-and-ledger';
import { orders } from './0004-orders';
import { eventsAndWebhooks } from './0005-events-and-webhooks';
import { keys } from './0006-keys';
import { operations } from './0007-operations';
import { auditAndChangeFeed } from './0008-audit-and-change-feed';
import { apiRequests } from './0009-api-requests';
import type { Migration } from './migration';

export const migrations: readonly Migration[] = [
  clientsAndAccess,
  catalogueAndPrices,
  walletsAndLedger,
  orders,
  eventsAndWebhooks,
  keys,
  operations,
  auditAndChangeFeed,
  apiRequests,
];
