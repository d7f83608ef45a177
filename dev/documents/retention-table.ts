/** What is kept where and how long: the list of docs/operators/maintenance.md#retention. Its times are those of `src/data/maintenance/retention.ts`. */
import { retention } from '../../src/data/maintenance/retention';

type Name = keyof typeof retention;

interface Kept {
  rows: string;
  /** The retention that deletes the rows; absent if none of `retention` does. */
  by?: Name;
  /** How long they are kept. `time`: the retention in words. */
  kept: (time: string) => string;
}

const always = (text: string) => () => text;

export const keptRows: readonly Kept[] = [
  {
    rows: 'refresh tokens',
    by: 'expiredRefreshToken',
    kept: (time) =>
      `until ${time} after they expire; their session (\`token_families\`) until its last token is deleted`,
  },
  {
    rows: 'decided order reservations (`order_reservations`), without a recipient',
    by: 'decidedReservation',
    kept: (time) => `${time}, and while their order is open or its email is due`,
  },
  { rows: 'the `Idempotency-Key` of an order request', by: 'idempotencyKey', kept: (time) => time },
  {
    rows: 'in a sandbox, the order requests for which a client rehearsed a fault (`sandbox_faults`)',
    by: 'sandboxFault',
    kept: (time) => time,
  },
  { rows: 'counts for daily caps (`daily_orders`)', kept: always('today and yesterday (UTC); a cap uses only today') },
  { rows: 'events with their deliveries and attempts', kept: always('90 days, or `EVENT_RETENTION_DAYS`') },
  { rows: 'records of disabled endpoints', kept: always('as long as events, and while their mail is due') },
  {
    rows: 'events that redeliveries and replays sent again (`webhook_resends`)',
    by: 'webhookResend',
    kept: (time) => time,
  },
  {
    rows: 'webhook endpoints that their client deleted',
    by: 'deletedEndpoint',
    kept: (time) =>
      `at least ${time}, and while they are on the attention list, have a record of a disabling, or have deliveries of other events than \`webhook.test\``,
  },
  {
    rows: 'deliveries of `webhook.test` to a deleted endpoint',
    kept: always('as long as the endpoint; their attempts as long as events'),
  },
  { rows: 'settled rows of the attention list, with their notes', by: 'clearedAttention', kept: (time) => time },
  {
    rows: 'counts of order requests that got 503 or 504 (`order_rejections`)',
    by: 'orderRejection',
    kept: (time) => time,
  },
  {
    rows: 'price quotes and order requests that no source could serve with the minimum margin (`margin_rejections`)',
    by: 'marginRejection',
    kept: (time) => time,
  },
  { rows: 'counts of orders that ended (`order_results`)', kept: always('26 hours') },
  { rows: 'our costs at suppliers (`supplier_sales`)', kept: always('7 days') },
  {
    rows: 'sums of what one operator moved (`counted_operations`)',
    by: 'countedOperation',
    kept: (time) => `${time}; rules of approval count 24 hours`,
  },
  {
    rows: 'texts and payers of entries of our banks (`bank_entries`), sealed',
    by: 'endedBankText',
    kept: (time) => `${time} after they are credited or ignored`,
  },
  {
    rows: 'files of the feed of rates (`fetched_rates`)',
    by: 'fetchedRates',
    kept: (time) => `${time}; steps of the feed are compared with the file of 30 days before`,
  },
  { rows: 'audit entries (`audit_entries`), sign-ins of clients included', kept: always('at least 400 days') },
  {
    rows: 'due mails about changed keys, networks, members and endpoints, and invitations (`access_mails`)',
    kept: always('until sent, for a day'),
  },
  { rows: "the log of clients' API requests (`api_requests`)", by: 'apiRequest', kept: (time) => time },
  {
    rows: 'the running processes with their keys (`running_processes`)',
    by: 'silentProcess',
    kept: (time) => `until the process stops; after a crash, for ${time}`,
  },
  {
    rows: 'the recipient of an order, raw responses of suppliers, the text of a claim, and reasons and notes about an order (`order_texts`), all sealed',
    kept: always('until they are [erased](privacy.md)'),
  },
  {
    rows: 'the text of a client in a funding request, sealed',
    by: 'purchaseOrder',
    kept: (time) => `${time} after its end`,
  },
  {
    rows: 'requests about recipients (`privacy_requests`), erased orders (`order_erasures`)',
    kept: always('forever, with a keyed hash of the recipient'),
  },
  {
    rows: 'the file of a proposed operation (`approval_proposals`), sealed',
    kept: always(
      'until the proposal is decided or expires, or the recipient of an order is [erased](privacy.md) about which the file has a note',
    ),
  },
  { rows: 'proposed operations, without their files, sealed', kept: always('forever') },
  {
    rows: "orders, ledger, funding requests, purchases, goods, quarantined goods, differences from suppliers' statements, books",
    kept: always('forever'),
  },
];

/** The time in words: `7 days`, `a day`, `an hour`. */
function timeOf(name: Name): string {
  const [, count = '', unit = ''] = /^interval '(\d+) (\w+?)s?'$/.exec(retention[name]) ?? [];
  if (count !== '1') return `${count} ${unit}s`;
  return unit === 'hour' ? 'an hour' : `a ${unit}`;
}

/** The list as Markdown. */
export function retentionList(): string {
  return keptRows.map(({ rows, by, kept }) => `- ${rows}: ${kept(by ? timeOf(by) : '')}`).join('\n');
}
