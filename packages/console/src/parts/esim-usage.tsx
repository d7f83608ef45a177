import { useId } from 'preact/hooks';
import { api } from '../api';
import { megabytes, moment } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import type { EsimUsage, Order } from '../types';
import { Facts, Progress } from '../../../parts/src/basics';

/** The used data of a delivered eSIM, as its supplier last reported it. `version` changes when the order may have changed. */
export function UsedData({ order, version }: { order: Order; version: number }) {
  const path = `/esim/orders/${order.id}/usage`;
  const usage = useLoaded(() => api<EsimUsage>(path), path, version);
  return (
    <section class="card" aria-labelledby="usage">
      <div class="section-head">
        <h2 id="usage">Usage</h2>
        <button type="button" onClick={usage.reload}>
          Refresh
        </button>
      </div>
      <Progress of={usage} />
      {usage.data && <Report usage={usage.data} isUnlimited={order.data_amount_gb === 0} />}
    </section>
  );
}

function Report({ usage, isUnlimited }: { usage: EsimUsage; isUnlimited: boolean }) {
  const { data_total_mb: total, data_used_mb: used, data_left_mb: left, checked_at: checkedAt } = usage;
  const isAmountKnown = total !== null || used !== null || left !== null;
  const amount = (value: number | null) => {
    if (value !== null) return megabytes(value);
    return isAmountKnown ? 'not reported' : undefined;
  };
  const isShareKnown = total !== null && used !== null && total > 0;
  return (
    <>
      {!isAmountKnown && <p>{isUnlimited ? unlimited : unreported}</p>}
      {isShareKnown && <Bar total={total} used={used} />}
      <Facts
        of={[
          ['Total', amount(total)],
          ['Used', isShareKnown ? `${megabytes(used)} (${percentOf(used, total)})` : amount(used)],
          ['Left', amount(left)],
          ['Valid until', moment(usage.validity_ends_at) || 'not reported'],
          ['Reported', moment(checkedAt) || 'never'],
        ]}
      />
    </>
  );
}

const unlimited = 'The data of this plan are unlimited, so there is no amount to show.';
const unreported = 'The supplier reports no amounts of data for this eSIM.';

/** The used share as a bar. */
function Bar({ total, used }: { total: number; used: number }) {
  const id = useId();
  return (
    <div class="usage">
      <label for={id}>Used data</label>
      <span class="number">
        {megabytes(used)} of {megabytes(total)}
      </span>
      <meter id={id} min={0} max={total} high={total * 0.8} value={used}>
        {percentOf(used, total)}
      </meter>
    </div>
  );
}

/** Rounded down, so that 100 % means that no data is left. */
function percentOf(used: number, total: number): string {
  return `${Math.floor((used / total) * 100)} %`;
}
