/** The command-line tool `dgo`. */
import { parseArgs } from 'node:util';
import { DigitalGoodsError } from '../errors.ts';
import { account } from './account.ts';
import { listen } from './listen.ts';
import { getOrder, listOrders } from './orders.ts';
import { printable } from './printable.ts';
import { Problem } from './problem.ts';
import { trigger } from './trigger.ts';

const help = `dgo: the Digital Goods Ordering API from the command line

  dgo listen --forward-to <url>    forward the account's events to a receiver on this machine, signed as webhooks are
      [--events <type,type>]       only these types
      [--secret <whsec_...>]       sign with this secret, not with a new one
  dgo events resend <id>           send an event again to your endpoints, and to the receiver of dgo listen
  dgo trigger <scenario>           place the order of a sandbox scenario, such as voucher_instant
  dgo orders list                  list the newest orders
      [--family voucher|topup|esim] [--status <status>] [--limit <number>]
  dgo orders get <id>              print an order as JSON

The account is that of API_URL, API_KEY and API_SECRET, or the client demo on the stack that npm start runs.`;

const options = {
  'forward-to': { type: 'string' },
  events: { type: 'string' },
  secret: { type: 'string' },
  family: { type: 'string' },
  status: { type: 'string' },
  limit: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Values = Partial<Record<Exclude<keyof typeof options, 'help'>, string>>;

/** The options of each command. */
const commands = new Map<string, readonly (keyof Values)[]>([
  ['listen', ['forward-to', 'events', 'secret']],
  ['events resend', []],
  ['trigger', []],
  ['orders list', ['family', 'status', 'limit']],
  ['orders get', []],
]);

// Under `npm exec -w`, the working directory is that of the package. npm keeps the caller's.
const folder = process.env['INIT_CWD'] ?? process.cwd();
const say = (text: string): void => console.log(printable(text));

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parsed(args);
  if (values.help || positionals.length === 0) return say(help);
  const words = ['orders', 'events'].includes(positionals[0] ?? '') ? 2 : 1;
  const command = positionals.slice(0, words).join(' ');
  const allowed = commands.get(command);
  if (!allowed) throw new Problem(`There is no command ${command}. dgo --help lists them.`);
  const { help: _help, ...given } = values;
  const unknown = Object.keys(given).find((name) => !allowed.some((each) => each === name));
  if (unknown !== undefined) throw new Problem(`dgo ${command} has no option --${unknown}.`);
  await run(command, positionals.slice(words), given);
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Problem(`${(error as Error).message.split('. ')[0] ?? ''}. dgo --help lists the options.`);
  }
}

async function run(command: string, words: string[], values: Values): Promise<void> {
  const client = () => account(process.env, folder);
  switch (command) {
    case 'listen': {
      noMore(words);
      const forwardTo = values['forward-to'];
      if (forwardTo === undefined)
        throw new Problem('--forward-to is missing, such as --forward-to http://localhost:4999/hooks.');
      const types = values.events?.split(',');
      return listen(client(), { forwardTo, types, secret: values.secret, say, signal: untilStopped() });
    }
    case 'trigger':
      return say(await trigger(client(), only(words, 'the name of a scenario')));
    case 'events resend': {
      const { event_id: id, endpoint_ids: ids } = await client().webhooks.events.redeliver(
        only(words, 'the id of an event'),
      );
      return say(`Event ${id} is being sent again to endpoint ${ids.join(', ')}.`);
    }
    case 'orders list':
      noMore(words);
      return say(await listOrders(client(), values));
    default:
      return say(await getOrder(client(), only(words, 'the id of an order')));
  }
}

function only(words: string[], what: string): string {
  const [first, ...others] = words;
  if (first === undefined) throw new Problem(`Name ${what}.`);
  noMore(others);
  return first;
}

function noMore([unexpected]: string[]): void {
  if (unexpected !== undefined) throw new Problem(`${unexpected} is one argument too many.`);
}

/** Aborted by Ctrl-C. */
function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const event of ['SIGINT', 'SIGTERM'] as const) process.once(event, () => stop.abort());
  return stop.signal;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof Problem || error instanceof DigitalGoodsError;
  console.error(isExpected ? printable(error.message) : error);
  process.exitCode = 1;
});
