import { condition, defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities';
import { resumeImportSignal, type RefundImportKey } from '../src/domain/orders/refund-imports';

const { carryOutRefunds } = proxyActivities<Pick<Activities, 'carryOutRefunds'>>({
  startToCloseTimeout: '5m',
  // A heartbeat follows each refund, which takes milliseconds. An import whose worker was killed continues after this time.
  heartbeatTimeout: '6s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
  summary: 'Credit the refunds that the import has decided',
});

/** Carries out the refunds of an import. The database holds its pause: a paused import waits for the signal `resume`. */
export async function refundImport(key: RefundImportKey): Promise<void> {
  let signals = 0;
  setHandler(defineSignal(resumeImportSignal), () => void signals++);
  let line = 0;
  for (;;) {
    const seen = signals;
    const run = await carryOutRefunds(key, line);
    line = run.line;
    const progress = `${run.credited} of ${run.refunds} refunds are credited`;
    setCurrentDetails(run.state === 'PAUSED' ? `**Paused**: ${progress}` : progress);
    if (run.state === 'ENDED') return;
    if (run.state === 'PAUSED') await condition(() => signals > seen);
  }
}
