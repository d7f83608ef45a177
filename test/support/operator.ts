/** The stack as its operators change it: by the commands of the command-line tool, in this process. */
import { randomBytes } from 'node:crypto';
import { opsProgram } from '../../src/ops/program';
import { loadStack, type Json } from './stack';

/** Runs a command on the stack and returns the rows it prints; none where it prints a sentence. */
export async function ops(...words: (string | number)[]): Promise<Json[]> {
  const text = await printedBy(loadStack().database_url, '--json', ...words);
  return text.startsWith('[') ? (JSON.parse(text) as Json[]) : [];
}

/** Runs a command on a database and returns what it prints. */
export async function printedBy(databaseUrl: string, ...words: (string | number)[]): Promise<string> {
  const printed = jest.spyOn(console, 'log').mockImplementation();
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    // The commands that tests run neither seal nor speak to the supplier.
    SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    SIMULATOR_SECRET: randomBytes(16).toString('hex'),
  });
  try {
    await opsProgram().parseAsync(words.map(String), { from: 'user' });
    return printed.mock.calls.flat().join('\n');
  } finally {
    printed.mockRestore();
  }
}
