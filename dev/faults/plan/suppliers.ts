/** The suppliers of a run: the simulator, and with `--suppliers` the fakes of real ones. */
import { FAKE_NAMES, type FakeName } from '../../stack/fakes';

export type SupplierName = 'simulator' | FakeName;

export const supplierNames: readonly SupplierName[] = ['simulator', ...FAKE_NAMES];
