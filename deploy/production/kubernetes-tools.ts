/** The tools for the manifests of Kubernetes, built with Go once. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goInstall, keptFolder } from '../../dev/stack/downloads';

/** Pinned to the newest version that Go 1.26 builds. */
const KUSTOMIZE = '5.8.1';
const KUBECTL_VALIDATE = '0.0.4';

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
