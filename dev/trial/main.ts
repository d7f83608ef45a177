/**
 * `npm run suppliers:try`, `service try-supplier`: tries a supplier's promises with real credentials and real money. Exits with 1 if
 * an observation contradicts the adapter. docs/operators/suppliers.md.
 */
import { loadSuppliersConfig, type Config } from '../../src/settings/config';
import { minute } from '../../src/domain/time';
import { stateOfOneProcess } from './state-of-one-process';
import { requireSupplier } from '../../src/domain/suppliers/configured-suppliers';
import { suppliersFrom } from '../../src/suppliers/registry';
import { demandOwnHost, readOptions } from './options';
import { compare, tableOf } from './report';
import { tryOut, type Observation } from './trial';

const times = { lookEveryMs: 250, concludedWithinMs: 10 * minute };

async function main(): Promise<void> {
  const { supplier: name, goods, account, isRecord } = readOptions(process.argv.slice(2));
  const config = loadSuppliersConfig();
  const supplier = requireSupplier(suppliersFrom(config, stateOfOneProcess), name);
  const hosts = hostsOf(config.suppliers, name);
  if (isRecord) hosts.forEach(demandOwnHost);
  const observations: Observation[] = [];
  for (const one of goods) observations.push(await tryOut(supplier, one, times, console.error));
  const rows = compare(supplier.traits, observations);
  const day = new Date().toISOString().slice(0, 10);
  console.log(`Trial of ${name} at ${hosts.join(' and ')}, ${day}, ${isRecord ? account : 'NO RECORD'}\n`);
  console.log(tableOf(rows));
  if (rows.some(({ isContradiction }) => isContradiction)) process.exitCode = 1;
}

/** The hosts that the supplier's settings name, except that of our own callbacks. */
function hostsOf(suppliers: Config['suppliers'], name: string): string[] {
  const named: Readonly<Record<string, object | undefined>> = { ...suppliers };
  const settings: [string, unknown][] = Object.entries(named[name] ?? {});
  const urls = settings.filter(([key]) => /url$/i.test(key) && key !== 'callbackUrl');
  return [...new Set(urls.map(([, url]) => new URL(String(url)).host))];
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
