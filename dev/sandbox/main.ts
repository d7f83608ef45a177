/** Creates the demo data of a sandbox and prints it as JSON. The local stack calls it at its start. */
import { loadConfig, loadIdentityConfig } from '../../src/settings/config';
import { ensureDataKeys } from '../../src/data/keys/data-keys';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import { storeScenarios } from '../../src/data/clients/sandbox';
import { migrate } from '../../src/data/schema/migrate';
import { openOperatorsIdentity } from '../../src/identity/operators';
import { createLogger } from '../../src/process/log';
import { sentenceOf } from '../../src/operators/operations/failure';
import { withDatabase } from '../../src/operators/cli/command-resources';
import { LocalKeyEncryption } from '../../src/security/key-encryption';
import { sharedState } from '../../src/ordering/purchasing/shared-tokens-and-turns';
import { Sealer } from '../../src/security/sealing';
import { suppliersFrom } from '../../src/suppliers/registry';
import { ensureRoles, type RoleUrls } from './roles';
import { readCredentials, readOperatorToken, seedDemo } from './seed';
import { seedSupplier } from './suppliers';

async function main(): Promise<void> {
  const config = loadConfig();
  if (config.mode === 'production') throw new Error('Demo data is refused in production: SERVICE_MODE');
  const file = process.env['DEMO_CREDENTIALS_FILE'];
  if (!file) throw new Error("Set DEMO_CREDENTIALS_FILE to the file with the demo clients' credentials");
  const roles = await rolesOf(config.database.url);
  await migrate(config.database.url);
  await withDatabase(config.database.url, async (database) => {
    const encryption = new LocalKeyEncryption(config.secretKeys);
    await ensureDataKeys(database, encryption);
    const keyRing = await loadKeyRing(database, encryption);
    const storage = { database, sealer: () => new Sealer(keyRing) };
    const suppliers = suppliersFrom(config, (name) => sharedState(storage, name));
    const seeded = await seedDemo(database, keyRing, suppliers, readCredentials(file));
    const scenarios = [...seeded.scenarios];
    for (const path of supplierFiles()) scenarios.push(...(await seedSupplier(database, suppliers, path)));
    await storeScenarios(database, scenarios);
    const operator = await localOperator(readOperatorToken(file));
    console.log(JSON.stringify({ ...seeded, scenarios, roles, operator }));
  });
}

/** The local admin of the operators' process: a token for the ops CLI, and a link to sign in. */
async function localOperator(earlier: string | undefined) {
  // The output of the seeding is its result.
  const log = createLogger('operators', 'silent');
  const identity = await openOperatorsIdentity(loadIdentityConfig(), { log });
  try {
    const { localAdmin } = identity;
    if (!localAdmin) throw new Error('Only a sandbox has a local admin');
    return { token: await localAdmin.token(earlier), signInLink: await localAdmin.signInLink() };
  } finally {
    await identity.close();
  }
}

/** The files of `DEMO_SUPPLIERS`, separated by commas. */
function supplierFiles(): string[] {
  return (process.env['DEMO_SUPPLIERS'] || undefined)?.split(',') ?? [];
}

/** The programs' database roles that have passwords. */
async function rolesOf(url: string): Promise<RoleUrls | undefined> {
  const {
    SERVICE_ROLE_PASSWORD: service,
    OPERATOR_ROLE_PASSWORD: operator,
    RETENTION_ROLE_PASSWORD: retention,
    OPERATOR_IDENTITY_ROLE_PASSWORD: operatorIdentity,
    MEMBER_IDENTITY_ROLE_PASSWORD: memberIdentity,
  } = process.env;
  if (!service || !operator || !retention || !operatorIdentity || !memberIdentity) return undefined;
  return ensureRoles(url, { service, operator, retention, operatorIdentity, memberIdentity });
}

main().catch((error: unknown) => {
  console.error(sentenceOf(error));
  process.exitCode = 1;
});
