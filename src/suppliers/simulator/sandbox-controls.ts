/** The simulator's controls that clients of a sandbox use. docs/developers/local-stack.md#controls. */
import { safeText } from '../../domain/safe-text';
import { json } from '../kit/exchange';
import { createHttp } from '../kit/http';
import { MAX_STATUS_BYTES } from '../kit/limits';
import type { SandboxControls } from '../../domain/suppliers/port';
import { SupplierUnavailable } from '../../domain/suppliers/supplier-errors';
import { classify, codes } from './messages';

const TIMEOUT_MS = 5_000;

/** The controls of the simulator at `url`. They need no token. */
export function createSimulatorControls({ url }: { url: string }): SandboxControls {
  const supplier = safeText`simulator`;
  const http = createHttp({ supplier, url, authorization: () => ({}), classify, codes });
  return {
    changeProfile: async (iccid, change, megabytes) => {
      const path = safeText`/control/esims/:iccid/:change`;
      const params = { iccid, change };
      const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_STATUS_BYTES };
      const body = megabytes === undefined ? {} : { body: json({ megabytes }) };
      const answer = await http.call({ method: 'POST', path, params, ...body, ...limits });
      // Such as 404: a simulator whose data are new does not know older profiles.
      if (!answer.ok) throw new SupplierUnavailable(safeText`simulator: ${answer.status} to a control`);
    },
  };
}
