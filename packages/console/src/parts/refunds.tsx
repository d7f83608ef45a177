import { api } from '../api';
import { moment, money, words } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import type { OrderRefund } from '../types';
import { Progress, Row, Table } from '../../../parts/src/basics';

/** Every credited refund of an order, newest first. `version` changes when the order may have changed. */
export function Refunds({ order, version }: { order: string; version: number }) {
  const path = `${order}/refunds`;
  const refunds = useLoaded(() => api<OrderRefund[]>(path), path, version);
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">Refunds</h2>
      <Progress of={refunds} />
      {refunds.data && (
        <Table
          caption="Refunds of the order"
          isCaptionHidden
          columns={['Credited', 'Amount', 'Units', 'Reason', 'Transaction']}
          numbers={['Amount', 'Units']}
        >
          {refunds.data.map((refund) => (
            <Row
              key={refund.id}
              cells={[
                moment(refund.created_at),
                money(refund.amount, refund.currency),
                refund.units,
                words(refund.reason_code),
                refund.transaction_id,
              ]}
            />
          ))}
        </Table>
      )}
    </section>
  );
}
