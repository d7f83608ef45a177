/** The settings of an account, as `clients create` and `clients set` take them. */
import { rateClasses } from '../../domain/clients/rate-classes';
import { inTerminal, option, options, toggle } from '../arguments';
import { bulkLimit, cidrs, featureList, groupName } from '../kinds';
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
  codesInMail: toggle(
    'put voucher codes into notification mails',
    'keep voucher codes out of notification mails',
  ),
  conversions: toggle('let the client convert money between its wallets', 'end conversions of the client'),
};
