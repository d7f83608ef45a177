/** Every route of the service. */
import type { Family } from '../domain/orders/families';
import { memberRoutes } from './access/member-routes';
import { accessRoutes } from './access/routes';
import { authRoutes } from './auth/routes';
import { consoleDataRoutes } from './console/data-routes';
import { consoleAccessRoutes } from './console/access-routes';
import { consoleAccountRoutes } from './console/account-routes';
import { consoleMemberRoutes } from './console/member-routes';
import { consolePriceRoutes } from './console/price-routes';
import { consoleRequestLogRoutes } from './console/request-log-routes';
import { consoleRoutes } from './console/routes';
import { consoleSessionRoutes } from './console/session-routes';
import { consoleSummaryRoutes } from './console/summary-routes';
import { consoleWebhookRoutes } from './console/webhook-routes';
import { claimRoutes } from './claims/routes';
import type { Dependencies } from './dependencies';
import { esimCatalogueRoutes } from './esim/catalogue-routes';
import { esimOrderRoutes } from './esim/order-routes';
import { fundingRoutes, sandboxFundingRoutes } from './funding/routes';
import { guideRoutes } from './guides/routes';
import { nameUnknownParameters } from './middleware/unknown-parameters';
import { documentRoutes, referencePageRoutes } from './openapi/routes';
import { priceListRoutes } from './price-list/routes';
import { privacyRoutes } from './privacy/routes';
import { probeRoutes } from './probes/routes';
import { referenceRoutes } from './reference/routes';
import { pictureRoutes } from './sandbox/picture-routes';
import { sandboxRoutes, type SandboxRouteDependencies } from './sandbox/routes';
import { sequence, type BoundRoute } from './server/dispatch';
import { boundRoutes, type ApiRoute, type ApiRoutes, type Routes } from './server/route';
import { statementRoutes } from './statements/routes';
import { supplierProbes, supplierRoutes } from './suppliers/routes';
import { topupCatalogueRoutes } from './topups/catalogue-routes';
import { topupOrderRoutes } from './topups/order-routes';
import { transactionRoutes } from './transactions/routes';
import { voucherCatalogueRoutes } from './vouchers/catalogue-routes';
import { voucherOrderRoutes } from './vouchers/order-routes';
import { conversionRoutes } from './wallets/conversion-routes';
import { walletRoutes } from './wallets/routes';
import { webhookEndpointRoutes } from './webhooks/endpoint-routes';
import { webhookEventRoutes } from './webhooks/event-routes';

const ofFamilies: Readonly<Record<Family, ApiRoutes>> = {
  VOUCHER: { ...voucherCatalogueRoutes, ...voucherOrderRoutes },
  TOPUP: { ...topupCatalogueRoutes, ...topupOrderRoutes },
  ESIM: { ...esimCatalogueRoutes, ...esimOrderRoutes },
};

/** The routes that the OpenAPI document describes, in its order. */
export const apiOperations: ApiRoutes<SandboxRouteDependencies> = {
  ...authRoutes,
  ...ofFamilies.VOUCHER,
  ...ofFamilies.TOPUP,
  ...ofFamilies.ESIM,
  ...priceListRoutes,
  ...claimRoutes,
  ...walletRoutes,
  ...fundingRoutes,
  ...conversionRoutes,
  ...transactionRoutes,
  ...statementRoutes,
  ...accessRoutes,
  ...memberRoutes,
  ...privacyRoutes,
  ...referenceRoutes,
  ...webhookEndpointRoutes,
  ...webhookEventRoutes,
  ...sandboxRoutes,
  ...probeRoutes,
  ...documentRoutes(() => apiOperations),
  ...supplierRoutes,
};

/** The routes that the document leaves out: the pages of the service, and probes of suppliers. */
export const undocumentedRoutes: Routes = {
  ...referencePageRoutes,
  ...guideRoutes,
  ...consoleRoutes,
  ...consoleSessionRoutes,
  ...consoleAccessRoutes,
  ...consoleMemberRoutes,
  ...consoleAccountRoutes,
  ...consoleDataRoutes,
  ...consolePriceRoutes,
  ...consoleRequestLogRoutes,
  ...consoleWebhookRoutes,
  ...consoleSummaryRoutes,
  ...pictureRoutes,
  ...supplierProbes,
};

/**
 * The routes with their handlers. The paths of the sandbox are unknown in production, and those of funding requests without a bank
 * account.
 */
export function boundRoutesOf(deps: Dependencies): BoundRoute[] {
  const { sandboxControls, config } = deps;
  const ofFunding = { ...fundingRoutes, ...sandboxFundingRoutes };
  const unknown = config.funding.bankAccounts.size === 0 ? ofFunding : {};
  const known = <Needs>(routes: Routes<Needs>, others: object): Routes<Needs> =>
    Object.fromEntries(Object.entries(routes).filter(([name]) => !(name in unknown || name in others)));
  const routes = { ...apiOperations, ...undocumentedRoutes };
  if (sandboxControls) {
    const operations = Object.entries(apiOperations).map(([name, route]) => [name, withHint(route)] as const);
    const hinted = { ...routes, ...Object.fromEntries(operations) };
    return boundRoutes(known(hinted, {}), { ...deps, sandboxControls });
  }
  return boundRoutes(known(routes, { ...sandboxRoutes, ...pictureRoutes }) as Routes, deps);
}

/** The route with a hint at the parameters and keys of a call that it ignores. */
function withHint<Needs>(route: ApiRoute<Needs>): ApiRoute<Needs> {
  const hint = nameUnknownParameters(route);
  return { ...route, handler: (deps) => sequence([hint, route.handler(deps)]) };
}
