/**
 * `npm run test:more -- kubernetes`: builds the manifests of the example as an installation does, and validates them against
 * the schemas of Kubernetes. Needs Go, which builds both tools once. Without Go, prints a note and skips.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { succeeds } from '../../dev/stack/commands';
import { goInstall, keptFolder } from '../../dev/stack/downloads';
import { messageOf, Problem } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';

/** Pinned to the newest version that Go 1.26 builds. */
const KUSTOMIZE = '5.8.1';
const KUBECTL_VALIDATE = '0.0.4';
/** The newest version whose schemas the validator contains. */
const KUBERNETES = '1.30';

const run = promisify(execFile);

/** The folder with both programs. */
function tools(): Promise<string> {
  return keptFolder(`kubernetes-${KUSTOMIZE}-${KUBECTL_VALIDATE}`, async (folder) => {
    console.log('Building kustomize and kubectl-validate (takes minutes, once) ...');
    // They need different versions of the same modules.
    await goInstall([`sigs.k8s.io/kustomize/kustomize/v5@v${KUSTOMIZE}`], folder, console.log);
    await goInstall([`sigs.k8s.io/kubectl-validate@v${KUBECTL_VALIDATE}`], folder, console.log);
  });
}

async function main(): Promise<void> {
  if (!(await succeeds('go', ['version']))) {
    console.log(
      'Skipped: Go is not installed, which builds kustomize and kubectl-validate (https://go.dev/dl).',
    );
    return;
  }
  const programs = await tools();
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  const isValid = (name: string, manifests: string): Promise<boolean> => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, manifests);
    return run(join(programs, 'kubectl-validate'), [file, '--version', KUBERNETES]).then(
      () => true,
      (error: unknown) => {
        console.log(messageOf(error));
        return false;
      },
    );
  };
  try {
    for (const name of ['service', 'worker']) {
      const path = join(ROOT, 'deploy/kubernetes/example', name);
      const { stdout } = await run(join(programs, 'kustomize'), ['build', path]);
      if (!(await isValid(name, stdout)))
        throw new Problem(`kubernetes/example/${name} is not valid: see above.`);
      console.log(`kubernetes/example/${name} is valid.`);
      console.log('Manifests that must be rejected:');
      if (await isValid(`${name}-broken`, stdout.replace('containerPort:', 'containerPrt:')))
        throw new Problem('The validator accepts a field that does not exist, so it proves nothing.');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
