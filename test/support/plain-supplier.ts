/** What tests take for a supplier where its own ways do not matter. */
import type { SupplierTraits } from '../../src/domain/suppliers/port';

export const plainTraits: SupplierTraits = {
  repeatedReference: 'returns-first',
  lookup: 'by-reference',
  lookupConclusiveAfterMs: 0,
  maxUnits: 1,
  concurrency: 'unlimited',
  pushesEsims: false,
};

/** A call that no test expects. */
export const notAsked = () => Promise.reject(new Error('not asked for'));
