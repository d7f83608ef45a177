/** Puts the demo data of a sandbox in place and prints it as JSON: called by the local stack when it starts. */
import { loadConfig } from '../../src/config';
import { ensureDataKeys } from '../../src/data/keys/data-keys';
import { loadKeyRing } from '../../src/data/keys/loaded-keys';
import { migrate } from '../../src/data/schema/migrate';
import { ensureRoles, type RoleUrls } from '../../src/data/schema/roles';
import { loadReferenceData } from '../../src/data/schema/reference-data';
import { sentenceOf } from '../../src/ops/problems';
import { withDatabase } from '../../src/ops/session';
import { LocalKeyEncryption } from '../../src/security/key-encryption';
import { suppliersFrom } from '../../src/suppliers/registry';
import { readCredentials, seedDemo } from './seed';

async function main(): Promise<void> {
  const config = loadConfig();
  if (config.mode === 'production') throw new Error('Demo data is refused in production: SERVICE_MODE');
  const file = process.env['DEMO_CREDENTIALS_FILE'];
  if (!file) throw new Error("Set DEMO_CREDENTIALS_FILE to the file with the demo clients' credentials");
  const roles = await rolesOf(config.database.url);
  await migrate(config.database.url);
  await withDatabase(async (database) => {
    await loadReferenceData(database);
    const encryption = new LocalKeyEncryption(config.secretKeys);
    await ensureDataKeys(database, encryption);
    const keyRing = await loadKeyRing(database, encryption);
    const seeded = await seedDemo(database, keyRing, suppliersFrom(config), readCredentials(file));
    console.log(JSON.stringify({ ...seeded, roles }));
  });
}

/** The roles that the programs log in as, where passwords are given for them. */
async function rolesOf(url: string): Promise<RoleUrls | undefined> {
  const {
    SERVICE_ROLE_PASSWORD: service,
    CODEC_ROLE_PASSWORD: codec,
    RETENTION_ROLE_PASSWORD: retention,
  } = process.env;
  return service && codec && retention ? ensureRoles(url, { service, codec, retention }) : undefined;
}

main().catch((error: unknown) => {
  console.error(sentenceOf(error));
  process.exitCode = 1;
});
