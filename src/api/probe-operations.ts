/** The probes in the document. */
import { errors } from '../domain/errors';
import { json, type Operations } from './openapi/operation';
import { flag, object, word } from './openapi/schema';

export const probeOperations: Operations = {
  'GET /health': {
    id: 'getHealth',
    tag: 'Probes',
    summary: 'Whether the process answers',
    access: 'open',
    answers: { 200: json('It does.', object({ status: word('Always `ok`.', ['ok']) })) },
  },
  'GET /ready': {
    id: 'getReadiness',
    tag: 'Probes',
    summary: 'Whether PostgreSQL and Temporal answer',
    access: 'open',
    errors: [errors.temporalEmptied()],
    answers: {
      200: json(
        'They do.',
        object({
          status: word('Always `ready`.', ['ready']),
          order_workers: flag(
            'Whether anybody works on new orders; creates are refused while nobody does.',
            true,
          ),
        }),
      ),
    },
  },
};
