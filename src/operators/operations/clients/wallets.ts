/** `wallets`: prepaid money. Every change of a balance is a ledger entry. */
import {
  closeEmptyWallet,
  listOperatedWallets,
  makeDefaultWallet,
  openWallet,
  operatedWallet,
  reopenWallet,
  walletOrders,
  operatedWalletColumns,
} from '../../../data/wallets/operated-wallets';
import { marked } from '../../../data/database/marked-changes';
import { hasReference, postEntry, type EntryInput } from '../../../data/wallets/operated-entries';
import { Exact } from '../../../domain/prices/money';
import { flag, option, optionalWord, optionOr, requiredOption, toggle, word, type ArgumentValues } from '../arguments';
import { assertClient, clientNamed } from '../client-named';
import type { Context } from '../context';
import { client, count, currencyCode, decimal, id, oneOf, positiveDecimal, text } from '../kinds';
import { everyRole, neededReason, operation } from '../operation';
import { tried } from '../tried';
import { creditLimit } from './credit-limit';
import { walletStatement } from './wallet-statement';
import { kindsOf } from '../../../domain/row-columns';

const wallet = word(id, 'id');

export const showWallets = operation({
  name: 'wallets list',
  about: 'Wallets of a client, or all',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    client: optionalWord(client, 'id, name or API key'),
    currency: option(currencyCode, 'only wallets in this currency'),
    closed: toggle('only closed wallets', 'only open wallets'),
    low: flag('only wallets with less available than the threshold of their client'),
    wallet: option(id, 'only this wallet'),
    search: option(text, 'only wallets of clients with this text in the name'),
    sort: optionOr(oneOf('order', walletOrders), 'client', 'client or balance'),
    after: option(id, 'only wallets behind this one, for the next page'),
    limit: option(count, 'maximum number of wallets; default: all'),
  },
  columns: kindsOf(operatedWalletColumns),
  async run({ database }, { client: named, closed, low, ...filter }) {
    const found = named === undefined ? undefined : await clientNamed(database, named);
    return listOperatedWallets(database, { ...filter, clientId: found?.id, isClosed: closed, isLow: low });
  },
});

const open = operation({
  name: 'wallets open',
  button: 'Open a wallet',
  about: "Open a wallet. A client's first wallet is its default",
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { client: word(client, 'id, name or API key'), currency: word(currencyCode, 'ISO 4217 code') },
  check: assertClient,
  async run({ database }, { client: named, currency }) {
    const { id: clientId } = await clientNamed(database, named);
    const opened = await marked(database, ['NEW_WALLET'], () => openWallet(database, clientId, currency));
    return [await operatedWallet(database, opened)];
  },
});

const makeDefault = operation({
  name: 'wallets make-default',
  button: 'Make it the default',
  about:
    'Make the wallet the default of its client, which pays for top-ups and eSIMs in currencies without an open wallet',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { wallet },
  async compared({ database }, { wallet: walletId }) {
    const { client_id: clientId, client: owner } = await operatedWallet(database, walletId);
    const [usual] = await listOperatedWallets(database, { clientId, isDefault: true, sort: 'client' });
    return {
      of: `Client ${owner}`,
      values: { defaultWallet: usual ? `wallet ${usual.id}, ${usual.currency_code}` : null },
    };
  },
  async run({ database }, { wallet: walletId }) {
    const { client_id: clientId } = await operatedWallet(database, walletId);
    await makeDefaultWallet(database, walletId, clientId);
    return [await operatedWallet(database, walletId)];
  },
});

/** The options of a ledger entry. */
const entryOptions = {
  reference: requiredOption(text, 'a unique reference of the entry, such as the number of a bank transfer'),
  remarks: option(text, 'shown to the client'),
  force: flag('accept a reference that moved money in a wallet of another client'),
};

type GivenEntry = ArgumentValues<typeof entryOptions> & { wallet: number; amount: Exact };

function fundingOf({ wallet: walletId, remarks = 'Wallet funding', ...given }: GivenEntry): EntryInput {
  const { amount, reference, force } = given;
  return { walletId, kind: 'FUNDING', type: 'CREDIT', amount, reference, remarks, force };
}

function adjustmentOf({ wallet: walletId, remarks = 'Adjustment', ...given }: GivenEntry): EntryInput {
  const { amount: signed, reference, force } = given;
  const [type, amount] = [signed.isNegative() ? 'DEBIT' : 'CREDIT', signed.abs()] as const;
  return { walletId, kind: 'ADJUSTMENT', type, amount, reference, remarks, force };
}

const fund = operation({
  name: 'wallets fund',
  about: 'Credit received money. Repeated with the same reference, it changes nothing',
  roles: ['finance'],
  effect: 'money',
  approval: 'FUND',
  arguments: { wallet, amount: word(positiveDecimal, "in the wallet's currency"), ...entryOptions },
  trial: 'PREVIEW',
  check: assertOpen,
  preview: (context, values) => effectOf(context, fundingOf(values)),
  basis: basisOf,
  run: (context, values) => post(context, fundingOf(values)),
});

const adjust = operation({
  name: 'wallets adjust',
  about: 'Correct a balance. Repeated with the same reference, it changes nothing',
  roles: ['finance'],
  effect: 'money',
  approval: 'ADJUST',
  arguments: {
    wallet,
    amount: word(decimal, 'positive to credit, negative to debit, such as -5.00'),
    ...entryOptions,
    reason: neededReason,
  },
  trial: 'PREVIEW',
  check: assertOpen,
  preview: (context, values) => effectOf(context, adjustmentOf(values)),
  basis: basisOf,
  run: (context, values) => post(context, adjustmentOf(values)),
});

/** Throws if the wallet does not exist or is closed. A repeated entry is of an open wallet, or was posted before. */
async function assertOpen(
  { database }: Context,
  { wallet: walletId, reference }: { wallet?: number; reference?: string },
) {
  if (walletId === undefined) return;
  const { closed_at: closed } = await operatedWallet(database, walletId);
  if (closed === null || (reference !== undefined && (await hasReference(database, walletId, reference)))) return;
  throw new Error(`Wallet ${walletId} is closed. Reopen it with \`wallets reopen ${walletId}\`, then retry.`);
}

/** What a ledger entry does. Throws if it cannot be posted. */
async function effectOf(context: Context, entry: EntryInput): Promise<string> {
  const { walletId, type, amount, reference } = entry;
  const found = await operatedWallet(context.database, walletId);
  const { client: owner, currency_code: currency, balance } = found;
  const posted = await tried(context, ({ database }) => postEntry(database, entry));
  const holds = `which holds ${new Exact(balance).toFixed()}`;
  if (posted.repeated)
    return `Nothing changes: wallet ${walletId} of ${owner}, ${holds} ${currency}, has the entry with the reference ${reference} already.`;
  return (
    `${type === 'DEBIT' ? 'Debits' : 'Credits'} ${amount.toFixed()} ${currency} in wallet ${walletId} of ` +
    `${owner}, ${holds} ${currency} and will hold ${new Exact(posted.balanceAfter).toFixed()} ${currency}.`
  );
}

/** The wallet without its balance, and whether the reference has moved money in it. */
async function basisOf(
  { database }: Pick<Context, 'database'>,
  { wallet: walletId, reference }: { wallet: number; reference: string },
): Promise<string> {
  const { client_id: owner, currency_code: currency, closed_at: closed } = await operatedWallet(database, walletId);
  const isPosted = await hasReference(database, walletId, reference);
  return JSON.stringify({ owner, currency, isOpen: closed === null, isPosted });
}

async function post({ database }: Pick<Context, 'database'>, entry: EntryInput) {
  const posted = await postEntry(database, entry);
  return [
    {
      wallet_id: entry.walletId,
      transaction_id: posted.transactionId,
      type: entry.type,
      amount: entry.amount.toFixed(),
      balance_after: posted.balanceAfter,
      outcome: posted.repeated ? 'posted before, nothing changed' : 'posted',
    },
  ];
}

const close = operation({
  name: 'wallets close',
  about: 'Close an empty wallet. It then accepts no entries',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { wallet },
  async preview({ database }, { wallet: walletId }) {
    const {
      client: owner,
      currency_code: currency,
      balance,
      is_default: isDefault,
    } = await operatedWallet(database, walletId);
    const consequence = isDefault
      ? " It is the client's default: orders that name no wallet fail until you make another one the default."
      : '';
    return `Closes wallet ${walletId} of ${owner}, which holds ${new Exact(balance).toFixed()} ${currency}.${consequence}`;
  },
  async run({ database }, { wallet: walletId }) {
    await closeEmptyWallet(database, walletId);
    const closed = await operatedWallet(database, walletId);
    if (!closed.closed_at)
      throw new Error(
        `Wallet ${walletId} holds ${closed.balance} ${closed.currency_code}: ${closed.balance.startsWith('-') ? 'fund' : 'adjust'} it to 0 first`,
      );
    return [closed];
  },
});

const reopen = operation({
  name: 'wallets reopen',
  about: 'Open a closed wallet again. All refunds that wait for it are credited at once',
  roles: ['finance'],
  effect: 'money',
  isUnasked: true,
  arguments: { wallet },
  trial: 'PREVIEW',
  async preview(context, { wallet: walletId }) {
    const before = await operatedWallet(context.database, walletId);
    const { balance } = await tried(context, async ({ database }) => {
      await reopenWallet(database, walletId);
      return operatedWallet(database, walletId);
    });
    const { client: owner, currency_code: currency, closed_at: closed } = before;
    const [holds, willHold] = [before.balance, balance].map((amount) => new Exact(amount).toFixed());
    const what = `wallet ${walletId} of ${owner}, which holds ${holds} ${currency}`;
    if (holds !== willHold)
      return `Opens ${what}. With the refunds that wait for it, it will hold ${willHold} ${currency}.`;
    return closed === null ? `Nothing changes: ${what}, is open.` : `Opens ${what}. No refund waits for it.`;
  },
  async run({ database }, { wallet: walletId }) {
    await reopenWallet(database, walletId);
    return [await operatedWallet(database, walletId)];
  },
});

export const walletOperations = [
  open,
  makeDefault,
  fund,
  adjust,
  creditLimit,
  close,
  reopen,
  walletStatement,
  showWallets,
];
