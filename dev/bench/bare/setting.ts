/** What client and worker of the bare workflow have in common. */
import { KeyRing } from '../../../src/security/key-ring';
import { readSecretKeys } from '../../../src/security/secret-keys';
import { dataConverter } from '../../../src/temporal/connection';

/** Where the worker of the bare workflow is told what to connect to. */
export interface BareSetting {
  address: string;
  namespace: string;
  /** A key of the benchmark's own, `id:base64`: payloads are encrypted as those of orders are. */
  keys: string;
}

export const bareQueue = 'bench-bare';

export const converterOf = ({ keys }: BareSetting) =>
  dataConverter(new KeyRing({ payload: readSecretKeys(keys) }));
