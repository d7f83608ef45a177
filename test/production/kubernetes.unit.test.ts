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
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
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
        enableServiceLinks: boolean;
        terminationGracePeriodSeconds?: number;
      };
    };
    ingress?: { from: { podSelector?: object; namespaceSelector?: object }[] }[];
    egress?: { to: { podSelector?: object; ipBlock?: { cidr: string; except?: string[] } }[] }[];
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
/** The programs of our image. */
const ours = pods.filter(([name]) => name !== 'temporal-ui');
const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');

const example = textOf('.env.example');
const settings = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
const compose = textOf('docker-compose.yml');
const services = readCompose(
  compose,
  Object.fromEntries(variablesOf(compose).map(({ name }) => [name, 'x'])),
);

/** 0440, which Kubernetes reads as octal: by the owner and the group of the pod. */
const FOR_GROUP = 440;

/** Whether the setting contains a secret. */
const isSecret = (name: string) =>
  /PASSWORD|SECRET(?!_KEYS_FILE)|API_KEY|^((?:RETENTION_|OPS_IDENTITY_|MEMBER_IDENTITY_)?DATABASE|REDIS|SMTP)_URL$/.test(
    name,
  );

test('When programs are counted, then every program of the image except the simulator runs, and the Temporal UI', () => {
  expect(pods.map(([name]) => name).sort()).toEqual([
    'api',
    'bulk-worker',
    'migrate',
    'operators',
    'temporal-ui',
    'worker',
  ]);
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

describe.each(ours)('%s', (name, { metadata, spec }) => {
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

  test('When it calls Temporal, then it has the client certificate, which others cannot read', () => {
    const mounted = container.volumeMounts.filter(({ mountPath }) => mountPath === '/run/secrets/temporal');
    if (name === 'migrate') return expect(mounted).toEqual([]);
    expect(mounted).toEqual([
      { name: 'temporal-client', mountPath: '/run/secrets/temporal', readOnly: true },
    ]);
    expect(spec.volumes).toContainEqual({
      name: 'temporal-client',
      secret: { secretName: 'digital-goods-temporal-client', defaultMode: FOR_GROUP, optional: true },
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

test.each(pods)('When the namespace has Services, then %s gets no settings from them', (_, { spec }) => {
  expect(spec.enableServiceLinks).toBe(false);
});

describe('The Temporal UI', () => {
  const [, { metadata, spec }] = pods.find(([name]) => name === 'temporal-ui') as (typeof pods)[number];
  const [container] = spec.containers as [Container];
  const labels = { ...metadata.labels, 'app.kubernetes.io/part-of': 'digital-goods-ordering' };

  test('When it runs, then it has the version, path and client certificate of compose', () => {
    const { image, environment = {} } = services['temporal-ui'] ?? {};
    const version = /^TEMPORAL_UI_VERSION=(.+)$/m.exec(example)?.[1];
    expect([container.image, image]).toEqual([`temporalio/ui:${version}`, 'temporalio/ui:x']);
    const values = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    expect(Object.keys(values).sort()).toEqual(Object.keys(environment).sort());
    expect(values).toMatchObject({
      TEMPORAL_UI_PUBLIC_PATH: environment['TEMPORAL_UI_PUBLIC_PATH'],
      TEMPORAL_TLS_ENABLE_HOST_VERIFICATION: 'true',
      TEMPORAL_TLS_CERT: '/run/secrets/temporal/tls.crt',
      TEMPORAL_TLS_KEY: '/run/secrets/temporal/tls.key',
    });
    expect(spec.volumes).toContainEqual({
      name: 'temporal-client',
      secret: { secretName: 'digital-goods-temporal-client', defaultMode: FOR_GROUP },
    });
    expect(container.securityContext).toMatchObject({ capabilities: { drop: ['ALL'] } });
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
  });

  test('When another pod than the operators’ process calls it, then no policy allows that, and nothing leads to it from outside', () => {
    const into = policies
      .filter(({ spec: { podSelector = {} } }) => selects(podSelector, labels))
      .flatMap(({ spec: { ingress = [] } }) => ingress.flatMap(({ from }) => from));
    expect(into).toEqual([{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'operators' } } }]);
    const out = policies.filter(({ spec: { egress = [] } }) =>
      egress.some(({ to }) =>
        to.some(({ podSelector }) => JSON.stringify(podSelector)?.includes('temporal-ui')),
      ),
    );
    expect(out.map((policy) => policy.spec.podSelector)).toEqual([
      { matchLabels: { 'app.kubernetes.io/name': 'operators' } },
    ]);
    expect(manifests.map(({ kind }) => kind)).not.toContain('Ingress');
  });

  test('When the operators’ process calls it, then by the name of its Service', () => {
    const operators = pods.find(([name]) => name === 'operators')?.[1].spec.containers[0];
    expect(operators?.env).toContainEqual({ name: 'TEMPORAL_UI_URL', value: 'http://temporal-ui' });
    expect(
      manifests.filter(({ kind, metadata: { name } }) => kind === 'Service' && name === 'temporal-ui'),
    ).toHaveLength(1);
  });

  test('When it calls Temporal, then a policy allows that, and none allows another address', () => {
    const holding = policies.filter(
      ({ spec: { podSelector = {}, egress } }) => egress && selects(podSelector, labels),
    );
    expect(holding.map((policy) => policy.metadata.name)).toEqual(['nothing-but', 'to-temporal']);
  });
});

test.each(
  manifests.flatMap(({ kind, metadata: { name }, spec: { selector = {} } }) =>
    kind === 'Service' && name !== 'temporal-ui' ? [[name, selector] as const] : [],
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
