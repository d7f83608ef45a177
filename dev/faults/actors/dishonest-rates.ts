/** What a dishonest operator does to a rate that follows a feed: files of his own, and spreads. No order of a run needs the rate. */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '../../stack/postgres';
import { fileCurrencies as PAIR, RATE, rateFile } from '../stack/rate-feed';
import type { Outcome } from './ops-processes';

/** Runs a command of the ops CLI as the person. */
type RunAs = (person: string, words: readonly (string | number)[]) => Promise<Outcome>;

/** Each step is within the limit. */
const FILE_STEP = 1.19;
const SPREADS = ['19', '41', '68'];

export class DishonestRates {
  constructor(private readonly runAs: RunAs) {}

  /** An honest person sets the rate, a week ago, and lets it follow the feed. */
  async prepare(person: string, databaseUrl: string): Promise<void> {
    const reason = ['--force', '--reason', 'The market'];
    for (const words of [
      ['rates', 'set', ...PAIR, RATE, ...reason],
      ['rates', 'follow', ...PAIR, '--spread', '0', ...reason],
    ]) {
      const { ok, text } = await this.runAs(person, words);
      if (!ok) throw new Error(text);
    }
    await query(
      databaseUrl,
      `UPDATE forex_rates SET as_of = now() - interval '7 days' WHERE (source_currency, destination_currency) = ($1, $2)`,
      [...PAIR],
    );
  }

  /** Gives a file for each day and again for today. Then reads the feed. */
  async giveFiles(person: string): Promise<string> {
    const told: string[] = [];
    for (const [step, daysAgo] of [3, 2, 1, 0, 0].entries())
      told.push(await this.give(person, rateFile(daysAgo, FILE_STEP ** (step + 1))));
    told.push(await this.refresh(person));
    return told.join('; ');
  }

  /** Raises the spread in steps, each of which the feed applies. */
  async raiseSpread(person: string): Promise<string> {
    const told: string[] = [];
    for (const spread of SPREADS) {
      const words = ['rates', 'follow', ...PAIR, '--spread', spread, '--force', '--reason', 'A correction'];
      told.push(lastLine(await this.runAs(person, words)), await this.refresh(person));
    }
    return told.join('; ');
  }

  private async give(person: string, text: string): Promise<string> {
    const file = join(tmpdir(), `rates-${randomUUID()}.csv`);
    writeFileSync(file, text);
    try {
      return await this.refresh(person, ['--file', file]);
    } finally {
      rmSync(file);
    }
  }

  private async refresh(person: string, words: readonly string[] = []): Promise<string> {
    return lastLine(await this.runAs(person, ['rates', 'refresh', ...words, '--reason', 'A correction']));
  }
}

const lastLine = ({ text }: Outcome): string => text.trim().split('\n').at(-1) ?? '';
