/** Sales of the stack's supplier that the service did not order at that time. */
import { sql } from '../../dev/testbed/sql';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { stackDatabase } from '../../dev/testbed/clients';
import { loadStack, stackDirectory } from '../../dev/testbed/loaded-stack';

/** Makes the stack's supplier sell one unit of the order's product under this reference, without a request. */
export async function sellUnderReference(orderId: number, reference: string): Promise<void> {
  const { SIMULATOR_SECRET: secret } = stackDirectory().secrets();
  const stack = stackDatabase();
  const [bought] = await sql(stack)<{ sku: string; unitValue: string; currency: string }>`
    SELECT p.sku, trim_scale(o.unit_amount)::text AS "unitValue", o.base_currency AS currency
       FROM orders o JOIN supplier_purchases p ON p.order_id = o.id WHERE o.id = ${orderId}`.finally(() =>
    stack.close(),
  );
  const supplier = createSimulatorSupplier({ url: loadStack().simulator_url, secret, maxUnits: 500 });
  const request = { reference, family: 'VOUCHER', units: 1, ...(bought as NonNullable<typeof bought>) } as const;
  await supplier.purchase(request, () => true);
}
