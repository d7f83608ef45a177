/** Changes the stack with the commands of the ops CLI, in this process. */
import { randomBytes } from 'node:crypto';
import { RemoteDoor, type Door } from '../../src/ops-cli/operators-client';
import { opsProgram } from '../../src/ops-cli/program';
import { currentOperator } from '../../src/ops-cli/command-resources';
import { DirectDoor } from './direct-door';
import { stackSecretKeys } from './keys';
import { loadStack, stackDirectory, type Json } from './stack';

/** Runs a command on the stack. Returns the printed rows; none if the command prints a message. */
export async function ops(...words: (string | number)[]): Promise<Json[]> {
  const text = await printedBy(loadStack().database_url, '--json', ...words);
  return text.startsWith('[') ? (JSON.parse(text) as Json[]) : [];
}

/** The SECRET_KEYS of databases outside the stack. */
export const ownSecretKeys = `test:${randomBytes(32).toString('base64')}`;

/** Runs a command on a database. Returns its output. */
export function printedBy(databaseUrl: string, ...words: (string | number)[]): Promise<string> {
  const secretKeys = databaseUrl === loadStack().database_url ? stackSecretKeys() : ownSecretKeys;
  return printedWith({ databaseUrl, secretKeys }, ...words);
}

/** The operators' process of the stack, as its local admin; for another database, its operations in this process. */
function doorOf(databaseUrl: string): Door {
  const { database_url: ofStack, ops_url: url } = loadStack();
  if (databaseUrl !== ofStack) return new DirectDoor();
  return new RemoteDoor(() => ({ url, token: stackDirectory().operatorToken() ?? '' }), currentOperator);
}

/** Has the operators' process of the stack encrypt or decrypt payloads, as the Temporal UI does. `token`: by default, of the local admin. */
export function callCodec(
  direction: 'encode' | 'decode',
  payloads: readonly object[],
  token = stackDirectory().operatorToken() ?? '',
): Promise<Response> {
  return fetch(`${loadStack().codec_url}/${direction}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ payloads }),
  });
}

/** The CLI's environment. */
export interface ToolSettings {
  databaseUrl: string;
  secretKeys: string;
  /** By default, that of the stack. */
  temporalAddress?: string;
}

/** The same with other SECRET_KEYS. */
export async function printedWith(
  { databaseUrl, secretKeys, temporalAddress = loadStack().temporal_address }: ToolSettings,
  ...words: (string | number)[]
): Promise<string> {
  const printed = jest.spyOn(console, 'log').mockImplementation();
  const environment = { ...process.env };
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: secretKeys,
    TEMPORAL_ADDRESS: temporalAddress,
    // The commands of these tests do not call the supplier.
    SIMULATOR_SECRET: randomBytes(16).toString('hex'),
  });
  try {
    await opsProgram(doorOf(databaseUrl)).parseAsync(words.map(String), { from: 'user' });
    return printed.mock.calls.flat().join('\n');
  } finally {
    process.env = environment;
    printed.mockRestore();
  }
}
