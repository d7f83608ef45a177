import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/src/basics';
import { money, plus } from '../../../parts/src/format';
import { useLoaded, type Loaded } from '../../../parts/src/loading';
import { confirmationSums } from '../charges';
import type { Charges, Wallet } from '../types';

/** Places an order at the price. False if it costs more now: nothing is placed. */
type Place = (price: Charges) => Promise<boolean>;

/**
 * What an order will take from its wallet, in words, and the questions before it is placed. `confirmed` places it at the price that the
 * person accepts: it asks first if the shown price is above the sum of the wallet, and again with the new price if that has changed.
 * `question` is the open dialog. Without the `sums`, which are read first, nothing can be ordered.
 */
export function useConfirmation(
  shown: Loaded<Charges | undefined>,
  wallet: Wallet | undefined,
  readPrice: () => Promise<Charges | undefined>,
) {
  const sums = useLoaded(confirmationSums, 'confirmations');
  const { ask, question } = useQuestion();
  const charges = shown.data;
  if (!charges || !wallet) return { sums, debit: undefined, confirmed: async () => undefined, question };
  const { total_payable: total } = charges;
  const { id, currency_code: currency } = wallet;
  const debit = debitOf(charges, wallet);
  const above = sums.data?.get(id) ?? null;
  const isWanted = () =>
    above === null ||
    total <= above ||
    ask(
      `Order for ${money(total, currency)}?`,
      `Your account asks before an order above ${money(above, currency)}. ${debit}`,
    );
  const isWantedAt = (price: Charges) =>
    ask('The price has changed', `It was ${money(total, currency)}. ${debitOf(price, wallet)}`);
  const confirmed = async (place: Place) => {
    let price: Charges | undefined = (await isWanted()) ? charges : undefined;
    while (price && !(await place(price))) {
      const changed = await readPrice();
      shown.reload();
      price = changed && (await isWantedAt(changed)) ? changed : undefined;
    }
  };
  return { sums, debit, confirmed, question };
}

interface Question {
  title: string;
  text: string;
  decide: (isSure: boolean) => void;
}

/** A dialog that asks whether to place an order. `ask` opens it and returns the answer. */
function useQuestion() {
  const [asked, setAsked] = useState<Question>();
  const ask = (title: string, text: string) => new Promise<boolean>((decide) => setAsked({ title, text, decide }));
  const answered = (isSure: boolean) => {
    setAsked(undefined);
    asked?.decide(isSure);
  };
  const question = asked && (
    <Dialog title={asked.title} close={() => answered(false)}>
      <p>{asked.text}</p>
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
  return { ask, question };
}

function debitOf({ total_payable: total }: Charges, { currency_code: currency, available }: Wallet): string {
  const left = plus(String(available), String(-total));
  return `${money(total, currency)} will be charged to the ${currency} wallet, which then has ${money(left, currency)}.`;
}
