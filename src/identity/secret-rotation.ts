/** How the secret of a door is replaced: what an earlier one encrypted is encrypted with the current one. docs/operators/people.md. */
import { createHmac } from 'node:crypto';
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt, type SecretConfig } from 'better-auth/crypto';
import type { Logger } from 'pino';
import type { IdentityPool } from '../data/identity/identity-pool';
import {
  listStoredSecondFactors,
  replaceStoredSecondFactor,
  type StoredSecondFactor,
} from '../data/identity/second-factor-limits';
import type { IdentitySettings } from './settings';

type Secrets = Pick<IdentitySettings, 'secret' | 'previousSecret'>;

/** The secrets for the library, the current one first. Each has a number, which the library writes into what it encrypts. */
export function secretsOf({ secret, previousSecret = secret }: Secrets): { version: number; value: string }[] {
  return [...new Set([secret, previousSecret])].map((value) => ({ version: versionOf(value), value }));
}

/** A number that only this secret has, and that does not change when the settings list another one. */
function versionOf(secret: string): number {
  return createHmac('sha256', secret).update('version').digest().readUInt32BE();
}

/**
 * Encrypts all second factors with the current secret, so that the previous one is needed no longer. Those that neither secret can
 * read stay, and the log names their people.
 */
export async function resealSecondFactors(pool: IdentityPool, settings: Secrets, log: Logger): Promise<void> {
  const secrets: SecretConfig = {
    keys: new Map(secretsOf(settings).map(({ version, value }) => [version, value])),
    currentVersion: versionOf(settings.secret),
  };
  for (const stored of await listStoredSecondFactors(pool)) {
    if (isSealedBy(secrets, stored.secret) && isSealedBy(secrets, stored.backupCodes)) continue;
    const { personId } = stored;
    try {
      await replaceStoredSecondFactor(pool, stored, await resealed(secrets, stored));
      log.info({ person: personId }, 'A second factor is encrypted with the current secret');
    } catch (err) {
      log.error(
        { err, person: personId },
        'A second factor cannot be read: remove it, then its person sets up another one',
      );
    }
  }
}

function isSealedBy({ currentVersion }: SecretConfig, text: string): boolean {
  return parseEnvelope(text)?.version === currentVersion;
}

async function resealed(key: SecretConfig, { secret, backupCodes }: StoredSecondFactor) {
  const again = async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
  return { secret: await again(secret), backupCodes: await again(backupCodes) };
}
