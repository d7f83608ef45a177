/** What every part of the benchmark is given. */
import type { StackFile } from '../stack/stack-file';
import type { Persistence } from './report';

export interface Bench {
  stack: StackFile;
  /** Where Temporal keeps what it has. */
  persistence: Persistence;
  /** How long each turn lasts. */
  seconds: number;
  /** Turns of each that count. */
  rounds: number;
  /** Tells how far it is. */
  say: (line: string) => void;
}
