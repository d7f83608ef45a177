/** The status of an eSIM at a supplier in two parts. */
import type { EsimStatus } from '../../src/domain/esims/esim-lifecycle';
import type { Supplier } from '../../src/domain/suppliers/port';

/** The steps of its life, without the used data. */
export async function lifeAt(supplier: Supplier, iccid: string): Promise<Omit<EsimStatus, 'usage'>> {
  const { usage: _usage, ...life } = await statusAt(supplier, iccid);
  return life;
}

/** The used data as the supplier reports them. */
export async function usageAt(supplier: Supplier, iccid: string): Promise<EsimStatus['usage']> {
  return (await statusAt(supplier, iccid)).usage;
}

async function statusAt({ esimStatus }: Supplier, iccid: string): Promise<EsimStatus> {
  if (!esimStatus) throw new Error('The supplier reports no status of eSIMs');
  return esimStatus(iccid);
}
