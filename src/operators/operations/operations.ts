/** All operations, in the sequence of the CLI's help. */
import { byWord } from '../../domain/by-word';
import { approvalRuleOperations } from './approvals/approval-rules';
import { approvalOperations } from './approvals/approvals';
import { bookOperations } from './books/books';
import { catalogueOperations, stockOperations } from './catalogue/catalogue';
import { offerOperations } from './catalogue/offers';
import { productOperations } from './catalogue/products';
import { sourceOperations } from './catalogue/sources';
import { stoppedSaleOperations } from './catalogue/stopped-sales';
import { accountOperations } from './clients/accounts';
import { memberOperations } from './clients/members';
import { keyOperations } from './clients/keys';
import { clientOverview } from './clients/overview';
import { clientSessionOperations } from './clients/signed-in-clients';
import { spendRuleOperations } from './clients/spend-rules';
import { walletOperations } from './clients/wallets';
import { bankOperations } from './money-in/bank-entries';
import { fundingOperations } from './clients/funding';
import type { Operation } from './operation';
import { claimOperations } from './orders/claims';
import { esimOperations } from './orders/esims';
import { mailOperations } from './orders/mail';
import { orderOperations } from './orders/orders';
import { search } from './orders/search';
import { refundImportOperations } from './orders/refund-imports';
import { privacyOperations } from './privacy/privacy';
import { clientPricingOperations } from './prices/client-pricing';
import { marginOperations } from './prices/margins';
import { followedRateOperations } from './prices/followed-rates';
import { feeOperations, rateOperations } from './prices/rates';
import { referenceRateOperations } from './prices/reference-rates';
import { reportPartOperations } from './prices/report-parts';
import { reportOperations } from './prices/reports';
import { attentionOperations } from './service/attention';
import { auditOperations } from './service/audit';
import { incidentOperations } from './service/incidents';
import { ledgerOperations } from './service/ledger';
import { maintenanceOperations } from './service/maintenance';
import { reconcileOperations } from './service/reconcile';
import { today } from './service/today';
import { settlementOperations } from './suppliers/settlements';
import { supplierOperations } from './suppliers/suppliers';
import { webhookOperations } from './webhooks/endpoints';
import { peopleOperations } from './people/people';
import { serviceAccountOperations } from './people/service-accounts';

/** The groups of operations, by the words that their names begin with. */
export const groups = byWord({
  clients: 'Accounts of API clients',
  members: 'The people of a client who use the console',
  keys: 'API keys and secrets',
  wallets: 'Prepaid wallets and their money',
  bank: 'Money that arrives at our bank accounts',
  funding: 'Bank transfers that clients have announced',
  'spend-rules': 'Limits beyond which orders are held for review',
  discounts: 'Discounts of single clients',
  blacklist: 'Products hidden from single clients',
  rates: 'Exchange rates. Changes apply from the next order on',
  'rates reference': 'The rates that value costs in margins, floors and reports. No client pays at them',
  fees: 'Fees of currency conversion: in voucher orders, and between wallets',
  margins: 'Rules for markups and minimum margins',
  catalogue: 'Products of all families',
  stock: 'Inventory',
  products: 'The products of all families',
  sources: 'The suppliers that can deliver an item',
  routes: 'The suppliers that an order would use',
  suppliers: 'The companies that sell to us',
  orders: 'Orders of all clients',
  refunds: 'Files of refunds after delivery',
  claims: 'What clients report about delivered goods',
  privacy: 'Recipients of orders',
  'privacy requests': 'Requests about recipients, for a restore',
  esims: 'Delivered eSIMs',
  webhooks: 'Webhook endpoints of clients',
  mail: 'Mails with the results of orders',
  ledger: 'Money, goods and events',
  maintenance: 'The schedules that keep the service in order',
  reports: 'Figures of sales',
  books: 'The months of the books',
  settlements: 'Sales by the files of suppliers',
  approvals: 'Operations that wait for a second person',
  'approval-rules': 'Which operations need a second person',
  audit: 'The audit log: sensitive calls of clients and changes by operators',
  people: 'Who may sign in as an operator, and with which role',
  sessions: 'Where people are signed in',
  'service-accounts': 'Programs that use operations',
});

export const operations: readonly Operation[] = [
  ...accountOperations,
  clientOverview,
  ...clientSessionOperations,
  ...memberOperations,
  ...keyOperations,
  ...walletOperations,
  ...bankOperations,
  ...fundingOperations,
  ...spendRuleOperations,
  ...clientPricingOperations,
  ...rateOperations,
  ...followedRateOperations,
  ...referenceRateOperations,
  ...feeOperations,
  ...marginOperations,
  ...catalogueOperations,
  ...offerOperations,
  ...stockOperations,
  ...productOperations,
  ...stoppedSaleOperations,
  ...sourceOperations,
  ...supplierOperations,
  today,
  search,
  ...attentionOperations,
  ...incidentOperations,
  ...orderOperations,
  ...refundImportOperations,
  ...claimOperations,
  ...esimOperations,
  ...privacyOperations,
  ...webhookOperations,
  ...mailOperations,
  ...ledgerOperations,
  ...reportOperations,
  ...reportPartOperations,
  ...reconcileOperations,
  ...settlementOperations,
  ...bookOperations,
  ...maintenanceOperations,
  ...approvalOperations,
  ...approvalRuleOperations,
  ...auditOperations,
  ...peopleOperations,
  ...serviceAccountOperations,
];
