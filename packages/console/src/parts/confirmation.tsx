import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/src/basics';
import { money, plus } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import { confirmationSums } from '../charges';
import type { Charges, Wallet } from '../types';

/**
 * What an order will take from its wallet, in words, and the question before an order above the sum of the wallet: `ask` tells whether
 * the person wants the order, `question` is the open dialog. Without the `sums`, which are read first, nothing can be ordered.
 */
export function useConfirmation(charges: Charges | undefined, wallet: Wallet | undefined) {
  const sums = useLoaded(confirmationSums, 'confirmations');
  const [decide, setDecide] = useState<(isSure: boolean) => void>();
  const answered = (isSure: boolean) => {
    setDecide(undefined);
    decide?.(isSure);
  };
  if (!charges || !wallet) return { sums, debit: undefined, ask: () => true, question: undefined };
  const { total_payable: total } = charges;
  const { id, currency_code: currency, available } = wallet;
  const left = plus(String(available), String(-total));
  const debit = `${money(total, currency)} will be charged to the ${currency} wallet, which then has ${money(left, currency)}.`;
  const above = sums.data?.get(id) ?? null;
  const isAsked = above !== null && total > above;
  const ask = () => (isAsked ? new Promise<boolean>((decided) => setDecide(() => decided)) : true);
  const question = decide && isAsked && (
    <Dialog title={`Order for ${money(total, currency)}?`} close={() => answered(false)}>
      <p>
        Your account asks before an order above {money(above, currency)}. {debit}
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => answered(true)}>
          Place the order
        </button>
        <button type="button" onClick={() => answered(false)}>
          Do not order
        </button>
      </div>
    </Dialog>
  );
  return { sums, debit, ask, question };
}
