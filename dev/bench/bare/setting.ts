/** The shared settings of the bare workflow's client and worker. */
import { KeyRing } from '../../../src/security/key-ring';
import { readSecretKeys } from '../../../src/security/key-encryption';
import { dataConverter } from '../../../src/temporal/connection';

/** The variable with the connection of the bare workflow's worker. */
export interface BareSetting {
  address: string;
  namespace: string;
  /** The benchmark's key, `id:base64`. Payloads are encrypted like those of orders. */
  keys: string;
}

export const bareQueue = 'bench-bare';

export const converterOf = ({ keys }: BareSetting) => dataConverter(new KeyRing({ payload: readSecretKeys(keys) }));
