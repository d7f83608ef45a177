/** The tools for the manifests of Kubernetes and the chart of Temporal, built with Go once. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goInstall, keptFolder } from '../../dev/stack/downloads';

/** Pinned to the newest version that Go 1.26 builds. */
const KUSTOMIZE = '5.8.1';
const KUBECTL_VALIDATE = '0.0.4';
const HELM = '3.19.0';

interface KubernetesTools {
  /** Builds the kustomization in a folder. */
  kustomize: (folder: string) => Promise<string>;
  /** The path of kubectl-validate. */
  validator: string;
}

export async function kubernetesTools(): Promise<KubernetesTools> {
  const programs = await keptFolder(`kubernetes-${KUSTOMIZE}-${KUBECTL_VALIDATE}`, async (folder) => {
    console.log('Building kustomize and kubectl-validate (takes minutes, once) ...');
    // They need different versions of the same modules.
    await goInstall([`sigs.k8s.io/kustomize/kustomize/v5@v${KUSTOMIZE}`], folder, console.log);
    await goInstall([`sigs.k8s.io/kubectl-validate@v${KUBECTL_VALIDATE}`], folder, console.log);
  });
  return {
    kustomize: async (folder) => (await promisify(execFile)(join(programs, 'kustomize'), ['build', folder])).stdout,
    validator: join(programs, 'kubectl-validate'),
  };
}

/** A chart as the pages install it. */
export interface Chart {
  name: string;
  repository: string;
  version: string;
}

/** Renders a chart with a file of values. Throws if the chart cannot be fetched, which happens once. */
export async function helm({ name, repository, version }: Chart): Promise<(values: string) => Promise<string>> {
  const programs = await keptFolder(`helm-${HELM}`, async (folder) => {
    console.log('Building helm (takes minutes, once) ...');
    await goInstall([`helm.sh/helm/v3/cmd/helm@v${HELM}`], folder, console.log);
  });
  const run = async (...words: string[]) => (await promisify(execFile)(join(programs, 'helm'), words)).stdout;
  const chart = await keptFolder(`chart-${name}-${version}`, async (folder) => {
    await run('pull', name, '--repo', repository, '--version', version, '--untar', '--untardir', folder);
  });
  return (values) => run('template', name, join(chart, name), '--namespace', name, '--values', values);
}
