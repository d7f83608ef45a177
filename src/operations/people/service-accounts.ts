/** `service-accounts`: programs that call operations without a person. docs/operators/people.md. */
import { serviceAccountStates } from '../../data/identity/service-accounts';
import { recordOperation } from '../../data/operations/audit';
import { roles } from '../../domain/operations/roles';
import { day } from '../../domain/time';
import { InvalidArgument, option, optionOr, requiredOption, word } from '../arguments';
import { cidrs, count, commaListOf, oneOf, text } from '../kinds';
import { newName } from '../names';
import { operation } from '../operation';

/** The longest life of a token, in days. */
const MAX_DAYS = 366;

const name = word(newName, 'unique name');

const list = operation({
  name: 'service-accounts list',
  about: 'All service accounts, with their last use',
  roles: [],
  effect: 'reads',
  arguments: {
    state: option(
      oneOf('state', serviceAccountStates),
      'only accounts in this state: active, expired or revoked',
    ),
    role: option(oneOf('role', roles), `only accounts with this role: ${roles.join(', ')}`),
    search: option(text, 'only accounts with this text in the name'),
    after: option(text, 'only accounts behind the one with this id (see --limit), for the next page'),
    limit: option(count, 'maximum number of accounts; default: all'),
  },
  columns: {
    name: 'text',
    role: 'text',
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
      ...{ name: account, role, operations, networks },
      ...{ expires_at: others.expiresAt, last_used_at: others.lastUsedAt, revoked_at: others.revokedAt },
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
  givesAccess: true,
  arguments: {
    name,
    role: requiredOption(oneOf('role', roles), roles.join(', ')),
    operations: requiredOption(
      commaListOf(text),
      'the only operations that it may use, such as "ledger verify,attention"',
    ),
    networks: optionOr(cidrs, '', 'the only networks that it may call from; "" allows every address'),
    days: requiredOption(count, `how long the token is valid, at most ${MAX_DAYS}`),
  },
  async run({ people, database, account: caller }, { name: account, role, operations, networks, days }) {
    if (days > MAX_DAYS) throw new InvalidArgument(`days: Give a whole number from 1 to ${MAX_DAYS}.`);
    const expiresAt = new Date(Date.now() + days * day);
    const added = await people().addServiceAccount({
      ...{ name: account, role, operations, networks, expiresAt, createdBy: caller.accountable },
    });
    await recordOperation(database, {
      ...{ action: 'service_account.created', object: `service_account/${account}` },
      after: { role, operations, networks, expires_at: expiresAt },
    });
    return [{ name: account, role, expires_at: expiresAt, token: added.token }];
  },
});

const revoke = operation({
  name: 'service-accounts revoke',
  about: 'Revoke the token of a service account: its next call is rejected',
  roles: [],
  effect: 'changes',
  arguments: { name },
  async run({ people, database }, { name: account }) {
    await people().revokeServiceAccount(account);
    await recordOperation(database, {
      action: 'service_account.revoked',
      object: `service_account/${account}`,
    });
    return `The service account ${account} is revoked.`;
  },
});

export const serviceAccountOperations = [list, create, revoke];
