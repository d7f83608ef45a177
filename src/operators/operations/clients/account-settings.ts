/** The settings of an account, as `clients create` and `clients set` take them. */
import { canonicalCidr } from '../../../domain/clients/networks';
import { rateClasses } from '../../../domain/clients/rate-classes';
import type { ClientRow } from '../../../data/clients/accounts';
import { InvalidArgument, inTerminal, option, options, toggle, type ArgumentValues } from '../arguments';
import { comparisonText } from '../comparison';
import { bulkLimit, cidrs, featureList, groupName } from '../kinds';
import { changedList } from '../list-changes';
import { rateLimit } from './rate-limit';

/** The settings of `create` and `set`. A rate limit of null resets its class to the default. */
export const accountSettings = {
  features: option(featureList, 'one or more of vouchers,topups,esim'),
  cidrs: inTerminal(
    option(cidrs, 'networks that may create orders'),
    'networks that may create orders; "" allows every address',
  ),
  bulkLimit: option(bulkLimit, 'maximum number of vouchers in one order, 1 to 5000'),
  rateLimit: inTerminal(
    options(rateLimit, 'requests a minute, of each class'),
    `requests per minute, or "default"; classes: ${rateClasses.map(({ name }) => name).join(', ')}`,
  ),
  group: inTerminal(
    option(groupName, 'the group whose margin rules apply to it'),
    'the group whose margin rules apply to it; "" for none',
  ),
  codesInMail: toggle('put voucher codes into notification mails', 'keep voucher codes out of notification mails'),
  conversions: toggle('let the client convert money between its wallets', 'end conversions of the client'),
};

/** What comes to the lists of an account, and what goes. */
export const listParts = {
  addFeatures: option(featureList, 'features to add to those of the account'),
  removeFeatures: option(featureList, 'features to take away'),
  addCidrs: option(cidrs, 'networks to add to those that may create orders'),
  removeCidrs: option(cidrs, 'networks to take away'),
};

type Lists = Pick<ClientRow, 'features' | 'allowedCidrs'>;

/**
 * The lists that change, after the change. Throws `InvalidArgument`, also if a removal would empty the list of networks, which would then
 * allow every address.
 */
export function changedLists(
  { features, allowedCidrs }: Lists,
  given: ArgumentValues<typeof listParts> & Partial<ArgumentValues<typeof accountSettings>>,
): Partial<Lists> {
  const ofFeatures = { whole: given.features, add: given.addFeatures, remove: given.removeFeatures };
  const ofNetworks = { whole: given.cidrs, add: given.addCidrs, remove: given.removeCidrs };
  const changed = {
    features: changedList('features', features, ofFeatures),
    allowedCidrs: changedList('cidrs', allowedCidrs, ofNetworks, canonicalCidr),
  };
  if (given.removeCidrs && allowedCidrs.length > 0 && changed.allowedCidrs?.length === 0)
    throw new InvalidArgument(
      '--remove-cidrs: No network would be left, which allows every address. To allow every address, give --cidrs with an empty list.',
    );
  return {
    ...(changed.features && { features: changed.features }),
    ...(changed.allowedCidrs && { allowedCidrs: changed.allowedCidrs }),
  };
}

/** The settings by the arguments that change them. */
export function presentAccount(account: ClientRow) {
  const { features, allowedCidrs: cidrs, bulkLimit: limit, rateLimits, clientGroup, contactEmail } = account;
  const { codesInMail, conversions } = account;
  return {
    contact: contactEmail,
    features,
    cidrs,
    bulkLimit: limit,
    rateLimit: limitTexts(rateLimits),
    group: clientGroup,
    codesInMail,
    conversions,
  };
}

/** What the given settings change of the account, a line each. Throws as `changedLists` does. */
export function accountChanges(
  account: ClientRow,
  { rateLimit, ...given }: ArgumentValues<typeof accountSettings & typeof listParts> & { contact: string | undefined },
): string {
  const { features, allowedCidrs: cidrs } = changedLists(account, { ...given, rateLimit });
  const { bulkLimit: limit, group, codesInMail, conversions, contact } = given;
  const { rateLimit: _limits, ...before } = presentAccount(account);
  const old = rateLimit.map(([name]) => [name, account.rateLimits[name] ?? null] as const);
  return comparisonText(
    { ...before, ...Object.fromEntries(old) },
    { contact, features, cidrs, bulkLimit: limit, group, codesInMail, conversions, ...Object.fromEntries(rateLimit) },
    words,
  );
}

const words = {
  cidrs: { label: 'Networks', empty: 'every address' },
  bulkLimit: { label: 'Vouchers in one order' },
  ...Object.fromEntries(
    rateClasses.map(({ name }) => [
      name,
      { label: `Calls a minute, ${name.replaceAll('_', ' ')}`, empty: 'the usual number' },
    ]),
  ),
};

/** Rate limits as an operator writes them. */
function limitTexts(limits: ClientRow['rateLimits']): string[] {
  return Object.entries(limits).map(([name, limit]) => `${name}=${limit}`);
}
