/** The structure of the runbook: its table links every case, and one file of test/operators/runbook carries out each case. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attentionPage } from '../../dev/documents/attention-page';
import { attentionExplanations } from '../../src/domain/attention/attention-explanations';
import { attentionKinds } from '../../src/domain/attention/attention-kinds';
import { runbook } from '../operators/runbook/runbook-case';
import { codeBlocks, codeBlocksBelow, proseOf, root, shellCommandsOf, textOf } from './documents';

const folder = 'test/operators/runbook';
const carriedOut = readdirSync(join(root, folder))
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...textOf(`${folder}/${file}`).matchAll(/^describeCase\(\s*'([\w-]+)'/gm)])
  .map(([, anchor]) => anchor as string);

/** How the part of a case about pages begins. */
const pages = '**In the back office**';

const anchorOf = (heading: string): string => heading.toLowerCase().replace(/ /g, '-');
const cases = [...proseOf(runbook).matchAll(/^## +(.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const commandsOf = (blocks: readonly { language: string; code: string }[]): string[] =>
  blocks.filter(({ language }) => ['sh', 'sql'].includes(language)).flatMap(({ code }) => shellCommandsOf(code));

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

/** The lines below the heading of a case. */
function linesOf(anchor: string): string[] {
  const section = textOf(runbook)
    .split(/^## /m)
    .find((text) => anchorOf(text.split('\n', 1)[0] ?? '') === anchor);
  return section?.split('\n').slice(1) ?? [];
}

test.each(cases)('When an operator opens #%s, then its first line states the first step', (anchor) => {
  expect(linesOf(anchor)[1]).toMatch(/^\*\*\S/);
});

test.each(cases)('When a symptom of #%s is a kind of attention, then its entry links to the case', (anchor) => {
  const [symptoms = ''] = /^Symptoms: [^.]*/m.exec(linesOf(anchor).join('\n')) ?? [];
  const kinds = attentionKinds.filter((kind) => symptoms.includes(`\`${kind}\``));
  const linked = kinds.filter((kind) => attentionExplanations[kind].action.includes(`(runbook.md#${anchor})`));
  expect(linked).toEqual(kinds);
});

const inPages = cases.filter((anchor) => linesOf(anchor).some((line) => line.startsWith(pages)));

test.each(inPages)(
  'When #%s names pages, then they come before its commands, and a test ends the case in a browser',
  (anchor) => {
    const lines = linesOf(anchor);
    const command = lines.indexOf('```sh');
    expect(command === -1 || lines.findIndex((line) => line.startsWith(pages)) < command).toBe(true);
    const titles = textOf('test/operators/office/incidents.test.ts').match(/^ +test\(\s*'[^']+'/gm) ?? [];
    expect(titles.filter((title) => title.includes(`#${anchor}`))).not.toEqual([]);
  },
);
