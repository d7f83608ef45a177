/** What suppliers call, in the document. */
import { errors } from '../../domain/errors';
import type { Operations } from '../openapi/operation';
import { text } from '../openapi/schema';

export const supplierOperations: Operations = {
  'POST /suppliers/:name/callbacks': {
    id: 'pushFromSupplier',
    tag: 'Suppliers',
    summary: 'Tell of a change',
    description: 'Signed by the supplier. Only a hint: the supplier is asked before anything changes.',
    access: 'signature',
    path: { name: text('The supplier.', 'simulator') },
    answers: { 204: { description: 'The hint is taken.' } },
    errors: [errors.unauthorized('Invalid signature'), errors.invalidBody()],
  },
};
