/** The parameters of every part of the benchmark. */
import type { StackFile } from '../stack/stack-file';
import type { Persistence } from './report';

export interface Bench {
  stack: StackFile;
  /** Temporal's storage. */
  persistence: Persistence;
  /** How long each turn lasts. */
  seconds: number;
  /** The number of counted turns. */
  rounds: number;
  /** Prints the progress. */
  say: (line: string) => void;
}
