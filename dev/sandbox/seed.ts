/**
 * Creates the demo data of a sandbox: catalogue, rates, clients with keys and funded wallets.
 * Existing clients, wallets and rates are kept, so that a second run changes nothing.
 */
import { readFileSync } from 'node:fs';
import type { Database } from '../../src/data/database/database';
import { postEntry } from '../../src/data/wallets/operated-entries';
import { storeSpendRule } from '../../src/data/orders/stored-spend-rules';
import { held } from '../simulator/sandbox-scenarios';
import { accountModels, type WalletRow } from '../../src/data/clients/accounts';
import { clientPricingModels } from '../../src/data/prices/pricing-settings';
import { scopes } from '../../src/domain/clients/scopes';
import { Exact } from '../../src/domain/prices/money';
import { checkedCatalogue } from '../../src/operators/operations/catalogue/catalogue-file';
import { importCatalogue } from '../../src/operators/operations/catalogue/import-catalogue';
import { hashApiSecret } from '../../src/security/api-secrets';
import type { KeyRing } from '../../src/security/key-ring';
import { clients as demoClients, forexRates } from './clients';
import { scenarios, type ProductIds } from './scenarios';
import type { DemoClient, DemoClientName, DemoForexRate, Scenario } from './types';
import catalogue from './catalogue.json';

/** The credentials of each demo client. */
export type Credentials = Readonly<Record<DemoClientName, { api_key: string; api_secret: string }>>;

/** The output of the seeding: the data part of `stack.json`. */
export interface DemoData {
  clients: Record<string, object>;
  scenarios: Scenario[];
}

/** Reads a credentials file: `{"demo": {"api_key": "...", "api_secret": "..."}, ...}`. */
export function readCredentials(path: string): Credentials {
  const credentials = JSON.parse(readFileSync(path, 'utf8')) as Credentials;
  for (const { key } of demoClients) {
    if (!credentials[key]?.api_key || !credentials[key].api_secret) {
      throw new Error(`${path} lacks api_key and api_secret of "${key}"`);
    }
  }
  return credentials;
}

/** The token of the local admin that an earlier start has kept in the file. */
export function readOperatorToken(path: string): string | undefined {
  return (JSON.parse(readFileSync(path, 'utf8')) as { operator_token?: string }).operator_token;
}

/** Seeds a migrated database with reference data. */
export async function seedDemo(
  database: Database,
  keyRing: KeyRing,
  suppliers: ReadonlyMap<string, unknown>,
  credentials: Credentials,
): Promise<DemoData> {
  const productId = await seedProducts(database, suppliers, catalogue, 'dev/sandbox/catalogue.json');
  await seedRates(database);
  const clientId = await seedClients(database, keyRing, credentials);
  await seedClientPricing(database, clientId, productId);
  await seedSpendRule(database, productId);
  const wallets = await seedWallets(database, clientId);
  const views = demoClients.map(({ key }): [string, object] => {
    const id = clientId(key);
    const own = wallets.filter((wallet) => wallet.clientId === id);
    return [key, { client_id: id, ...credentials[key], wallets: own.map(walletView) }];
  });
  return { clients: Object.fromEntries(views), scenarios: scenarios(productId) };
}

/** Imports a catalogue. Throws if one of its products is rejected. */
export async function seedProducts(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  content: unknown,
  path: string,
): Promise<ProductIds> {
  const report = await importCatalogue(database, suppliers, checkedCatalogue(content, path));
  const ids = new Map<string, number>();
  for (const { sku, productId, problem } of report) {
    if (productId === null) throw new Error(`Demo product ${sku}: ${problem}`);
    ids.set(sku, productId);
  }
  return (sku) => ids.get(sku) ?? missing(`demo product ${sku}`);
}

async function seedRates(database: Database): Promise<void> {
  const { forexRates: rates, fees } = clientPricingModels(database);
  const pair = ({ from, to }: DemoForexRate) => ({ sourceCurrency: from, destinationCurrency: to });
  await rates.bulkCreate(
    forexRates.map((forex) => ({ ...pair(forex), rate: forex.rate })),
    { ignoreDuplicates: true },
  );
  await fees.bulkCreate(
    forexRates.map((forex) => ({ ...pair(forex), family: 'VOUCHER' as const, feePercent: forex.voucherFeePercent })),
    { ignoreDuplicates: true },
  );
}

/** Orders of one denomination are always held, so that clients can rehearse a review. */
async function seedSpendRule(database: Database, productId: ProductIds): Promise<void> {
  await storeSpendRule(database, {
    kind: 'DENOMINATION',
    clientId: null,
    maxOrders: null,
    maxAmount: null,
    currency: null,
    family: 'VOUCHER',
    productId: productId(held.sku),
    denomination: String(held.denomination),
    reviewHours: 24,
  });
}

type ClientIds = (key: DemoClientName) => number;

async function seedClients(database: Database, keyRing: KeyRing, credentials: Credentials): Promise<ClientIds> {
  const { clients } = accountModels(database);
  const stored = await clients.findAll({ where: { isDemo: true } });
  const absent = demoClients.filter(({ name }) => !stored.some((client) => client.name === name));
  const added = await clients.bulkCreate(absent.map(clientColumns), {
    fields: ['name', 'contactEmail', 'features', 'allowedCidrs', 'bulkLimit', 'rateLimits', 'isDemo'],
  });
  const ids = new Map([...stored, ...added].map(({ name, id }) => [name, id]));
  const clientId = (key: DemoClientName) =>
    ids.get(demoClients.find((client) => client.key === key)?.name ?? '') ?? missing(`demo client ${key}`);
  await seedKeys(database, keyRing, credentials, clientId);
  return clientId;
}

async function seedKeys(
  database: Database,
  keyRing: KeyRing,
  credentials: Credentials,
  clientId: ClientIds,
): Promise<void> {
  const { apiKeys } = accountModels(database);
  const wanted = demoClients.map(({ key }) => ({
    clientId: clientId(key),
    apiKey: credentials[key].api_key,
    ...hashApiSecret(keyRing, { apiKey: credentials[key].api_key, secret: credentials[key].api_secret }),
    scopes: [...scopes],
  }));
  const stored = await apiKeys.findAll({ where: { apiKey: wanted.map(({ apiKey }) => apiKey) } });
  await apiKeys.bulkCreate(
    wanted.filter(({ apiKey }) => !stored.some((row) => row.apiKey === apiKey)),
    { fields: ['clientId', 'apiKey', 'secretHash', 'hashKeyId', 'scopes'] },
  );
}

function clientColumns({ key, name, features, allowedCidrs, bulkLimit, rateLimits }: DemoClient) {
  return {
    name,
    contactEmail: `${key}@client.example`,
    features: (['vouchers', 'topups', 'esim'] as const).filter((feature) => features[feature]),
    allowedCidrs,
    bulkLimit,
    rateLimits,
    isDemo: true,
  };
}

async function seedClientPricing(database: Database, clientId: ClientIds, productId: ProductIds): Promise<void> {
  const { discounts, blacklist } = clientPricingModels(database);
  const voucher = (key: DemoClientName, sku: string) => ({
    clientId: clientId(key),
    family: 'VOUCHER' as const,
    productId: productId(sku),
  });
  await discounts.bulkCreate(
    demoClients.flatMap(({ key, voucherDiscounts }) =>
      voucherDiscounts.map(({ sku, percent }) => ({ ...voucher(key, sku), discountPercent: percent })),
    ),
    { ignoreDuplicates: true },
  );
  await blacklist.bulkCreate(
    demoClients.flatMap(({ key, blacklistedSkus }) => blacklistedSkus.map((sku) => voucher(key, sku))),
    { ignoreDuplicates: true },
  );
}

/** Opens and funds the wallets; returns those of all demo clients. */
async function seedWallets(database: Database, clientId: ClientIds): Promise<WalletRow[]> {
  const { wallets } = accountModels(database);
  const stored = await wallets.findAll({
    where: { clientId: demoClients.map(({ key }) => clientId(key)) },
    order: ['id'],
  });
  for (const { key, wallets: wanted } of demoClients) {
    for (const { currencyCode, isDefault, funds } of wanted) {
      const owner = { clientId: clientId(key), currencyCode };
      const known = stored.find((row) => row.clientId === owner.clientId && row.currencyCode === currencyCode);
      const wallet = known ?? (await wallets.create({ ...owner, isDefault }));
      if (!known) stored.push(wallet);
      await fund(database, wallet, funds);
    }
  }
  return stored;
}

async function fund(database: Database, wallet: WalletRow, funds: string): Promise<void> {
  await postEntry(database, {
    walletId: wallet.id,
    kind: 'FUNDING',
    type: 'CREDIT',
    amount: new Exact(funds),
    reference: 'demo-funds',
    force: true,
    remarks: 'Demo funds',
  });
}

function walletView({ id, currencyCode, isDefault }: WalletRow) {
  return { id, currency_code: currencyCode, is_default: isDefault };
}

function missing(what: string): never {
  throw new Error(`The database lost the ${what} while it was seeded`);
}
