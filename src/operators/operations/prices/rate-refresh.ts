/** `rates refresh`: sets the rates that follow the ECB by a file, of the feed or of a person. docs/decisions/0090-let-rates-age.md. */
import { actingInstead } from '../../../data/database/acting-person';
import { isLaterDay } from '../../../data/prices/rates-due-by-day';
import type { EuroRates } from '../../../domain/prices/cross-rates';
import { guardedConnector, urlProblem } from '../../../notifications/webhooks/addresses';
import { InvalidArgument, optionalWord, type ArgumentValues, type Kind } from '../arguments';
import type { Context } from '../context';
import { fileOption } from '../files/file-arguments';
import { fileSizes } from '../files/file-kinds';
import { UploadedFile } from '../files/uploaded-file';
import { changesText } from '../guarded-prices';
import { operation } from '../operation';
import { tried } from '../tried';
import { setByGivenFile } from './given-rates';
import { downloadRates } from './rate-download';
import { refreshByFeed } from './rate-feed';
import type { Refreshed } from './applied-rate-file';

const webUrl: Kind<string> = {
  placeholder: 'url',
  schema: { type: 'string' },
  read: (written) => {
    if (/^https?:\/\/[\x21-\x7e]+$/.test(written)) return written;
    throw new InvalidArgument('Give an address that begins with https://.');
  },
};

const refreshArguments = {
  url: optionalWord(webUrl, 'where to read a file instead of the feed'),
  file: fileOption('euroRates', 'a file of the ECB to use instead of the feed, XML or CSV'),
};

export const refresh = operation({
  name: 'rates refresh',
  about: 'Set the rates that follow the ECB by its daily file. A file that you give counts as your own change',
  roles: ['finance'],
  effect: 'money',
  arguments: refreshArguments,
  isUnasked: true,
  trial: 'PREVIEW',
  async preview(context, given) {
    const file = await readFile(context, given);
    const foreseen = await tried(context, (trial) => apply(trial, file));
    const held = foreseen.filter(({ result }) => result === 'held');
    const others = foreseen.filter(({ result }) => result !== 'held');
    return [
      ...(others.length > 0 || held.length === 0 ? [changesText(others)] : []),
      ...held.map(({ reason }) => `Holds until a person accepts it: ${reason ?? ''}`),
    ].join('\n');
  },
  async run(context, given) {
    const file = await readFile(context, given);
    const origin = file.givenAs === undefined ? 'the ECB' : 'a given file';
    const reason = context.reason ?? `Rates of ${origin} of ${file.rates.day}`;
    const refreshed = await actingInstead({ reason }, () => apply(context, file));
    if (refreshed.length === 0) context.remark('No rate follows the ECB. Let one do so with: rates follow');
    if (refreshed.some((one) => one.reason !== null)) context.mark(1);
    return refreshed;
  },
});

interface RateFile {
  rates: EuroRates;
  /** The name or the address, if the caller gives the file. Absent for a file of the feed. */
  givenAs?: string;
}

/** A file is one of the feed only if the call names no other, also if it names the address of the feed. */
function apply(context: Context, { rates, givenAs }: RateFile): Promise<Refreshed[]> {
  return givenAs === undefined ? refreshByFeed(context, rates) : setByGivenFile(context, rates, givenAs);
}

/** Reads the file. Throws if its day is later than today. */
async function readFile(
  { database, config }: Context,
  { url, file }: ArgumentValues<typeof refreshArguments>,
): Promise<RateFile> {
  const isOfFeed = url === undefined && file === undefined;
  const given = file ?? (await downloaded(url ?? config.rateFeedUrl, config));
  const rates = await given.read();
  if (await isLaterDay(database, rates))
    throw new Error(`The file is of ${rates.day}, a day later than today. Nothing was changed`);
  return isOfFeed ? { rates } : { rates, givenAs: given.name };
}

/** How long reading the file from the network may take. */
const DOWNLOAD_MS = 15_000;

async function downloaded(
  url: string,
  { webhooks, mode }: Pick<Context['config'], 'webhooks' | 'mode'>,
): Promise<UploadedFile<'euroRates'>> {
  const problem = urlProblem(url, { ...webhooks, httpsOnly: mode === 'production' });
  if (problem !== undefined) throw new Error(`${problem}. Nothing was changed`);
  const connect = guardedConnector(webhooks);
  const limits = { connect, maxBytes: fileSizes.euroRates, withinMs: DOWNLOAD_MS };
  return new UploadedFile('euroRates', await downloadRates(url, limits));
}
