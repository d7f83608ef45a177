/** Alerts and dashboard compared with the metrics page: their metrics and their links exist. */
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

/** The metrics of an expression, without the suffixes of histograms. */
function metricsOf(expr: string): string[] {
  return [...expr.matchAll(/(?:digital_goods|temporal)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
}

test.each([
  // `up` is Prometheus' own.
  ...rules.filter(({ expr }) => !expr.startsWith('up{')).map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr])),
])('When %s queries metrics, then the page documents them', (_name, expr) => {
  expect(metricsOf(expr)).not.toEqual([]);
  for (const name of metricsOf(expr)) expect(page).toContain(`| \`${name}\``);
});

test('When an alert fires, then it states the action and links to the runbook', () => {
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

test('When an alert exists, then it has a test', () => {
  const { tests } = parse(text('deploy/monitoring/alerts.test.yml')) as { tests: { name: string }[] };
  expect(tests.map(({ name }) => name).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

test('When an alert or a panel computes a share of supplier calls, then it leaves out the calls that the service held back', () => {
  const shares = [...rules, ...panels.flatMap(({ targets = [] }) => targets)]
    .map(({ expr }) => expr)
    .filter((expr) => /supplier_call_seconds_count.*\//s.test(expr));
  expect(shares).toHaveLength(2);
  for (const expr of shares)
    for (const [, selector] of expr.matchAll(/supplier_call_seconds_count(\S*)\[/g))
      expect(selector).toContain('CallHeldBack');
});
