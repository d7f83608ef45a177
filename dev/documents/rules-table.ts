/** The table of docs/developers/architecture.md#where-the-rules-are, from the lines `Rule: ...` of the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../stack/run-directory';

/** A file with the rule that it states. */
interface StatedRule {
  file: string;
  rule: string;
}

/** The rules by file. A rule that is longer than a line goes on in indented lines. */
export function statedRules(): StatedRule[] {
  return ['src', 'workflows', 'activities'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|sql)$/.test(name))
      .sort()
      .flatMap((name) => ruleIn(`${folder}/${name}`)),
  );
}

function ruleIn(file: string): StatedRule[] {
  const [, first, more = ''] =
    /^(?: \*|--) Rule: (.*)\n((?:(?: \*|--) {3}.*\n)*)/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
  if (first === undefined) return [];
  return [
    {
      file,
      rule: [first, ...more.split('\n')]
        .map((line) => line.replace(/^(?: \*|--) */, ''))
        .join(' ')
        .trim(),
    },
  ];
}

/** The table as Markdown, by what the rule says. */
export function rulesTable(): string {
  const rows = statedRules()
    .map(({ file, rule }) => `| ${rule} | [\`${basename(file)}\`](../../${file}) |`)
    .sort();
  return ['| rule | where |', '|---|---|', ...rows, ''].join('\n');
}
