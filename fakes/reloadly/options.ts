/** Settings of this fake alone, from the environment. */
import Joi from 'joi';

export interface ReloadlyOptions {
  /** The life of a token. Sources disagree, so tests choose it. */
  tokenSeconds: number;
  /** The time between two top-ups of one number (PHONE_RECENTLY_RECHARGED). 0 turns the limit off. */
  rechargeSeconds: number;
  /** The largest page of every list. A small one splits a short catalogue into several pages. */
  maxPage: number;
}

interface Environment {
  FAKE_TOKEN_SECONDS: number;
  FAKE_RECHARGE_SECONDS: number;
  FAKE_MAX_PAGE: number;
}

const environmentSchema = Joi.object<Environment, true>({
  FAKE_TOKEN_SECONDS: Joi.number().integer().min(1).default(3_600),
  FAKE_RECHARGE_SECONDS: Joi.number().min(0).default(120),
  FAKE_MAX_PAGE: Joi.number().integer().min(1).default(200),
}).options({ stripUnknown: true });

/** Returns the options. Throws if a value is wrong. */
export function reloadlyOptions(environment: NodeJS.ProcessEnv): ReloadlyOptions {
  const value = Joi.attempt(environment, environmentSchema);
  return {
    tokenSeconds: value.FAKE_TOKEN_SECONDS,
    rechargeSeconds: value.FAKE_RECHARGE_SECONDS,
    maxPage: value.FAKE_MAX_PAGE,
  };
}
