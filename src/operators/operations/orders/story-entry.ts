/** One step of the story of an order. */
import { utcTime } from '../../../domain/time';

export type StoryKind =
  | 'PLACED'
  | 'PURCHASE_CREATED'
  | 'PURCHASE_SENT'
  | 'LOOKUP'
  | 'PURCHASE_RESULT'
  | 'GOODS'
  | 'QUARANTINED'
  | 'LEDGER'
  | 'REFUND'
  | 'EVENT'
  | 'DELIVERY'
  | 'MAIL'
  | 'CLAIM'
  | 'ATTENTION'
  | 'OPERATOR'
  | 'CLIENT'
  | 'ENDED';

/** One step. */
export interface StoryEntry {
  /** As in the API. */
  at: string;
  kind: StoryKind;
  text: string;
  /** Such as why a source was chosen, or the reason of a person. */
  detail: string | null;
  /** What the call of a person or a client changed, such as `Status: pending → cancelled`. */
  changed: string | null;
  /** The person or the program that acted. */
  by: string | null;
  amount: string | null;
  currency: string | null;
  /** The purchase. */
  reference: string | null;
  event_id: string | null;
  endpoint_id: number | null;
}

type Step = Pick<StoryEntry, 'kind' | 'text'> & Partial<StoryEntry>;

/** The step at this time; undefined without one. */
export function entry(at: string | Date | null, step: Step): StoryEntry | undefined {
  if (at === null) return undefined;
  return {
    at: typeof at === 'string' ? utcTime(at) : at.toISOString(),
    detail: null,
    changed: null,
    by: null,
    amount: null,
    currency: null,
    reference: null,
    event_id: null,
    endpoint_id: null,
    ...step,
  };
}
