/** The classes in which requests are counted. docs/specification.md#rate-limits. */
import { families, familyIds } from './families';

export const rateClasses: readonly string[] = [
  'login',
  'refresh',
  'reads',
  ...familyIds.map((id) => families[id].rateClasses.orders),
  ...familyIds.map((id) => families[id].rateClasses.charges),
  // PATCH, webhook and wallet changes.
  'changes',
];
