/** Lists deliveries whose value, as the supplier computes it, deviates from the ordered value. */
import type { Database } from '../../data/database/database';
import { raiseAttention } from '../../data/operations/attention';
import type { Purchase } from '../../data/purchases/purchase-reads';
import { deviationOf } from '../../domain/orders/sold-item';
import type { PurchaseReport } from '../../suppliers/port';

/** Raises `VALUE_DEVIATES` if a computed value deviates by more than the limit. The goods are delivered all the same. */
export async function listDeviation(
  { database, priceChangeLimitPercent }: { database: Database; priceChangeLimitPercent: number },
  { orderId, reference, supplier, family, faceValue, currency }: Purchase,
  report: PurchaseReport,
): Promise<void> {
  const sold = 'sold' in report ? report.sold : undefined;
  const percent =
    sold && family !== 'ESIM' ? deviationOf(faceValue, sold, priceChangeLimitPercent) : undefined;
  if (percent === undefined) return;
  const deviation = `${Math.abs(percent)} % ${percent < 0 ? 'below' : 'above'} the ordered ${faceValue} ${currency}`;
  const reason = `Supplier ${supplier} states a value that is ${deviation} (${reference}): compare it with the supplier's invoice`;
  await raiseAttention(database, { orderId, reference }, 'VALUE_DEVIATES', reason);
}
