/** Operations that call every supplier. */
import { safeText } from '../../../src/domain/safe-text';
import type { Context } from '../../../src/operators/operations/context';
import { rowsOfSuppliers } from '../../../src/operators/operations/supplier-named';
import type { Supplier } from '../../../src/domain/suppliers/port';
import { SupplierUnavailable } from '../../../src/domain/suppliers/supplier-errors';

const suppliers = new Map(['down', 'silent', 'sound'].map((name) => [name, { name } as Supplier]));

async function rowOf({ name }: Supplier): Promise<{ supplier: string } | undefined> {
  if (name === 'down') throw new SupplierUnavailable(safeText`out of reach`);
  return name === 'silent' ? undefined : { supplier: name };
}

/** What the operation says besides its rows. */
function listened() {
  const said: { remarks: string[]; mark?: number } = { remarks: [] };
  const context = {
    suppliers: () => suppliers,
    remark: (sentence: string) => void said.remarks.push(sentence),
    mark: (code: number) => void (said.mark = code),
  } as Partial<Context> as Context;
  return { context, said };
}

test('When one supplier fails, then the others have their rows, and the result is marked as failed in part', async () => {
  const { context, said } = listened();
  expect(await rowsOfSuppliers(context, undefined, rowOf)).toEqual([{ supplier: 'sound' }]);
  expect(said).toEqual({ remarks: ['down: out of reach'], mark: 1 });
});

test('When the operator names a supplier, then only this one is called', async () => {
  const { context, said } = listened();
  expect(await rowsOfSuppliers(context, 'sound', rowOf)).toEqual([{ supplier: 'sound' }]);
  expect(said).toEqual({ remarks: [] });
  await expect(rowsOfSuppliers(context, 'nobody', rowOf)).rejects.toThrow('nobody');
});

test('When no supplier has a row and one fails, then the operation fails', async () => {
  const { context, said } = listened();
  await expect(rowsOfSuppliers(context, 'down', rowOf)).rejects.toThrow('down: out of reach');
  expect(said).toEqual({ remarks: [] });
});
