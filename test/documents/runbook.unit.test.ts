/** The structure of the runbook: its table links every case, and one file of test/runbook carries out each case. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attentionPage } from '../../dev/documents/attention-page';
import { runbook } from '../runbook/runbook-case';
import { codeBlocks, codeBlocksBelow, proseOf, root, shellCommandsOf, textOf } from './documents';

const folder = 'test/runbook';
const carriedOut = readdirSync(join(root, folder))
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...textOf(`${folder}/${file}`).matchAll(/^describeCase\(\s*'([\w-]+)'/gm)])
  .map(([, anchor]) => anchor as string);

const anchorOf = (heading: string): string => heading.toLowerCase().replace(/ /g, '-');
const cases = [...proseOf(runbook).matchAll(/^## +(.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const commandsOf = (blocks: readonly { language: string; code: string }[]): string[] =>
  blocks
    .filter(({ language }) => ['sh', 'sql'].includes(language))
    .flatMap(({ code }) => shellCommandsOf(code));

const withCommands = cases.filter((anchor) => commandsOf(codeBlocksBelow(runbook, anchor)).length > 0);

test.each(withCommands)('When #%s shows commands, then one test carries out the case', (anchor) => {
  expect(carriedOut.filter((one) => one === anchor)).toEqual([anchor]);
});

test('When the runbook shows a command, then it belongs to a case', () => {
  const ofCases = new Set(withCommands.flatMap((anchor) => commandsOf(codeBlocksBelow(runbook, anchor))));
  expect(commandsOf(codeBlocks(runbook)).filter((command) => !ofCases.has(command))).toEqual([]);
});

test('When a kind of attention or its command has changed, then npm run openapi has written the page', () => {
  expect(textOf('docs/operators/attention.md')).toBe(attentionPage());
});

test.each(cases)('When an operator looks up the symptom of #%s, then a table links to it', (anchor) => {
  expect(`${textOf(runbook)}${attentionPage()}`).toMatch(
    new RegExp(`^\\| .*\\((runbook\\.md)?#${anchor}\\).* \\|$`, 'm'),
  );
});

test.each(cases)('When an operator opens #%s, then its first line states the first step', (anchor) => {
  const lines = textOf(runbook).split('\n');
  const heading = lines.findIndex((line) => line.startsWith('## ') && anchorOf(line.slice(3)) === anchor);
  expect(lines[heading + 2]).toMatch(/^\*\*\S/);
});
