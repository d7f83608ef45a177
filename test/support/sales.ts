/** Sales of the stack's supplier that the service did not ask for when they were made. */
import { dirname } from 'node:path';
import { rows } from '../../src/data/database/database';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { RunDirectory } from '../../dev/stack/run-directory';
import { stackDatabase } from './clients';
import { loadStack } from './stack';

/** The stack's supplier sells one unit of what the order is for, under that reference: nobody of ours asked for it now. */
export async function sellUnderReference(orderId: number, reference: string): Promise<void> {
  const directory = new RunDirectory(dirname(process.env['STACK_FILE'] as string));
  const { SIMULATOR_SECRET: secret } = directory.secrets();
  const stack = stackDatabase();
  const [bought] = await rows<{ sku: string; unitValue: string; currency: string }>(
    stack,
    `SELECT supplier_sku AS sku, trim_scale(unit_amount)::text AS "unitValue", base_currency AS currency
       FROM orders WHERE id = $orderId`,
    { orderId },
  ).finally(() => stack.close());
  const supplier = createSimulatorSupplier({ url: loadStack().simulator_url, secret, maxUnits: 500 });
  const request = {
    reference,
    family: 'VOUCHER',
    units: 1,
    ...(bought as NonNullable<typeof bought>),
  } as const;
  await supplier.purchase(request, () => true);
}
