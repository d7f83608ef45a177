import { clientsAndAccess } from './0001-clients-members-and-access';
import { catalogue } from './0002-catalogue';
import { prices } from './0003-prices';
import { walletsAndLedger } from './0004-wallets-and-ledger';
import { orders } from './0005-reservations-orders-and-refunds';
import { purchases } from './0006-purchases-quarantine-and-erasures';
import { orderCounts } from './0007-counts-of-orders';
import { claimsEventsAndWebhooks } from './0008-claims-events-and-webhooks';
import { keys } from './0009-data-keys-and-processes';
import { operationsAndSandbox } from './0010-attention-and-sandbox';
import { auditAndChangeFeed } from './0011-audit-and-changes';
import { people } from './0012-people-and-members';
import { mails } from './0013-mails';
import { approvals } from './0014-rules-and-proposals';
import { orderSums } from './0015-sums-of-orders';
import { confirmedValues } from './0016-confirmed-values';
import { indexOfMailboxes, unitsAndReferences } from './0017-units-and-references';
import { reportsAndCurrencies } from './0018-reports-and-currencies';
import { owners } from './0019-owners-of-service-accounts';
import { signInDevicesAndEvents } from './0020-sign-in-devices-and-events';
import { authorsOfTexts } from './0021-authors-of-texts';
import { noCircleOfRates } from './0022-no-circle-of-rates';
import { beginnings } from './0023-beginnings';
import { catalogueVersions } from './0024-catalogue-versions';
import { esimsAfterTheSale } from './0025-esims-after-the-sale';
import { rechargesByOrder } from './0026-recharges-by-order';
import { creditLimits } from './0027-credit-limits';
import { funding } from './0028-funding';
import { bankEntries } from './0029-bank-entries';
import { ratesThatAge } from './0030-rates-that-age';
import { conversions } from './0031-conversions';
import { differencesThatStay } from './0032-differences-that-stay';
import { books } from './0033-books';
import { confirmationSums } from './0034-confirmation-sums';
import { supplierCredits } from './0035-supplier-credits';
import { listedStock } from './0037-listed-stock';
import { ratesByFiles } from './0040-rates-by-files';
import { guardedValues } from './0041-guarded-values';
import { wrongCodesByNetwork } from './0043-wrong-codes-by-network';
import { mailedCodesByNetwork } from './0044-mailed-codes-by-network';
import { markedCosts } from './0045-marked-costs';
import { bankBookings } from './0046-bank-bookings';
import { takenBackCredits } from './0048-taken-back-credits';
import { stoppedSales } from './0053-stopped-sales';
import { indexesOfSearches } from './0055-indexes-of-searches';
import { countsOfActivity } from './0056-counts-of-activity';
import { requestsOfOrders } from './0058-requests-of-orders';
import { claimsOfOperators } from './0059-claims-of-operators';
import { termsOfPrices } from './0060-terms-of-prices';
import { statementsByKey } from './0062-statements-by-key';
import { deletedPartsOfProducts } from './0063-deleted-parts-of-products';
import { ordersOverMonths } from './0064-orders-over-months';
import type { Migration } from './migration';

export const migrations: readonly Migration[] = [
  clientsAndAccess,
  catalogue,
  prices,
  walletsAndLedger,
  orders,
  purchases,
  orderCounts,
  claimsEventsAndWebhooks,
  keys,
  operationsAndSandbox,
  auditAndChangeFeed,
  people,
  mails,
  approvals,
  orderSums,
  confirmedValues,
  unitsAndReferences,
  indexOfMailboxes,
  reportsAndCurrencies,
  owners,
  signInDevicesAndEvents,
  authorsOfTexts,
  noCircleOfRates,
  beginnings,
  catalogueVersions,
  esimsAfterTheSale,
  rechargesByOrder,
  creditLimits,
  funding,
  bankEntries,
  ratesThatAge,
  conversions,
  differencesThatStay,
  books,
  confirmationSums,
  supplierCredits,
  listedStock,
  ratesByFiles,
  guardedValues,
  wrongCodesByNetwork,
  mailedCodesByNetwork,
  markedCosts,
  bankBookings,
  takenBackCredits,
  stoppedSales,
  indexesOfSearches,
  countsOfActivity,
  requestsOfOrders,
  claimsOfOperators,
  termsOfPrices,
  statementsByKey,
  deletedPartsOfProducts,
  ordersOverMonths,
];
