/** `privacy requests apply`: erases recipients again in a restored database, before the service starts. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import Joi from 'joi';
import { applyRequests, type CarriedRequest } from '../../data/privacy/carried-requests';
import { LONG_STATEMENT_MS } from '../../data/database/database';
import { jsonIn } from '../../operations/json-file';
import { commandNamed } from '../operation-command';
import { onDatabase } from '../command-resources';

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

export function addPrivacyCommands(program: Command): void {
  commandNamed(program, 'privacy requests')
    .command('apply')
    .argument('<file>', 'the output of privacy requests export --json')
    .description('After a restore: erase again what was erased before')
    .action(
      onDatabase(
        async ({ database }, file: string) => [await applyRequests(database, requestsIn(file))],
        LONG_STATEMENT_MS,
      ),
    );
}

/** The requests in the file. Throws if it is no output of `privacy requests export --json`. */
function requestsIn(file: string): CarriedRequest[] {
  const content = jsonIn({ name: file, text: readFileSync(file, 'utf8') });
  const result = requestsFile.validate(content, { convert: false });
  if (!result.error) return result.value;
  throw new Error(`${file} is no output of privacy requests export --json: ${result.error.message}`);
}
