/** The Kubernetes manifests follow the production rules that the files themselves can show. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readCompose, variablesOf } from '../../deploy/production/compose-file';
import { root, textOf } from '../documents/documents';

interface Container {
  name: string;
  image: string;
  command: string[];
  envFrom?: object[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef?: object; fieldRef?: object } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  resources: { requests?: object; limits?: object };
  readinessProbe?: { httpGet: { path: string; port: string } };
  livenessProbe?: { httpGet: { path: string; port: string } };
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector?: Record<string, string>;
    podSelector?: {
      matchLabels?: Record<string, string>;
      matchExpressions?: { key: string; operator: string; values: string[] }[];
    };
    template?: {
      metadata: { labels: Record<string, string> };
      spec: {
        containers: Container[];
        volumes?: object[];
        securityContext: object;
        automountServiceAccountToken: boolean;
        terminationGracePeriodSeconds?: number;
      };
    };
    egress?: { to: { ipBlock?: { cidr: string; except?: string[] } }[] }[];
  };
}

const parts = ['service', 'worker'];
const manifests = parts.flatMap((folder) =>
  readdirSync(join(root, 'deploy/kubernetes', folder))
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => parseAllDocuments(textOf(`deploy/kubernetes/${folder}/${file}`)))
    .map((document) => document.toJS() as Manifest),
);
const pods = manifests.flatMap(({ metadata: { name }, spec: { template } }) =>
  template ? [[name, template] as const] : [],
);
const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');

const example = textOf('.env.example');
const settings = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
const compose = textOf('docker-compose.yml');
const services = readCompose(
  compose,
  Object.fromEntries(variablesOf(compose).map(({ name }) => [name, 'x'])),
);

/** Whether the setting contains a secret. */
const isSecret = (name: string) =>
  /PASSWORD|SECRET(?!_KEYS_FILE)|API_KEY|^((?:RETENTION_|OPS_IDENTITY_)?DATABASE|REDIS|SMTP)_URL$/.test(name);

test('When programs are counted, then every program of the image except the simulator runs', () => {
  expect(pods.map(([name]) => name).sort()).toEqual(['api', 'bulk-worker', 'migrate', 'operators', 'worker']);
});

test('When the schema is migrated, then the job has no secret but the URL of the owner', () => {
  const [, job] = pods.find(([name]) => name === 'migrate') ?? [];
  const [{ env, envFrom }] = job?.spec.containers as [Container];
  expect(env).toEqual([
    {
      name: 'DATABASE_URL',
      valueFrom: { secretKeyRef: { name: 'digital-goods-database', key: 'owner-url' } },
    },
  ]);
  expect(envFrom).toEqual([{ configMapRef: { name: 'digital-goods-settings' } }]);
  expect(job?.spec.volumes).toEqual([{ name: 'tmp', emptyDir: {} }]);
});

describe.each(pods)('%s', (name, { metadata, spec }) => {
  const [container] = spec.containers as [Container];

  test('When it starts, then it has the command and image of docker compose', () => {
    expect(container.command).toEqual(services[name]?.command);
    expect(container.image).toBe(services[name]?.image);
  });

  test('When it has a setting, then .env.example explains it, and compose sets it too', () => {
    for (const { name: setting } of container.env) expect(settings).toContain(setting);
    const composed = Object.keys(services[name]?.environment ?? {});
    const onlyHere = container.env.map((each) => each.name).filter((each) => !composed.includes(each));
    // Keys are in a file, and the Temporal of docker compose needs no API key.
    expect(onlyHere.filter((each) => !['SECRET_KEYS_FILE', 'TEMPORAL_API_KEY'].includes(each))).toEqual([]);
  });

  test('When a setting is secret, then it is a secret reference, and no other setting is', () => {
    for (const { name: setting, valueFrom } of container.env)
      expect([setting, valueFrom?.secretKeyRef !== undefined]).toEqual([setting, isSecret(setting)]);
  });

  test('When it runs, then it has no more rights than under compose', () => {
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.anything(), memory: expect.anything() },
      limits: { memory: expect.anything() },
    });
  });

  test('When it listens, then its probes use the port of compose, and only a readiness probe may use /ready', () => {
    if (name === 'migrate') return;
    const healthcheck = JSON.stringify(services[name]?.healthcheck?.test);
    const { httpGet: ready } = container.readinessProbe as { httpGet: { path: string; port: string } };
    const { httpGet: live } = container.livenessProbe as { httpGet: { path: string; port: string } };
    const port = container.ports?.find((each) => each.name === live.port)?.containerPort;
    expect(healthcheck).toMatch(new RegExp(`:${port}/(health|ready)'`));
    expect(['/health', '/ready']).toContain(ready.path);
    expect(live.path).toBe('/health');
  });

  test('When it stops, then its grace period is at least that of compose', () => {
    const grace = Number.parseInt(services[name]?.stop_grace_period ?? '0', 10);
    expect(spec.terminationGracePeriodSeconds ?? 30).toBeGreaterThanOrEqual(grace);
  });

  test('When network policies are evaluated, then they select it', () => {
    const labels = { ...metadata.labels, 'app.kubernetes.io/part-of': 'digital-goods-ordering' };
    const holding = policies.filter(({ spec: { podSelector = {} } }) => selects(podSelector, labels));
    expect(holding.map((policy) => policy.metadata.name)).toEqual(
      expect.arrayContaining(['nothing-but', 'to-postgres']),
    );
  });
});

test.each(
  manifests.flatMap(({ kind, metadata: { name }, spec: { selector = {} } }) =>
    kind === 'Service' ? [[name, selector] as const] : [],
  ),
)(
  'When Temporal or PostgreSQL does not answer, then the Service %s still sends requests to its pods',
  (_, matchLabels) => {
    const selected = pods.filter(([, { metadata }]) => selects({ matchLabels }, metadata.labels));
    const probes = selected.map(([, { spec }]) => spec.containers[0]?.readinessProbe?.httpGet.path);
    expect(probes).toEqual(['/health']);
  },
);

function selects(
  { matchLabels = {}, matchExpressions = [] }: NonNullable<Manifest['spec']['podSelector']>,
  labels: Record<string, string>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

test('When policies select all programs by their part-of label, then the builds give pods that label', () => {
  for (const part of parts)
    expect(textOf(`deploy/kubernetes/${part}/kustomization.yaml`)).toMatch(
      /app\.kubernetes\.io\/part-of: digital-goods-ordering \}\n +includeTemplates: true/,
    );
});

test('When a policy names a program, then the program exists', () => {
  const names = pods.map(([name]) => name);
  for (const { spec } of policies)
    for (const { values } of spec.podSelector?.matchExpressions ?? [])
      expect(names).toEqual(expect.arrayContaining(values));
});

test('When webhooks are sent, then no internal address is reachable', () => {
  const policy = policies.find(({ metadata }) => metadata.name === 'to-public-addresses');
  const [all] = policy?.spec.egress?.[0]?.to ?? [];
  expect(all?.ipBlock?.except).toEqual(
    expect.arrayContaining([
      '10.0.0.0/8',
      '100.64.0.0/10',
      '127.0.0.0/8',
      '168.63.129.16/32',
      '169.254.0.0/16',
      '172.16.0.0/12',
      '192.168.0.0/16',
    ]),
  );
});

test('When the example is copied, then it has only known settings and no secret', () => {
  const named = [...textOf('deploy/kubernetes/example/service/settings.env').matchAll(/^([A-Z_]+)=/gm)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, name = ''] of named) {
    expect(settings).toContain(name);
    expect(isSecret(name)).toBe(false);
  }
});

test('When workers are deployed, then their pods have the release label and poll as that release', () => {
  for (const program of ['worker', 'bulk-worker']) {
    const worker = pods.find(([name]) => name === program)?.[1].spec.containers[0];
    const version = worker?.env.find(({ name }) => name === 'DEPLOYMENT_VERSION');
    expect(version?.valueFrom?.fieldRef).toEqual({
      fieldPath: "metadata.labels['app.kubernetes.io/version']",
    });
  }
  const build = textOf('deploy/kubernetes/example/worker/kustomization.yaml');
  expect(build).toMatch(
    /app\.kubernetes\.io\/version: (\S+) \}\n +includeSelectors: true\n +includeTemplates: true/,
  );
});
