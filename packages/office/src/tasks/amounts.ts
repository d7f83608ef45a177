import { amountFrom } from '../../../parts/src/typed-amounts';
import { messageOf } from '../../../parts/src/rejection';

/** A typed amount: as the API takes it, or why it is none. Neither without a text. */
export function amountOf(typed: string): { value: string | undefined; failure: string | undefined } {
  try {
    return { value: amountFrom(typed) || undefined, failure: undefined };
  } catch (error) {
    return { value: undefined, failure: messageOf(error) };
  }
}
