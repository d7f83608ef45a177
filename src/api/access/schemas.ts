/** API keys, allowed networks and activity in the OpenAPI document, and the bodies of their requests. */
import Joi from 'joi';
import { DEFAULT_OVERLAP_HOURS, MAX_LABEL_LENGTH, MAX_OVERLAP_HOURS } from '../../domain/clients/key-limits';
import { isCidr } from '../../domain/clients/networks';
import { defaultScopes, scopeMeanings, scopes, type Scope } from '../../domain/clients/scopes';
import { rfc3339Moment } from '../../domain/time';
import {
  enumText,
  extensibleEnumText,
  flag,
  id,
  listOf,
  model,
  named,
  orNull,
  text,
  time,
  type SchemaFields,
} from '../openapi/schema';
import { oneLine } from '../shared/validation';

const MAX_NETWORKS = 100;

const meanings = scopes.map((each) => `\`${each}\`: ${scopeMeanings[each]}`).join('; ');

const scope = named('Scope', extensibleEnumText(`What a key may do. ${meanings}.`, scopes));
const requestedScope = named('KeyScope', enumText(`A scope for a new key. ${meanings}.`, scopes));

const keyFields: SchemaFields = {
  id: id('The key.', 7),
  api_key: text('The key itself, the `username` of a login. It is not secret.', 'dgk_2f6d9a4e8b1c7d3e5f60'),
  label: orNull(text('Your name for it; null if it has none.', 'Shop server')),
  scopes: listOf(scope, 'What it may do.'),
  created_at: time('When it was created.', '2026-01-01T09:00:00.000Z'),
  expires_at: orNull(time('From then on, it counts as revoked; null if it does not expire.')),
  last_used_at: orNull(time('When it was last used, to the minute; null if it never was.')),
  revoked_at: orNull(time('When it was revoked; null if it was not.')),
};

export const apiKeySchema = model('ApiKey', 'An API key, without its secret.', keyFields);

export const createdApiKeySchema = model('CreatedApiKey', 'A new API key with its secret.', {
  ...keyFields,
  api_secret: text('The secret, the `password` of a login. It is shown only now.', 'dgs_3b1f...'),
});

export const networksSchema = model('AllowedNetworks', 'The networks from which you may order.', {
  networks: listOf(text('A network (CIDR, IPv4 or IPv6).', '203.0.113.0/24'), 'Empty allows every address.'),
  your_address: orNull(text('The address of this call.', '203.0.113.7')),
  your_address_is_allowed: flag('Whether you may order from it.', true),
});

export const activitySchema = model('Activity', 'An action in your account.', {
  id: id('The entry.', 301),
  at: time('When it happened.'),
  actor: text('Who acted: `api_key/<id>`, `member/<id>`, `operator`, or `unknown` before a sign-in.', 'api_key/7'),
  action: text('What happened.', 'api_key.created'),
  object: text('The object of the action.', 'api_key/8'),
  address: orNull(text('The address of the caller; null for an operator.', '203.0.113.7')),
});

export interface KeyBody {
  label: string | null;
  scopes: Scope[];
  expires_at: Date | null;
}

export const keyBody = Joi.object<KeyBody>({
  label: Joi.string()
    .trim()
    .max(MAX_LABEL_LENGTH)
    // For the API reference. `oneLine` rejects more.
    .pattern(/^[^\u0000-\u001f\u007f]*$/)
    .custom(oneLine)
    .empty(Joi.valid('', null))
    .default(null)
    .description('Your name for the key.')
    .example('Shop server')
    .messages({ 'string.max': `label is too long (max ${MAX_LABEL_LENGTH} characters)`, '*': 'label is invalid' }),
  scopes: Joi.array()
    .strict()
    .min(1)
    .max(scopes.length)
    .items(Joi.string().valid(...scopes))
    .unique()
    .default([...defaultScopes])
    .description('What the key may do. By default, everything but `admin`.')
    .example(['read', 'orders:vouchers', 'codes'])
    .meta({ schema: { items: requestedScope } })
    .messages({
      'any.only': 'scopes holds an unknown scope',
      'array.unique': 'scopes holds a scope twice',
      '*': 'scopes must be a list of scopes',
    }),
  expires_at: Joi.any()
    .custom((value: unknown, helpers) => {
      const at = typeof value === 'string' ? rfc3339Moment(value) : undefined;
      return at ?? helpers.error('any.invalid');
    })
    .empty(null)
    .default(null)
    .description('When the key expires (RFC 3339). By default, never.')
    .example('2027-01-31T00:00:00Z')
    .meta({ schema: { type: ['string', 'null'], format: 'date-time' } })
    .messages({ '*': 'expires_at must be an RFC 3339 date and time' }),
});

export const rollBody = Joi.object<{ overlap_hours: number }>({
  overlap_hours: Joi.number()
    .strict()
    .integer()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(DEFAULT_OVERLAP_HOURS)
    .description('The hours until the old key expires.')
    .example(DEFAULT_OVERLAP_HOURS)
    .messages({ '*': `overlap_hours must be a whole number from 0 to ${MAX_OVERLAP_HOURS}` }),
});

export const networksBody = Joi.object<{ networks: string[] }>({
  networks: Joi.array()
    .strict()
    .max(MAX_NETWORKS)
    .items(Joi.string().custom((cidr: string, helpers) => (isCidr(cidr) ? cidr : helpers.error('any.invalid'))))
    .unique()
    .required()
    .description('All allowed networks (CIDR). Empty allows every address.')
    .example(['203.0.113.0/24', '2001:db8::/32'])
    .meta({ schema: { items: { type: 'string', pattern: '^[0-9a-fA-F:.]+/\\d{1,3}$' } } })
    .messages({
      'any.required': 'networks is required',
      'array.max': `No more than ${MAX_NETWORKS} networks are allowed`,
      'array.unique': 'networks holds a network twice',
      '*': 'networks must be a list of CIDRs, such as 203.0.113.0/24',
    }),
});
