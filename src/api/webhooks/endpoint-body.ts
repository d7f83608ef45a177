/** The bodies of requests about webhook endpoints. */
import Joi from 'joi';
import { eventTypes } from '../../domain/webhooks/event-payloads';
import type { Config } from '../../settings/config';
import { rfc3339Moment } from '../../domain/time';
import { enumText, named } from '../openapi/schema';
import { normalUrl, urlProblem, type AddressRules } from '../../notifications/webhooks/addresses';
import { oneLine } from '../shared/validation';

const MAX_DESCRIPTION_LENGTH = 500;

interface EndpointBody {
  url: string;
  event_types: string[];
  description: string;
  enabled: boolean;
}

interface EndpointSchemas {
  /** A new endpoint: only `url` is required. */
  create: Joi.ObjectSchema<EndpointBody>;
  /** A change: missing fields stay as they are. */
  change: Joi.ObjectSchema<Partial<EndpointBody>>;
}

interface UrlSettings {
  mode: Config['mode'];
  webhooks: AddressRules;
}

const documentedType = named('EndpointEventType', enumText('A type that an endpoint can list.', eventTypes));

/** The fields that no setting changes. */
const otherFields = {
  event_types: Joi.array()
    .strict()
    .description('The event types of the endpoint; empty means all except those of top-ups and `esim.usage`.')
    .example(['order.delivered', 'order.failed'])
    .meta({ schema: { items: documentedType } })
    .max(eventTypes.length)
    .items(Joi.string().valid(...eventTypes))
    .unique()
    .messages({
      'any.only': 'event_types holds an unknown type',
      'array.unique': 'event_types holds a type twice',
      '*': 'event_types must be a list of event types',
    }),
  description: Joi.string()
    .description('Your description.')
    .example('Shop')
    .allow('')
    .max(MAX_DESCRIPTION_LENGTH)
    // For the API reference. `oneLine` rejects more.
    .pattern(/^[^\u0000-\u001f\u007f]*$/)
    .custom(oneLine)
    .messages({
      'string.max': `description is too long (max ${MAX_DESCRIPTION_LENGTH} characters)`,
      '*': 'description is invalid',
    }),
  enabled: Joi.boolean()
    .strict()
    .description('Whether events are sent to it.')
    .example(true)
    .messages({ '*': 'enabled must be true or false' }),
};

/** The schemas of the bodies. The mode of the service decides which URLs they accept. */
export function endpointSchemas({ mode, webhooks }: UrlSettings): EndpointSchemas {
  const rules = { ...webhooks, httpsOnly: mode === 'production' };
  const url = Joi.string()
    .description('The URL that receives events: public, without credentials, at most 2,048 characters.')
    .example('https://shop.example/hook')
    .meta({ schema: { format: 'uri', pattern: '^[Hh][Tt]{2}[Pp][Ss]?://', maxLength: 2_048 } })
    .custom((text: string, helpers) => {
      const fault = urlProblem(text, rules);
      return fault === undefined ? normalUrl(text) : helpers.error('url.fault', { fault });
    })
    .messages({
      'url.fault': '{#fault}',
      'any.required': 'url is required',
      'string.empty': 'url is required',
      'string.base': 'url is invalid',
    });
  return {
    create: Joi.object<EndpointBody>({
      url: url.required(),
      event_types: otherFields.event_types.default([]),
      description: otherFields.description.default(''),
      enabled: otherFields.enabled.default(true),
    }),
    change: Joi.object<Partial<EndpointBody>>({ url, ...otherFields }),
  };
}

export const replayBody = Joi.object<{ since: Date }>({
  since: Joi.string()
    .description('Every event from this moment on: an RFC 3339 date and time with its offset.')
    .example('2026-01-31T00:00:00Z')
    // Not a `pattern()`: generated clients would apply it to a time that they have already parsed.
    .custom((text: string, helpers) => rfc3339Moment(text) ?? helpers.error('any.invalid'))
    .meta({ schema: { format: 'date-time' } })
    .required()
    .messages({ 'any.required': 'since is required', '*': 'since must be a date and time with its offset' }),
});

/** The schemas for the API reference, where the mode makes no difference. */
export const documentedEndpointBody = endpointSchemas({ mode: 'sandbox', webhooks: { allowLoopback: true } });
