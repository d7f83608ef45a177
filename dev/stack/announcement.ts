/** The texts that a stack prints when it is ready. */
import { relative } from 'node:path';
import { RunDirectory } from './run-directory';
import { TEMPORAL_UI_PATH } from './settings';
import type { StackFile } from './stack-file';

export function consoleUrl({ api_url: api }: Pick<StackFile, 'api_url'>): string {
  return `${api}/console`;
}

/** The Temporal UI behind the sign-in, where the operators' process decrypts payloads. */
export function signedInUiUrl({ ops_url: operators }: Pick<StackFile, 'ops_url'>): string {
  return operators + TEMPORAL_UI_PATH;
}

/** The addresses of the stack, one per line. */
export function addressList(stack: StackFile, signInLink: string, seconds: number): string {
  const directory = new RunDirectory();
  const lines = {
    API: stack.api_url,
    Console: consoleUrl(stack),
    Operators: `${stack.ops_url} (sign in once within 15 minutes: ${signInLink})`,
    'Temporal UI': signedInUiUrl(stack),
    Mailbox: `${stack.mailbox_url}/messages`,
    Simulator: stack.simulator_url,
    ...suppliersOf(stack),
    Metrics: stack.metrics_url,
    'All the rest': relative(process.cwd(), directory.file('stack.json')),
    Logs: relative(process.cwd(), directory.file('logs')),
  };
  const table = Object.entries(lines).map(([name, value]) => `  ${name.padEnd(13)} ${value}`);
  return `\nReady after ${seconds.toFixed(1)} s. Ctrl-C stops everything.\n\n${table.join('\n')}\n`;
}

function suppliersOf({ suppliers = {} }: StackFile): Record<string, string> {
  return Object.fromEntries(Object.entries(suppliers).map(([name, { url }]) => [`Fake ${name}`, url]));
}

/** A voucher order to paste into a shell. */
export function curlExample(stack: Pick<StackFile, 'api_url' | 'clients' | 'scenarios'>): string {
  const { api_url, clients, scenarios } = stack;
  const client = clients['demo'];
  const scenario = scenarios.find(({ name }) => name === 'voucher_instant');
  if (!client || !scenario) return '';
  const credentials = JSON.stringify({ username: client.api_key, password: client.api_secret });
  const json = `-H 'Content-Type: application/json'`;
  return `Log in and order a voucher:

TOKEN=$(curl -s ${api_url}/auth/login ${json} \\
  -d '${credentials}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s ${api_url}${scenario.path} ${json} \\
  -H "Authorization: Bearer $TOKEN" -d '${JSON.stringify(scenario.body)}'
`;
}
