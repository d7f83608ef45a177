/** Alerts and dashboard against the page of figures: what they ask for exists, what they say leads somewhere. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../dev/stack/run-directory';

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<'summary' | 'action' | 'runbook', string>;
}

function text(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const page = text('docs/operators/metrics.md');
const { groups } = parse(text('deploy/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(text('deploy/monitoring/dashboard.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};

/** Figures that an expression asks for, without what a histogram adds to its name. */
function figuresOf(expr: string): string[] {
  return [...expr.matchAll(/(?:digital_goods|temporal)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
}

test.each([
  // `up` is Prometheus' own.
  ...rules
    .filter(({ expr }) => !expr.startsWith('up{'))
    .map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr])),
])('When %s asks for figures, then the page tells what they are', (_name, expr) => {
  expect(figuresOf(expr)).not.toEqual([]);
  for (const name of figuresOf(expr)) expect(page).toContain(`| \`${name}\``);
});

test('When an alert goes off, then it says what to do and where that is written', () => {
  const headings = [...text('docs/operators/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  for (const { annotations } of rules) {
    expect(annotations.action).toMatch(/^[A-Z].+\.$/);
    const [path, heading] = annotations.runbook.split('#');
    expect(path).toBe('docs/operators/runbook.md');
    expect(headings).toContain(heading);
  }
});

test('When there is an alert, then it has a test', () => {
  const { tests } = parse(text('deploy/monitoring/alerts.test.yml')) as { tests: { name: string }[] };
  expect(tests.map(({ name }) => name).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});
