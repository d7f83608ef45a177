/** The file of `privacy requests apply`. */
import { readFileSync } from 'node:fs';
import Joi from 'joi';
import type { CarriedRequest } from '../../data/privacy/carried-columns';

const requestsFile = Joi.array<CarriedRequest[]>().items(
  Joi.object<CarriedRequest>({
    action: Joi.valid('ERASE', 'EXPORT').required(),
    client_id: Joi.number().integer().allow(null).required(),
    kind: Joi.valid('email', 'phone').required(),
    recipient_hash: Joi.string().hex().required(),
    requested_at: Joi.string().required(),
    orders: Joi.array()
      .items(Joi.object({ id: Joi.number().integer().required(), nonce: Joi.string().required() }))
      .required(),
  }),
);

/** The requests in the file. Throws if it is no output of `privacy requests export --json`. */
export function requestsIn(file: string): CarriedRequest[] {
  const content = jsonIn(file);
  const result = requestsFile.validate(content, { convert: false });
  if (!result.error) return result.value;
  throw new Error(`${file} is no output of privacy requests export --json: ${result.error.message}`);
}

/** The JSON value of the file. Throws if it is not JSON, without its content, which may be confidential. */
function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${file} cannot be read as JSON: correct the file`);
  }
}
