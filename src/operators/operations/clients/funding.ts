/** `funding`: bank transfers that clients have announced. `bank` credits them. */
import { cancelFundingRequest } from '../../../data/funding/funding-requests';
import { listOperatedFunding, operatedFunding, operatedFundingColumns } from '../../../data/funding/operated-funding';
import { fundingStates } from '../../../domain/funding/funding-states';
import { Exact } from '../../../domain/prices/money';
import { option, optionalWord, word } from '../arguments';
import { clientNamed } from '../client-named';
import type { Context } from '../context';
import { client, count, id, oneOf } from '../kinds';
import { everyRole, operation } from '../operation';
import { kindsOf } from '../../../domain/row-columns';

const list = operation({
  name: 'funding list',
  about: 'Funding requests of a client, or all, newest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    client: optionalWord(client, 'id, name or API key'),
    wallet: option(id, 'only requests of this wallet'),
    state: option(oneOf('state', fundingStates), 'only requests in this state'),
    after: option(id, 'only older requests than this one, for the next page'),
    limit: option(count, 'maximum number of requests; default: all'),
  },
  columns: kindsOf(operatedFundingColumns),
  async run({ database }, { client: named, wallet, ...filter }) {
    const found = named === undefined ? undefined : await clientNamed(database, named);
    return listOperatedFunding(database, { ...filter, clientId: found?.id, walletId: wallet });
  },
});

const cancel = operation({
  name: 'funding cancel',
  button: 'Cancel the funding request',
  about: 'Cancel a pending funding request. A transfer that arrives later waits for a person',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { request: word(id, 'id') },
  check: assertPending,
  async preview({ database }, { request }) {
    const { amount, currency, client: owner, wallet_id: wallet } = await operatedFunding(database, request);
    return `Cancels the request of ${owner} for ${new Exact(amount).toFixed()} ${currency} in wallet ${wallet}.`;
  },
  async run({ database }, { request }) {
    if (!(await cancelFundingRequest(database, request))) await assertPending({ database }, { request });
    return [await operatedFunding(database, request)];
  },
});

/** Throws if the request does not exist or is not PENDING any more. */
async function assertPending({ database }: Pick<Context, 'database'>, { request }: { request?: number }) {
  if (request === undefined) return;
  const { state } = await operatedFunding(database, request);
  if (state !== 'PENDING')
    throw new Error(`Funding request ${request} is ${state}: only a PENDING one can be cancelled`);
}

export const fundingOperations = [list, cancel];
