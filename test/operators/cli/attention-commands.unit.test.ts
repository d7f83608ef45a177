/** The ops CLI accepts every command that the attention list prints, and explains why it rejects another one. */
import type { Command } from 'commander';
import { attentionKinds, resolvingCommands } from '../../../src/domain/attention/attention-kinds';
import { DirectDoor } from '../../support/direct-door';
import { opsProgram } from '../../../src/operators/cli/program';
import { runCommand } from '../../../src/operators/cli/run-command';

const values: Readonly<Record<string, string>> = {
  '<order>': '17',
  '<number>': '3',
  '<endpoint>': '5',
  '<supplier>': 'simulator',
  '<family>': 'vouchers',
  '<item>': '7',
  '<gap>': '4',
  '<sku>': 'A',
  '<cost>': '9.80',
  '<text>': 'settled',
  'ask-again|not-bought|delivered': 'not-bought',
  'ask-again|not-bought|delivered|elsewhere|unusable': 'unusable',
};

/** The full name of the command that the words call. Throws if the CLI rejects them. Does not run the command. */
async function called(words: string[]): Promise<string[]> {
  const names: string[] = [];
  const replace = (command: Command, name: string): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    for (const one of command.commands) replace(one, `${name} ${one.name()}`.trim());
    if (command.parent) command.action(() => void names.push(name));
  };
  const program = opsProgram(new DirectDoor());
  replace(program, '');
  await program.parseAsync(words, { from: 'user' });
  return names;
}

test.each(attentionKinds)('When %s is listed, then the ops CLI accepts the printed command', async (kind) => {
  const words = resolvingCommands[kind].split(' ');
  const names = await called(words.map((word) => values[word] ?? word));
  expect(names).toHaveLength(1);
  expect(words.join(' ').startsWith(names[0] ?? '-')).toBe(true);
});

test('When a command is unknown or lacks its reason, then the ops CLI rejects it', async () => {
  await expect(called(['orders', 'settle', '17'])).rejects.toThrow();
  await expect(called(['orders', 'cancel', '17'])).rejects.toThrow('--reason');
  const accept = ['reconcile', 'accept', 'simulator', 'order-17'];
  await expect(called(accept)).rejects.toThrow('--reason');
  expect(await called([...accept, '--reason', 'Credited'])).toEqual(['reconcile accept']);
  await expect(called(['clients', 'create', 'Acme Ltd'])).rejects.toThrow('--contact');
});

test('When a command requires an option, then its help says so', () => {
  const leaves = (command: Command): Command[] => [command, ...command.commands.flatMap(leaves)];
  const required = leaves(opsProgram(new DirectDoor())).flatMap((command) =>
    command.options
      .filter(({ mandatory }) => mandatory)
      .map(({ flags }) => ({ flags, help: command.helpInformation().replace(/\s+/g, ' ') })),
  );
  expect(required.length).toBeGreaterThan(20);
  for (const { flags, help } of required) expect(help).toMatch(new RegExp(`${flags} [^<]*[(]required[)]`));
});

test.each([
  [['clients', 'create', '12', '--contact', 'a@client.example'], 'a name that is not a number'],
  [['clients', 'create', ' ', '--contact', 'a@client.example'], 'a name that is not a number'],
  [['webhooks', 'skip', '5', '17'], 'Give the id of an event'],
  [['attention', '--kind', 'SUPPLIER_SLOW'], 'Give one of OUTCOME_UNKNOWN'],
])('When `ops %j` names something that cannot be addressed, then it says what is valid', async (words, remedy) => {
  await expect(called(words)).rejects.toThrow(remedy);
});

test('When failures of orders are unusual, then the list names the command that stops the sales of their supplier', () => {
  expect(resolvingCommands.FAILURES_UNUSUAL).toMatch(/^suppliers pause <supplier>/);
});

/** What the ops CLI prints about a command that it cannot read. */
async function rejection(...words: string[]): Promise<string[]> {
  const printed: string[] = [];
  const keep = (text: unknown) => printed.push(String(text).trim()) > 0;
  jest.spyOn(process.stderr, 'write').mockImplementation(keep);
  jest.spyOn(console, 'error').mockImplementation(keep);
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`Exits with ${code}`);
  });
  try {
    await runCommand(words);
  } finally {
    jest.restoreAllMocks();
  }
  return printed.slice(0, -1);
}

test('When a command lacks several values, then the ops CLI names all of them at once', async () => {
  expect(await rejection('wallets', 'fund')).toEqual([
    "error: required option '--reference <text>' not specified",
    "error: missing required argument 'wallet'",
    "error: missing required argument 'amount'",
  ]);
  expect(await rejection('wallets', 'fund', '7', '--reference', 'transfer-1')).toEqual([
    "error: missing required argument 'amount'",
  ]);
});

test.each([
  ['orders list', '(Did you mean orders find?)'],
  ['orders lits', '(Did you mean orders find?)'],
  ['wallets delete', '(See: ops wallets --help)'],
  ['delete 7', '(Did you mean one of members remove, keys revoke, .*)'],
  ['order find 7', '(Did you mean orders?)'],
])('When there is no command `%s`, then the ops CLI names the nearest one', async (words, nearest) => {
  const [unknown, suggestion, ...others] = (await rejection(...words.split(' '))).join('\n').split('\n');
  expect(unknown).toMatch(/^error: unknown command '(list|lits|delete|order)'$/);
  expect(suggestion).toMatch(new RegExp(`^${nearest.replace(/[()?]/g, '\\$&')}$`));
  expect(others).toEqual([]);
});
