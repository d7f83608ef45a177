/** The settings that this process knows. Without packages, because the ops CLI loads it at each start. */
import type Joi from 'joi';

/** A setting: its environment variable and its schema. `Value` is the type of the parsed value. */
export interface Setting<Value> {
  variable: string;
  schema: Joi.Schema;
  /** Never set: it only carries the type. */
  value?: Value;
}

const declared = new Map<string, Joi.Schema[]>();

/** The schemas of each setting by its variable: several if it has other rules in other processes. */
export const declaredSettings: ReadonlyMap<string, readonly Joi.Schema[]> = declared;

export function setting<Value>(variable: string, schema: Joi.Schema): Setting<Value> {
  declared.set(variable, [...(declared.get(variable) ?? []), schema]);
  return { variable, schema };
}
