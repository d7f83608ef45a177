/** `service-accounts`: programs that call operations without a person. docs/operators/people.md. */
import { serviceAccountStates } from '../../../data/identity/service-accounts';
import { recordOperation } from '../../../data/audit/audit-entries';
import { roles } from '../../../domain/operators/roles';
import { day } from '../../../domain/time';
import { inTerminal, InvalidArgument, option, optionOr, requiredOption, word } from '../arguments';
import { cidrs, count, commaListOf, oneOf, text } from '../kinds';
import type { Context } from '../context';
import { newName } from '../names';
import { operation } from '../operation';
import { makerOf } from './maker';

/** The longest life of a token, in days. */
const MAX_DAYS = 366;

/** Of an account that existed before owners were stored. Suspend no person to stop it: revoke it. */
const WITHOUT_OWNER = 'without an owner';

const name = word(newName, 'unique name');

const list = operation({
  name: 'service-accounts list',
  about: 'All service accounts, with who made each, and their last use',
  roles: [],
  effect: 'reads',
  arguments: {
    state: option(
      oneOf('state', serviceAccountStates),
      'only accounts in this state: active, asleep (their owner is suspended), expired or revoked',
    ),
    role: option(oneOf('role', roles), `only accounts with this role: ${roles.join(', ')}`),
    search: option(text, 'only accounts with this text in the name'),
    after: inTerminal(
      option(text, 'only accounts behind the one with this id, for the next page'),
      'only accounts behind the one with this id (see --limit), for the next page',
    ),
    limit: option(count, 'maximum number of accounts; default: all'),
  },
  columns: {
    name: 'text',
    role: 'text',
    state: 'text',
    made_by: 'text',
    owner: 'text',
    operations: 'list',
    networks: 'list',
    expires_at: 'time',
    last_used_at: 'time',
    revoked_at: 'time',
    id: 'text',
  },
  async run({ people }, filter) {
    const found = await people().serviceAccounts(filter);
    return found.map(({ name: account, role, operations, networks, ...others }) => ({
      name: account,
      role,
      state: others.state,
      made_by: others.createdBy,
      owner: others.owner ?? WITHOUT_OWNER,
      operations,
      networks,
      expires_at: others.expiresAt,
      last_used_at: others.lastUsedAt,
      revoked_at: others.revokedAt,
      // The id names the last account of a page.
      ...(filter.limit !== undefined && { id: others.id }),
    }));
  },
});

const create = operation({
  name: 'service-accounts create',
  button: 'Create a service account',
  about: 'Add a service account. Its token is shown only now',
  roles: [],
  effect: 'changes',
  arguments: {
    name,
    role: requiredOption(oneOf('role', roles), roles.join(', ')),
    operations: inTerminal(
      requiredOption(commaListOf(text), 'the only operations that it may use, separated by commas'),
      'the only operations that it may use, such as "ledger verify,attention"',
    ),
    networks: inTerminal(
      optionOr(cidrs, '', 'the only networks that it may call from'),
      'the only networks that it may call from; "" allows every address',
    ),
    days: requiredOption(count, `how long the token is valid, at most ${MAX_DAYS}`),
  },
  async run(context, { name: account, role, operations, networks, days }) {
    const { people, database } = context;
    if (days > MAX_DAYS) throw new InvalidArgument(`--days: Give a whole number from 1 to ${MAX_DAYS}.`);
    const expiresAt = new Date(Date.now() + days * day);
    const token = await people().addServiceAccount({
      name: account,
      role,
      operations,
      networks,
      expiresAt,
      createdBy: context.account.accountable,
      ownerId: makerOf(context),
    });
    remarkAccess(context, operations);
    await recordOperation(database, {
      action: 'service_account.created',
      object: `service_account/${account}`,
      after: { role, operations, networks, expires_at: expiresAt },
    });
    return [{ name: account, role, expires_at: expiresAt, token }];
  },
});

/** Remarks the listed operations that no service account may use. */
function remarkAccess({ operationNamed, remark }: Context, listed: readonly string[]): void {
  const refused = listed.filter((one) => operationNamed(one)?.givesAccess === true);
  if (refused.length > 0)
    remark(
      `No service account may use operations that give access, because it has no second factor. Each use is rejected: ${refused.join(', ')}.`,
    );
}

const revoke = operation({
  name: 'service-accounts revoke',
  about: 'Revoke the token of a service account: its next call is rejected',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: { name },
  async run({ people, database }, { name: account }) {
    await people().revokeServiceAccount(account);
    await recordOperation(database, { action: 'service_account.revoked', object: `service_account/${account}` });
    return `The service account ${account} is revoked.`;
  },
});

export const serviceAccountOperations = [list, create, revoke];
