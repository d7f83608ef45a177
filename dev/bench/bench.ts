/** The parameters of every part of the benchmark. */
import type { StackFile } from '../stack/stack-file';
import type { Persistence } from './report';

export interface Settings {
  /** How long each turn lasts. */
  seconds: number;
  /** The number of counted turns. */
  rounds: number;
  /** The share of the large number that `growth` adds. */
  share: number;
  /** The folder of a later release, whose migrations `growth:everything` then measures, and nothing else. */
  release: string | undefined;
  /** Prints the progress. */
  say: (line: string) => void;
}

export interface Bench extends Settings {
  stack: StackFile;
  /** Temporal's storage. */
  persistence: Persistence;
}
