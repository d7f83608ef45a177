/** The simulator's controls, as far as clients of a sandbox have their use. docs/developers/simulator.md. */
import { safeText } from '../../domain/safe-text';
import { MAX_STATUS_BYTES } from '../kit/body';
import { createHttp } from '../kit/http';
import { SupplierUnavailable } from '../port';
import type { Rehearsal } from '../sandbox-controls';
import { codes, readRefusal } from './messages';

const TIMEOUT_MS = 5_000;

/** The controls of the simulator at `url`: they take no token. */
export function createSimulatorRehearsal({ url }: { url: string }): Rehearsal {
  const supplier = safeText`simulator`;
  const http = createHttp({ supplier, url, authorization: () => ({}), readRefusal, codes });
  return {
    changeProfile: async (iccid, change) => {
      const path = safeText`/control/esims/:iccid/:change`;
      const params = { iccid, change };
      const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_STATUS_BYTES };
      const answer = await http.call({ method: 'POST', path, params, ...limits });
      // A simulator that was begun anew knows nothing of older profiles.
      if (!answer.ok) throw new SupplierUnavailable(safeText`simulator: ${answer.status} to a control`);
    },
  };
}
