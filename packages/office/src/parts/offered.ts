import type { Values } from '../call';

/** An operation that the service offers for an order or an entry, with what it already knows. */
export interface Action {
  operation: string;
  arguments: Values;
  /** The arguments of which the state allows only these values. */
  choices: Readonly<Record<string, readonly string[]>>;
  about: string;
}
