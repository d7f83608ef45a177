/** Every way by which an operator could lower a price or raise a cost, with its guard (`src/operators/operations/guarded-prices.ts`). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../../src/operators/operations/operations';

/** The operations that set a price or a cost, with the values that their guard compares. */
const guarded: Readonly<Record<string, string>> = {
  'clients set': 'the minimum margins that hold for the client, if its group changes',
  'discounts set': 'the price that the discount leaves',
  'discounts clear': 'the price without the discount',
  'rates set': 'the rate, with the reference rate and the inverse pair',
  'rates remove': 'the rate and its fees',
  'rates follow': 'the rate that the newest file of the feed gives with the spread, like a rate that is set',
  'rates accept': 'every held rate. A person accepts what a file was not allowed to set',
  'rates reference set': 'the reference rate, with its inverse',
  'rates reference import': 'the reference rates of the file, with their inverses',
  'rates reference remove': 'the reference rate',
  'fees set': 'the fee; a first one by the price',
  'margins set': 'the markup and the minimum margin, with the one that it replaces',
  'margins clear': 'the markup and the minimum margin',
  'catalogue import':
    'denominations with their discounts, amounts of variants, costs, redeemable products, the currency of eSIM products, removed parts on sale',
  'catalogue accept':
    'the costs of the sources of the offer; the first prices of a product, with the cost of the offer, and what its SKU had before',
  'catalogue map': 'the cost and the amounts of the source, and whether its product is redeemable',
  'catalogue accept-plan': 'the list price of the plan',
  'sources set':
    'the cost and the amounts of the source, whether it sells the same plan, and whether its product is redeemable',
};

/** The other operations that change something, by the reason why no price falls and no cost rises. */
const unpriced: Readonly<Record<string, readonly string[]>> = {
  'A new client has no prices of its own, and its rates, discounts and margins need no comparison': ['clients create'],
  'The list of a supplier is compared with the accepted one; larger changes wait for `catalogue accept`': [
    'catalogue sync',
    'stock refresh',
    'maintenance run',
    'maintenance pause',
    'maintenance resume',
  ],
  'It chooses among sources whose costs are guarded, above the minimum margin': [
    'suppliers pause',
    'suppliers resume',
    'suppliers alert',
  ],
  'It shows or hides a product at its price': ['blacklist add', 'blacklist remove', 'products stop', 'products resume'],
  'A larger step of a file waits for `rates accept`': ['rates refresh'],
  'The rate stays as it is': ['rates unfollow'],
  'It moves money of a wallet, at no price': [
    'wallets open',
    'wallets make-default',
    'wallets fund',
    'wallets adjust',
    'wallets credit-limit',
    'wallets close',
    'wallets reopen',
    'funding cancel',
    'bank import',
    'bank credit',
    'bank take-back',
    'bank ignore',
  ],
  'Orders, refunds and claims keep the price and the cost with which they were placed': [
    'orders retry',
    'orders cancel',
    'orders release',
    'orders resolve',
    'orders refund',
    'refunds import',
    'refunds pause',
    'refunds resume',
    'mail resend',
    'esims poll',
    'claims open',
    'claims send',
    'claims accept',
    'claims reject',
    'claims credit',
    'claims days',
  ],
  'It carries out an operation with its own guard, or rejects it': ['approvals approve', 'approvals reject'],
  'Each change of a rule but the first is approved itself': ['approval-rules set', 'approval-rules remove'],
  'It changes access, limits, records or mails': [
    'clients cap',
    'clients suspend',
    'clients resume',
    'clients close',
    'clients end-sessions',
    'clients invite-admin',
    'members reinvite',
    'members suspend',
    'members resume',
    'clients unlock-member',
    'members remove',
    'keys create',
    'keys set',
    'keys roll',
    'keys revoke',
    'keys revoke-all',
    'spend-rules set',
    'spend-rules remove',
    'people invite',
    'people withdraw',
    'people set',
    'people suspend',
    'people resume',
    'people unlock',
    'people remove-second-factor',
    'sessions end',
    'service-accounts create',
    'service-accounts revoke',
    'privacy erase',
    'privacy export',
    'attention take',
    'attention release',
    'attention note',
    'attention withdraw-note',
    'attention settle',
    'reconcile',
    'reconcile accept',
    'bank gap accept',
    'settlements import',
    'books close',
    'webhooks retry',
    'webhooks pause',
    'webhooks resume',
    'webhooks replay',
    'webhooks skip',
    'webhooks enable',
    'webhooks disable',
  ],
};

test('When an operation changes something, then this file says how it guards prices, or why it changes none', () => {
  const changing = operations.filter(({ effect }) => effect !== 'reads').map(({ name }) => name);
  const listed = [...Object.keys(guarded), ...Object.values(unpriced).flat()];
  expect(listed.sort()).toEqual(changing.sort());
});

test('When an operation sets a price or a cost, then a large change needs --force, or the second person of a rule', () => {
  const named = operations.filter(({ name }) => name in guarded);
  expect(named.map(({ name, approval, arguments: given }) => [name, approval, 'force' in given])).toEqual(
    named.map(({ name }) => [name, 'PRICE', name !== 'rates accept']),
  );
  expect(operations.filter(({ approval }) => approval === 'PRICE')).toEqual(named);
});

/** The files that mark changes for the trigger `refuse_unguarded_change`, with what limits the change. */
const markers: Readonly<Record<string, string>> = {
  'catalogue/offer-sync.ts': 'the list of a supplier: `judgeOffer` adopts small changes, and holds others',
  'operators/operations/clients/accounts.ts': 'a new client, whose settings need no comparison',
  'operators/operations/clients/credit-limit.ts': 'rules of approval of their own: CREDIT_LIMIT',
  'operators/operations/clients/wallets.ts': 'a new wallet, which is empty',
  'operators/operations/guarded-prices.ts': '`guardPrices`',
  'operators/operations/prices/rate-feed.ts': 'the feed, whose larger steps wait for `rates accept`',
};

test('When a file marks changes of guarded values, then this file says what limits them', () => {
  const folder = join(__dirname, '../../../src');
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'data/database/marked-changes.ts')
    .filter((name) => /marked-changes'|app\.guarded/.test(readFileSync(join(folder, name), 'utf8')));
  expect(found.sort()).toEqual(Object.keys(markers).sort());
});

/** The tables with prices, costs and margins. */
const tables = [
  'client_discounts',
  'forex_rates',
  'reference_rates',
  'conversion_fees',
  'margin_rules',
  'voucher_denominations',
  'topup_variants',
  'esim_variants',
  'product_sources',
];

/** The files with statements that change these tables, with what guards the change. */
const writers: Readonly<Record<string, string>> = {
  'catalogue/catalogue-announcements.ts': 'copies the stock for price lists',
  'catalogue/esim-variants.ts': 'a list of plans: `reasonToHoldPrice`',
  'catalogue/import/listed-source.ts': '`ImportChecks.guard`',
  'catalogue/import/topups.ts': '`ImportChecks.guard`; a variant that the file omits is a removed part',
  'catalogue/import/upsert.ts': '`ImportChecks.guard`',
  'catalogue/import/vouchers.ts': '`ImportChecks.guard`',
  'catalogue/missing-offers.ts': 'only makes sources inactive',
  'catalogue/offer-links.ts': '`mapOffer`, and new products, whose first prices `catalogue accept` compares',
  'catalogue/stored-plan-prices.ts': '`acceptPlanPrice` with a guard; a list only stores what waits',
  'catalogue/plan-sources.ts': 'only makes sources inactive',
  'catalogue/reported-costs.ts': 'a reported cost only counts while it is above the known one',
  'catalogue/source-settings.ts': '`setSource` with a guard',
  'catalogue/stock.ts': 'only the stock',
  'catalogue/supplier-offers.ts': 'a list: `reasonToHold`; a person: `acceptChange` with a guard',
  'maintenance/due-mails.ts': 'only mails that are due',
  'orders/counted-intervals.ts': 'only sums of orders',
  'prices/followed-rates.ts': '`refreshByFeed` for the feed; `guardPrices` for given files, spreads and accepted rates',
  'prices/stored-margin-rules.ts': '`margins set` and `margins clear` with a guard',
  'prices/pricing-settings.ts': '`setPricedValue`',
  'privacy/erasures.ts': 'only texts about recipients',
  'prices/reference-rates.ts': '`rates reference` with a guard',
};

test('When a file changes prices, costs or margins, then this file says what guards the change', () => {
  const folder = join(__dirname, '../../../src/data');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const writes = new RegExp(`(INSERT INTO|UPDATE|DELETE FROM) (${[...tables, '\\$\\{table\\}'].join('|')})(?!\\w)`);
  const found = files
    .filter((name) => !name.startsWith('schema/'))
    .filter((name) => writes.test(readFileSync(join(folder, name), 'utf8')));
  expect(found.sort()).toEqual(Object.keys(writers).sort());
});
