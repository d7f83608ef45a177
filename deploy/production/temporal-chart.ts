/** What Temporal's Helm chart makes of the values for a Temporal server in the cluster. */
import { parse, parseAllDocuments } from 'yaml';
import type { Chart } from './kubernetes-tools';

interface Pod {
  containers: { volumeMounts?: { name: string; mountPath: string }[] }[];
  initContainers?: Pod['containers'];
  volumes?: { name: string; secret?: { secretName: string } }[];
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: { spec: Pod } };
}
interface ServerConfig {
  global: { tls?: Record<string, { server?: { certFile?: string; requireClientAuth?: boolean } }> };
}

/** The chart that the commands of a page install. */
export function chartIn(page: string): Chart {
  const [, name = '', repository = '', version = ''] =
    /^helm install \S+ (\S+) --repo (\S+) --version (\S+)/m.exec(page) ?? [];
  return { name, repository, version };
}

/** Why a rendered server would take calls without a client certificate, or not start. */
export function faultsOf(rendered: string): string[] {
  const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest | null);
  const template = manifests.flatMap((manifest) => manifest?.data?.['config_template.yaml'] ?? []);
  // The server itself fills in its variables.
  const { global } = parse((template[0] ?? 'global: {}').replace(/\{\{[^}]*\}\}/g, 'x')) as ServerConfig;
  const open = ['frontend', 'internode'].filter((part) => global.tls?.[part]?.server?.requireClientAuth !== true);
  const folder = global.tls?.['frontend']?.server?.certFile?.replace(/\/[^/]*$/, '');
  const blind = manifests
    .filter((manifest) => manifest?.kind === 'Deployment' || manifest?.metadata.name.includes('-namespace-'))
    .filter((manifest) => !hasCertificates(manifest?.spec?.template?.spec, folder));
  return [
    ...open.map((part) => `The part ${part} of the server demands no client certificate.`),
    ...blind.map((manifest) => `${manifest?.kind} ${manifest?.metadata.name} has no certificate at ${folder}.`),
  ];
}

function hasCertificates(pod: Pod | undefined, folder: string | undefined): boolean {
  const [container] = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
  const mount = container?.volumeMounts?.find(({ mountPath }) => mountPath === folder);
  return (
    mount !== undefined && (pod?.volumes ?? []).some(({ name, secret }) => name === mount.name && secret !== undefined)
  );
}
