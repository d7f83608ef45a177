/** What the operator of an installation tells buyers: the page docs/clients/about.md. */
import Joi from 'joi';
import { setting } from './declared-settings';

const line = Joi.string()
  .max(500)
  .pattern(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)
  .messages({
    'string.pattern.base':
      '{#label} must be one line without control characters, direction marks or invisible characters',
  });

const stated = (variable: string) => setting<string | undefined>(variable, line);

export const aboutSettings = {
  webhookAddresses: stated('ABOUT_WEBHOOK_ADDRESSES'),
  statusPage: stated('ABOUT_STATUS_PAGE'),
  support: stated('ABOUT_SUPPORT'),
  dataLocation: stated('ABOUT_DATA_LOCATION'),
  subProcessors: stated('ABOUT_SUB_PROCESSORS'),
  retention: stated('ABOUT_RETENTION'),
};

/** The stated facts. Undefined: not stated. */
export type About = Readonly<Record<keyof typeof aboutSettings, string | undefined>>;
