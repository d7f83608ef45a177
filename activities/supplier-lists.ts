import { log } from '@temporalio/activity';
import { syncBalances, syncStock } from '../src/catalogue/supplier-reports';
import { syncAllOffers } from '../src/catalogue/offer-sync';
import { syncAllVariants } from '../src/catalogue/variant-sync';
import { reviewBalances } from '../src/data/suppliers/supplier-balances';
import { countSupplierSales } from '../src/data/suppliers/supplier-sales';
import { patiently } from './patient-database';
import { runAllSteps } from '../src/async/promises';
import { compareStatements } from '../src/ordering/maintenance/statement-differences';
import type { ActivityDependencies } from './dependencies';

/** The maintenance tasks that read the lists of suppliers. */
export const supplierLists = ({
  database,
  suppliers,
  priceChangeLimitPercent,
  openPatientDatabase,
}: ActivityDependencies) => ({
  /** Stores the stock that suppliers report. */
  refreshStock: () => syncStock(database, suppliers),

  /** Stores our balances at suppliers, and reports low ones on the attention list. */
  refreshBalances: () =>
    runAllSteps(
      () => countSupplierSales(database),
      () => syncBalances(database, suppliers),
      () => reviewBalances(database, [...suppliers.keys()]),
    ),

  /** Stores the eSIM plans that suppliers list. */
  async refreshEsimPlans() {
    const limitPercent = priceChangeLimitPercent;
    await syncAllVariants({ database, suppliers, limitPercent }, (doubted) => {
      log.warn('a supplier lists too few plans: those on sale are kept', { ...doubted });
    });
  },

  /** Stores what suppliers offer. */
  async syncCatalogues() {
    const rules = { limitPercent: priceChangeLimitPercent };
    await syncAllOffers(database, suppliers, rules, (supplier, synced) => {
      if (synced.held > 0 || synced.doubted !== null)
        log.warn('a catalogue needs an operator', { supplier, ...synced });
    });
  },

  /** Compares the statements of suppliers with our purchases, and reports differences. */
  compareStatements: () => patiently({ openPatientDatabase }, (patient) => compareStatements(patient, suppliers)),
});
