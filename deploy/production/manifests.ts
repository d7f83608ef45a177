/** Built manifests as services, which processes of this machine can run: each with the environment that its pod would have. */
import { parseAllDocuments } from 'yaml';
import type { ComposeService } from './compose-file';

/** The values of secrets and of files, which an installation has apart from its manifests. */
export interface Secrets {
  /** The keys of each secret. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The folders of this machine, by the path at which pods mount them. */
  folders: Readonly<Record<string, string>>;
}

interface Source {
  name: string;
  key: string;
  optional?: boolean;
}
interface Container {
  image: string;
  command?: string[];
  env: {
    name: string;
    value?: string;
    valueFrom?: { secretKeyRef?: Source; configMapKeyRef?: Source; fieldRef?: { fieldPath: string } };
  }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe?: { httpGet: { path: string; port: string } };
}
interface Template {
  metadata: { labels: Record<string, string> };
  spec: { containers: [Container] };
}
interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: { template?: Template; jobTemplate?: { spec: { template: Template } } };
}

/** A built kustomization. */
export class Manifests {
  private readonly all: readonly Manifest[];

  constructor(
    built: string,
    private readonly secrets: Secrets,
    /** Whose ConfigMap these pods read, if not their own. */
    private readonly settings?: Manifests,
  ) {
    this.all = parseAllDocuments(built).map((document) => document.toJS() as Manifest);
  }

  /** The pods of the kinds, by the names of their owners. `component`: only these. */
  services(kinds: readonly string[], component?: string): Record<string, ComposeService> {
    const chosen = this.all.filter(
      ({ kind, metadata: { labels = {} } }) =>
        kinds.includes(kind) && (component === undefined || labels['app.kubernetes.io/component'] === component),
    );
    return Object.fromEntries(
      chosen.flatMap(({ kind, metadata: { name }, spec = {} }) => {
        const template = spec.template ?? spec.jobTemplate?.spec.template;
        return template ? [[name, this.serviceOf(kind, template)]] : [];
      }),
    );
  }

  private serviceOf(kind: string, template: Template): ComposeService {
    const [container] = template.spec.containers;
    const probe = container.readinessProbe?.httpGet;
    const port = container.ports?.find(({ name }) => name === probe?.port)?.containerPort;
    return {
      // Registries differ.
      image: container.image.replace(/^.*\/(?=digital-goods)/, ''),
      ...(container.command && { entrypoint: container.command }),
      environment: this.environmentOf(container, template),
      ...(probe && { healthcheck: { test: ['CMD', 'wget', `http://127.0.0.1:${port}${probe.path}`] } }),
      // Only a Deployment keeps its pods.
      ...(kind === 'Deployment' && { restart: 'unless-stopped' }),
    };
  }

  private environmentOf({ env, envFrom = [] }: Container, { metadata }: Template): Record<string, string> {
    const all = envFrom.map(({ configMapRef, secretRef }) => ({
      ...(configMapRef && this.configMap(configMapRef.name)),
      ...(secretRef && this.secret(secretRef.name)),
    }));
    const single = env.flatMap(({ name, value, valueFrom = {} }): [string, string][] => {
      const { secretKeyRef: secret, configMapKeyRef: map, fieldRef } = valueFrom;
      const label = /labels\['(.+)'\]/.exec(fieldRef?.fieldPath ?? '')?.[1];
      const found =
        value ??
        (secret && valueIn(this.secret(secret.name, secret.optional), secret)) ??
        (map && valueIn(this.configMap(map.name), map)) ??
        (label === undefined ? undefined : metadata.labels[label]);
      return found === undefined ? [] : [[name, found]];
    });
    const values = Object.assign({}, ...all, Object.fromEntries(single)) as Record<string, string>;
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.here(value)]));
  }

  private portBehind(service: string): number {
    const pods = this.all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service);
    const [port] = pods?.spec?.template?.spec.containers[0].ports ?? [];
    const isThere = this.all.some(({ kind, metadata }) => kind === 'Service' && metadata.name === service);
    if (!port || !isThere) throw new Error(`There is no Service ${service} with a port`);
    return port.containerPort;
  }

  private configMap(name: string): Record<string, string> {
    const found = this.all.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data;
    const data = found ?? this.settings?.configMap(name);
    if (!data) throw new Error(`There is no ConfigMap ${name}`);
    return data;
  }

  private secret(name: string, isOptional = false): Readonly<Record<string, string>> {
    const found = this.secrets.values[name];
    if (!found && !isOptional) throw new Error(`There is no Secret ${name}`);
    return found ?? {};
  }

  /** The address of a Service is that of its pods. A path is where this machine has the folder. */
  private here(value: string): string {
    const called = /^http:\/\/([a-z-]+)$/.exec(value)?.[1];
    if (called !== undefined) return `${value}:${this.portBehind(called)}`;
    const [path, folder] = Object.entries(this.secrets.folders).find(([each]) => value.startsWith(each)) ?? [];
    return path === undefined ? value : `${folder}${value.slice(path.length)}`;
  }
}

function valueIn(values: Readonly<Record<string, string>>, { name, key, optional }: Source): string | undefined {
  if (values[key] === undefined && optional !== true) throw new Error(`${name} has no key ${key}`);
  return values[key];
}

/** YAML with the lines that an installation may uncomment: those with `#` and no blank, or several, after it. */
export function uncommented(yaml: string): string {
  return yaml.replace(/^( *)#(?! \S)/gm, '$1');
}
