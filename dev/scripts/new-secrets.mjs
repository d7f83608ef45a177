/** The secrets of a new installation, by the names of their settings, without characters that a URL or a file of settings would change. */
import { randomBytes } from 'node:crypto';

/** Returns other values at each call. */
export function newSecrets() {
  return {
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SIMULATOR_SECRET: secret(),
    OPS_IDENTITY_SECRET: secret(),
    MEMBER_IDENTITY_SECRET: secret(),
    ...Object.fromEntries(
      ['POSTGRES', 'OWNER', 'SERVICE', 'OPERATOR', 'RETENTION', 'OPERATOR_IDENTITY', 'MEMBER_IDENTITY', 'TEMPORAL'].map(
        (role) => [`${role}_PASSWORD`, secret()],
      ),
    ),
  };
}

const secret = () => randomBytes(24).toString('hex');
