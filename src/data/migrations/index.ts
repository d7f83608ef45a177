import { referenceData } from './0001-reference-data';
import { clients } from './0002-clients';
import { ledger } from './0003-ledger';
import { catalogue } from './0004-catalogue';
import { orders } from './0005-orders';
import { orderEvents } from './0006-order-events';
import { redemptionAndCaps } from './0007-redemption-and-caps';
import { webhooks } from './0008-webhooks';
import { attention } from './0009-attention';
import { webhookFailures } from './0010-webhook-failures';
import { maintenance } from './0011-maintenance';
import { lists } from './0012-lists';
import { onePurchasePerProduct } from './0013-one-purchase-per-product';
import { redeemablePrices } from './0014-redeemable-prices';
import { idempotencyKeys } from './0015-idempotency-keys';
import { dataKeys } from './0016-data-keys';
import { sessionsOfKeys } from './0017-sessions-of-keys';
import { supplierWords } from './0020-supplier-words';
import { keyedSecrets } from './0018-keyed-secrets';
import { auditAndVerifiedEndpoints } from './0019-audit-and-verified-endpoints';
import { settledAttention } from './0022-settled-attention';
import { orderPollers } from './0023-order-pollers';
import { operatorsAudit } from './0024-operators-audit';
import { ordersFound } from './0025-orders-found';
import { figures } from './0026-figures';
import { changeFeed } from './0028-change-feed';
import { sandboxScenarios } from './0029-sandbox-scenarios';
import { unreadableGoods } from './0031-unreadable-goods';
import { accessOfSessions } from './0033-access-of-sessions';
import { planAmountsAndAudit } from './0034-plan-amounts-and-audit';
import { watchedResults } from './0036-watched-results';
import { verificationTests } from './0037-verification-tests';
import { reusedSessions } from './0038-reused-sessions';
import type { Migration } from './migration';

export const migrations: readonly Migration[] = [
  referenceData,
  clients,
  ledger,
  catalogue,
  orders,
  orderEvents,
  redemptionAndCaps,
  webhooks,
  attention,
  webhookFailures,
  maintenance,
  lists,
  onePurchasePerProduct,
  redeemablePrices,
  idempotencyKeys,
  dataKeys,
  sessionsOfKeys,
  keyedSecrets,
  auditAndVerifiedEndpoints,
  supplierWords,
  settledAttention,
  orderPollers,
  operatorsAudit,
  ordersFound,
  figures,
  changeFeed,
  sandboxScenarios,
  unreadableGoods,
  accessOfSessions,
  planAmountsAndAudit,
  watchedResults,
  verificationTests,
  reusedSessions,
];
