/**
 * `npm run test:more -- kubernetes`: builds the manifests of the example as an installation does, renders Temporal's chart with its
 * values, and validates both against the schemas of Kubernetes. Needs Go, which builds the tools once. Without Go, prints a note and
 * skips.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { succeeds } from '../../dev/stack/commands';
import { messageOf, Problem } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';
import { helm, kubernetesTools } from './kubernetes-tools';
import { uncommented } from './manifests';
import { chartIn, faultsOf } from './temporal-chart';

/** The newest version whose schemas the validator contains. */
const KUBERNETES = '1.30';

const run = promisify(execFile);

async function main(): Promise<void> {
  if (!(await succeeds('go', ['version']))) {
    console.log('Skipped: Go is not installed, which builds kustomize and kubectl-validate (https://go.dev/dl).');
    return;
  }
  const { kustomize, validator } = await kubernetesTools();
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  const isValid = (name: string, manifests: string): Promise<boolean> => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, manifests);
    return run(validator, [file, '--version', KUBERNETES]).then(
      () => true,
      (error: unknown) => {
        console.log(messageOf(error));
        return false;
      },
    );
  };
  try {
    const copy = join(folder, 'kubernetes');
    cpSync(join(ROOT, 'deploy/kubernetes'), copy, { recursive: true });
    for (const name of ['temporal-network', 'prometheus'])
      if (!(await isValid(name, readFileSync(join(copy, `example/${name}.yaml`), 'utf8'))))
        throw new Problem(`kubernetes/example/${name}.yaml is not valid: see above.`);
    for (const name of ['service', 'worker']) {
      const path = join(copy, 'example', name);
      const built = await kustomize(path);
      if (!(await isValid(name, built))) throw new Problem(`kubernetes/example/${name} is not valid: see above.`);
      console.log(`kubernetes/example/${name} is valid.`);
      console.log('Manifests that must be rejected:');
      if (await isValid(`${name}-broken`, built.replace('containerPort:', 'containerPrt:')))
        throw new Problem('The validator accepts a field that does not exist, so it proves nothing.');
      const file = join(path, 'kustomization.yaml');
      writeFileSync(file, uncommented(readFileSync(file, 'utf8')));
      if (!(await isValid(`${name}-uncommented`, await kustomize(path))))
        throw new Problem(`kubernetes/example/${name} is not valid with what it comments out: see above.`);
    }
    await proveChart(copy, isValid);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws a message unless a server of the values demands client certificates. Skips if the chart cannot be fetched. */
async function proveChart(copy: string, isValid: (name: string, manifests: string) => Promise<boolean>): Promise<void> {
  const chart = chartIn(readFileSync(join(ROOT, 'docs/operators/production.md'), 'utf8'));
  const file = join(copy, 'example/temporal.yaml');
  const render = await helm(chart).catch((error: unknown) => {
    console.log(`Skipped the chart ${chart.name} ${chart.version}: ${messageOf(error)}`);
  });
  if (!render) return;
  const values = readFileSync(file, 'utf8');
  for (const [name, text] of Object.entries({ temporal: values, 'temporal-uncommented': uncommented(values) })) {
    writeFileSync(file, text);
    const rendered = await render(file);
    const faults = faultsOf(rendered);
    if (faults.length > 0) throw new Problem(`kubernetes/example/temporal.yaml: ${faults.join(' ')}`);
    if (!(await isValid(name, rendered)))
      throw new Problem('kubernetes/example/temporal.yaml is not valid: see above.');
  }
  writeFileSync(file, values.replace('    tls:\n', '    ignored:\n'));
  if (faultsOf(await render(file)).length === 0)
    throw new Problem('A server without TLS passes the check of the chart, so it proves nothing.');
  console.log(`kubernetes/example/temporal.yaml is right for ${chart.name} ${chart.version}.`);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
