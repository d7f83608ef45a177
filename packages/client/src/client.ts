/** The entry point of the library. */
import { Api } from './api.ts';
import { Activity, AllowedNetworks, ApiKeys, Members, Recipients } from './resources/access.ts';
import { Claims } from './resources/claims.ts';
import { Esim } from './resources/esim.ts';
import { Funding, Statements, Transactions, Wallets } from './resources/money.ts';
import { Prices } from './resources/prices.ts';
import { Reference } from './resources/reference.ts';
import { Sandbox } from './resources/sandbox.ts';
import { Topups } from './resources/topups.ts';
import { Vouchers } from './resources/vouchers.ts';
import { Webhooks } from './resources/webhooks.ts';
import { Transport, type Settings } from './transport.ts';

/** A client of the service. It logs in with the first call and renews its session. Create one and reuse it. */
export class DigitalGoods {
  readonly vouchers: Vouchers;
  readonly topups: Topups;
  readonly esim: Esim;
  readonly prices: Prices;
  readonly claims: Claims;
  readonly wallets: Wallets;
  readonly funding: Funding;
  readonly transactions: Transactions;
  readonly statements: Statements;
  readonly reference: Reference;
  readonly webhooks: Webhooks;
  readonly apiKeys: ApiKeys;
  readonly allowedNetworks: AllowedNetworks;
  readonly members: Members;
  readonly recipients: Recipients;
  readonly activity: Activity;
  readonly sandbox: Sandbox;

  constructor(settings: Settings) {
    const api = new Api(new Transport(settings));
    this.vouchers = new Vouchers(api);
    this.topups = new Topups(api);
    this.esim = new Esim(api);
    this.prices = new Prices(api);
    this.claims = new Claims(api);
    this.wallets = new Wallets(api);
    this.funding = new Funding(api);
    this.transactions = new Transactions(api);
    this.statements = new Statements(api);
    this.reference = new Reference(api);
    this.webhooks = new Webhooks(api);
    this.apiKeys = new ApiKeys(api);
    this.allowedNetworks = new AllowedNetworks(api);
    this.members = new Members(api);
    this.recipients = new Recipients(api);
    this.activity = new Activity(api);
    this.sandbox = new Sandbox(api);
  }
}
