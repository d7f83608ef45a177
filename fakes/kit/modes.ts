/** How a fake misbehaves, by product. Tests set the modes through `/control/modes`. */
import Joi from 'joi';

/** Every field is optional. A count says how many of the next calls are affected. */
export interface Modes {
  /** Milliseconds from acceptance to the final state. */
  takes_ms?: number;
  /** Milliseconds after a purchase during which lookups do not show it. */
  lookup_after_ms?: number;
  /** The number of next purchases that run, but whose responses are cut off. */
  lost_responses?: number;
  /** Milliseconds for which the fake delays the response to a purchase after the purchase ran. */
  slow_ms?: number;
  /** Rejects the next purchases at once with this code of the supplier. */
  rejects?: { code: string; count: number };
  /** Accepts the next purchases and ends them later with this code or state word of the supplier. */
  fails_later?: { code: string; count: number };
  /** Shows a state that the documentation does not name. */
  unknown_state?: boolean;
  /** Adds a field that the documentation does not name, to every object. */
  additional_field?: boolean;
  /** Answers the next calls with this status and the page of a gateway. The calls have no effect. */
  gateway?: { status: number; count: number };
  /** Answers the next purchases with 200 and an error in the body, or with half of the JSON. The purchases run. */
  nonsense?: { form: 'error-under-200' | 'half-json' | 'empty'; count: number };
  /** Multiplies the price of purchases, but not the listed price. */
  price_factor?: number;
  /** The product has gone: the catalogue lacks it, and a purchase is rejected as documented. */
  vanished?: boolean;
  /** Lookups show the purchase twice, the second time in another state. */
  second_row?: boolean;
  /** Identifiers and codes of digits are sent as JSON numbers. */
  numbers?: boolean;
  /** The effect of a purchase with a used reference. The default is the documented effect. */
  repeats?: 'as-documented' | 'buys-again' | 'returns-first';
  /** The webhook of a purchase: sent before the response, twice, with a wrong signature, or not at all. */
  webhook?: 'early' | 'twice' | 'forged' | 'none';
}

const count = Joi.number().integer().min(1).required();
const coded = Joi.object({ code: Joi.string().required(), count });

export const modesSchema = Joi.object<Modes, true>({
  takes_ms: Joi.number().min(0),
  lookup_after_ms: Joi.number().min(0),
  lost_responses: Joi.number().integer().min(1),
  slow_ms: Joi.number().min(0),
  rejects: coded,
  fails_later: coded,
  unknown_state: Joi.boolean(),
  additional_field: Joi.boolean(),
  gateway: Joi.object({ status: Joi.number().integer().required(), count }),
  nonsense: Joi.object({ form: Joi.string().valid('error-under-200', 'half-json', 'empty').required(), count }),
  price_factor: Joi.number().min(0),
  vanished: Joi.boolean(),
  second_row: Joi.boolean(),
  numbers: Joi.boolean(),
  repeats: Joi.string().valid('as-documented', 'buys-again', 'returns-first'),
  webhook: Joi.string().valid('early', 'twice', 'forged', 'none'),
});

/** The modes of every product. The modes of a product replace the general modes, field by field. */
export class ModeBook {
  private readonly bySku = new Map<string, Modes>();

  /** Replaces the modes of the product, or the general modes without one. */
  set(sku: string | undefined, modes: Modes): void {
    this.bySku.set(sku ?? '', modes);
  }

  clear(): void {
    this.bySku.clear();
  }

  /** The modes that apply to the product. Counted modes are not used up. */
  of(sku: string): Modes {
    return { ...this.bySku.get(''), ...this.bySku.get(sku) };
  }

  /** Whether lookups show a purchase of this time. Without the mode, they hide it for `usualMs`. */
  isVisible(sku: string, createdAt: number, usualMs = 0): boolean {
    return Date.now() - createdAt >= (this.of(sku).lookup_after_ms ?? usualMs);
  }

  /** The mode if it applies to this call. The call uses up one of the mode's `count`. */
  take<Name extends 'rejects' | 'fails_later' | 'gateway' | 'nonsense'>(
    sku: string,
    name: Name,
  ): Modes[Name] | undefined {
    const modes = this.holderOf(sku, name);
    const mode = modes?.[name];
    if (!modes || !mode) return undefined;
    mode.count -= 1;
    if (mode.count === 0) delete modes[name];
    return mode;
  }

  /** Whether to cut off the response to this purchase. The purchase then uses up one of `lost_responses`. */
  takeLostResponse(sku: string): boolean {
    const modes = this.holderOf(sku, 'lost_responses');
    if (!modes?.lost_responses) return false;
    modes.lost_responses -= 1;
    if (modes.lost_responses === 0) delete modes.lost_responses;
    return true;
  }

  private holderOf(sku: string, name: keyof Modes): Modes | undefined {
    return [this.bySku.get(sku), this.bySku.get('')].find((modes) => modes?.[name] !== undefined);
  }
}

/** The states of the rows in which a lookup shows a purchase: in mode `second_row`, a second row contradicts the first. */
export function shownStates<State>({ second_row: isTwice }: Modes, state: State, other: State): State[] {
  return isTwice ? [state, other] : [state];
}
