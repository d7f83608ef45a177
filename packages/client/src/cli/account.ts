/** Whose account `dgo` uses. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DigitalGoods } from '../client.ts';
import { Problem } from './problem.ts';

/** The part of `stack.json` that names the demo client of `npm start`. */
interface StackFile {
  api_url: string;
  clients: { demo: { api_key: string; api_secret: string } };
}

/**
 * The client of `API_URL`, `API_KEY` and `API_SECRET`, or the demo client of the stack that runs in this folder or one above.
 * Throws a `Problem` if there is neither, or if a value has blanks, line breaks or quotes around it.
 */
export function account(environment: NodeJS.ProcessEnv, folder: string): DigitalGoods {
  const { API_URL: baseUrl = '', API_KEY: apiKey = '', API_SECRET: apiSecret = '' } = environment;
  const given = Object.entries({ API_URL: baseUrl, API_KEY: apiKey, API_SECRET: apiSecret });
  const missing = given.flatMap(([name, value]) => (value.trim() === '' ? [name] : []));
  const wrapped = given.find(([name, value]) => !missing.includes(name) && isWrapped(value));
  if (wrapped) throw new Problem(`${wrapped[0]} must not begin or end with a blank or a line break, nor be in quotes.`);
  if (missing.length === 0) return new DigitalGoods({ baseUrl, apiKey, apiSecret });
  if (missing.length < 3) throw new Problem(`${missing.join(' and ')} must be set, too.`);
  const file = fileAbove(folder, join('.run', 'stack.json'));
  if (file === undefined) throw new Problem('Set API_URL, API_KEY and API_SECRET, or start a stack with npm start.');
  const stack = JSON.parse(readFileSync(file, 'utf8')) as StackFile;
  const { api_key, api_secret } = stack.clients.demo;
  return new DigitalGoods({ baseUrl: stack.api_url, apiKey: api_key, apiSecret: api_secret });
}

/** A file of settings with the line ends of Windows leaves a carriage return, and some programs keep quotes. */
const isWrapped = (value: string) => value !== value.trim() || /^(["']).*\1$/.test(value);

/** The path of the file in the folder or the nearest one above that has it. */
function fileAbove(folder: string, name: string): string | undefined {
  const file = join(folder, name);
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? undefined : fileAbove(parent, name);
}
