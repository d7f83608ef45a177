/** Alerts and dashboard compared with the metrics page: their metrics and their links exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../../dev/stack/run-directory';

interface Scrape {
  job_name: string;
  static_configs?: { targets: string[] }[];
  dns_sd_configs?: { names: string[]; port: number }[];
}

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

test('When docker compose is scraped, then each job has the service of its name, at the port that the service has', () => {
  const { scrape_configs: jobs } = parse(text('deploy/monitoring/prometheus-compose.yml')) as {
    scrape_configs: Scrape[];
  };
  const scraped = jobs.flatMap(({ job_name: job, static_configs: fixed = [], dns_sd_configs: found = [] }) => [
    ...fixed.flatMap(({ targets }) => targets.map((target) => [job, target])),
    ...found.flatMap(({ names, port }) => names.map((name) => [job, `${name}:${port}`])),
  ]);
  const { services } = parse(text('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  const exporting = Object.entries(services).flatMap(([name, { environment = {} }]) =>
    Object.entries(environment).flatMap(([setting, port]) =>
      setting.endsWith('METRICS_PORT') ? [[name, `${name}:${port}`]] : [],
    ),
  );
  expect(scraped.sort()).toEqual(exporting.sort());
});

test('When Kubernetes is scraped, then each port named `metrics` is a target, and the job is the name of its container', () => {
  const containers = ['service/api', 'worker/worker', 'worker/bulk-worker'].map((file) => {
    const [deployment] = parseAllDocuments(text(`deploy/kubernetes/${file}.yaml`)).map(
      (document) =>
        document.toJS() as { spec: { template: { spec: { containers: { name: string; ports: object[] }[] } } } },
    );
    const [container] = deployment?.spec.template.spec.containers ?? [];
    expect(container?.ports).toContainEqual(expect.objectContaining({ name: 'metrics' }));
    return container?.name;
  });
  const gone = rules.find(({ alert }) => alert === 'ProcessGone')?.expr;
  expect(gone).toContain(`up{job=~"${containers.join('|')}"} == 0`);
});
