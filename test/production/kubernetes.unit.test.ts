/** The Kubernetes manifests follow the production rules that the files themselves can show. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { readCompose, variablesOf } from '../../deploy/production/compose-file';
import { uncommented } from '../../deploy/production/manifests';
import { readSecretKeys } from '../../src/security/key-encryption';
import { loadDatabaseUrl } from '../../src/settings/config';
import { supplierSettings } from '../../src/settings/supplier-settings';
import { codeBlocksBelow, root, textOf } from '../documents/documents';

interface Container {
  name: string;
  image: string;
  command: string[];
  envFrom?: object[];
  env: {
    name: string;
    value?: string;
    valueFrom?: { secretKeyRef?: object; fieldRef?: object; configMapKeyRef?: object };
  }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  resources: { requests?: object; limits?: object };
  readinessProbe?: { httpGet: { path: string; port: string } };
  livenessProbe?: { httpGet: { path: string; port: string } };
}

interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    volumes?: { name: string }[];
    securityContext: object;
    automountServiceAccountToken: boolean;
    enableServiceLinks: boolean;
    restartPolicy?: string;
    terminationGracePeriodSeconds?: number;
  };
}

interface SecretKey {
  name: string;
  key?: string;
  optional?: boolean;
}

/** Whom a policy lets call, or be called. */
interface Peer {
  podSelector?: object;
  namespaceSelector?: object;
  ipBlock?: { cidr: string; except?: string[] };
}

interface Port {
  protocol: string;
  port?: number | string;
}

interface Manifest {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec: {
    suspend?: boolean;
    selector?: Record<string, string>;
    podSelector?: {
      matchLabels?: Record<string, string>;
      matchExpressions?: { key: string; operator: string; values: string[] }[];
    };
    template?: PodTemplate;
    jobTemplate?: { spec: { backoffLimit: number; template: PodTemplate } };
    ingress?: { from: Peer[]; ports?: Port[] }[];
    egress?: { to: Peer[]; ports?: Port[] }[];
  };
}

const parts = ['service', 'worker'];
const manifests = parts.flatMap((folder) =>
  readdirSync(join(root, 'deploy/kubernetes', folder))
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => parseAllDocuments(textOf(`deploy/kubernetes/${folder}/${file}`)))
    .map((document) => document.toJS() as Manifest),
);
/** The changes of the example's installation to the policies. */
const addresses = parseAllDocuments(textOf('deploy/kubernetes/example/service/addresses.yaml')).map(
  (document) => document.toJS() as Manifest,
);
const pods = manifests.flatMap(({ metadata: { name }, spec: { jobTemplate, template = jobTemplate?.spec.template } }) =>
  template ? [[name, template] as const] : [],
);
/** The programs of our image. */
const ours = pods.filter(([name]) => name !== 'temporal-ui');
/** Those that listen. The others are jobs. */
const listening = ours.filter(([, { spec }]) => spec.restartPolicy === undefined);
const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');

const example = textOf('.env.example');
const settings = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
const compose = textOf('docker-compose.yml');
const services = readCompose(compose, Object.fromEntries(variablesOf(compose).map(({ name }) => [name, 'x'])));

/** The settings of suppliers, which one secret holds. */
const ofSuppliers = Object.values(supplierSettings).flatMap((group) =>
  Object.values(group).map(({ variable }) => variable),
);

/** 0440, which Kubernetes reads as octal: by the owner and the group of the pod. */
const FOR_GROUP = 440;

/** Whether the setting contains a secret. */
const isSecret = (name: string) =>
  /PASSWORD|SECRET(?!_KEYS_FILE)|API_KEY|^((?:RETENTION_|OPS_IDENTITY_|MEMBER_IDENTITY_)?DATABASE|REDIS|SMTP)_URL$/.test(
    name,
  );

test('When programs are counted, then they are those of docker compose in production, without the servers of others', () => {
  const changes = readCompose(
    textOf('deploy/production/compose.yml'),
    Object.fromEntries(variablesOf(textOf('deploy/production/compose.yml')).map(({ name }) => [name, 'x'])),
  );
  const composed = Object.entries(services).flatMap(([name, { image }]) =>
    /^(digital-goods|temporalio\/ui)/.test(image) && !changes[name]?.profiles?.includes('sandbox') ? [name] : [],
  );
  expect(pods.map(([name]) => name).sort()).toEqual(composed.sort());
});

/** What the programs call by one name. */
const shared = pods.flatMap(([program, { spec }]) => {
  const [container] = spec.containers as [Container];
  const settings = container.env.map(({ name, ...from }) => ({ name: `setting ${name}`, from }));
  const volumes = (spec.volumes ?? []).map(({ name, ...from }) => ({ name: `volume ${name}`, from }));
  const mounts = container.volumeMounts.map(({ name, ...from }) => ({ name: `mount ${name}`, from }));
  return [...settings, ...volumes, ...mounts].map((one) => ({ program, ...one }));
});

test.each([...new Set(shared.map(({ name }) => name))])(
  'When several programs have the %s, then it is the same in all of them',
  (name) => {
    // Each program has its role, and one demands that the settings name a Temporal.
    if (['setting DATABASE_URL', 'setting TEMPORAL_ADDRESS'].includes(name)) return;
    const [first, ...others] = shared.filter((one) => one.name === name);
    for (const { program, from } of others) expect([program, from]).toEqual([program, first?.from]);
  },
);

test.each(pods)('When %s runs, then it has no more rights than under compose', (_, { spec }) => {
  const [container] = spec.containers as [Container];
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

test.each(pods)(
  'When %s calls Temporal, then it has the client certificate, if there is one',
  (name, { metadata, spec }) => {
    const [container] = spec.containers as [Container];
    const mounted = container.volumeMounts.filter(({ mountPath }) => mountPath === '/run/secrets/temporal');
    const labels = { ...metadata.labels, 'app.kubernetes.io/part-of': 'digital-goods-ordering' };
    const allowed = policies.filter(({ spec: { podSelector = {} } }) => selects(podSelector, labels));
    const mayCall = allowed.some((policy) => policy.metadata.name === 'to-temporal');
    expect([name, mayCall]).toEqual([name, name !== 'migrate']);
    if (!mayCall) return expect(mounted).toEqual([]);
    expect(mounted).toEqual([{ name: 'temporal-client', mountPath: '/run/secrets/temporal', readOnly: true }]);
    expect(spec.volumes).toContainEqual({
      name: 'temporal-client',
      secret: { secretName: 'digital-goods-temporal-client', defaultMode: FOR_GROUP, optional: true },
    });
  },
);

test.each(['docs/operators/production.md', 'docs/operators/cli.md'])(
  'When %s runs a command about admins in a pod, then the pod has the settings of the operators’ sign-in',
  (file) => {
    const [, program = ''] = /`kubectl exec deploy\/(\S+) -- service ops/.exec(textOf(file)) ?? [];
    const [, pod] = pods.find(([name]) => name === program) ?? [];
    const names = pod?.spec.containers[0]?.env.map(({ name }) => name) ?? [];
    expect(names).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'OPS_IDENTITY_DATABASE_URL', 'OPS_IDENTITY_SECRET', 'SMTP_URL']),
    );
  },
);

test('When the schema is migrated, then the job has no secret but the URL of the owner', () => {
  const [, job] = pods.find(([name]) => name === 'migrate') ?? [];
  const [{ env, envFrom }] = job?.spec.containers as [Container];
  expect(env).toEqual([
    { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'digital-goods-database', key: 'owner-url' } } },
  ]);
  expect(envFrom).toEqual([{ configMapRef: { name: 'digital-goods-settings' } }]);
  expect(job?.spec.volumes?.map(({ name }) => name)).toEqual(['tmp', 'database']);
});

describe.each(ours)('%s', (name, { metadata, spec }) => {
  const [container] = spec.containers as [Container];

  test('When it calls PostgreSQL, then it has the authority of the server, if there is one, and no URL of another role', () => {
    expect(container.volumeMounts).toContainEqual({
      name: 'database',
      mountPath: '/run/secrets/database',
      readOnly: true,
    });
    expect(spec.volumes).toContainEqual({
      name: 'database',
      secret: { secretName: 'digital-goods-database', items: [{ key: 'ca.crt', path: 'ca.crt' }], optional: true },
    });
  });

  test('When it starts, then it has the command and image of docker compose', () => {
    expect(container.command).toEqual(services[name]?.entrypoint ?? services[name]?.command);
    // The installation sets the tag.
    expect(`${container.image}:x`).toBe(services[name]?.image);
  });

  test('When it has a setting, then .env.example explains it, and compose sets it too', () => {
    for (const { name: setting } of container.env) expect(settings).toContain(setting);
    const composed = Object.keys(services[name]?.environment ?? {});
    const onlyHere = container.env.map((each) => each.name).filter((each) => !composed.includes(each));
    // Keys are in a file, and the Temporal of docker compose needs no API key.
    expect(onlyHere.filter((each) => !['SECRET_KEYS_FILE', 'TEMPORAL_API_KEY'].includes(each))).toEqual([]);
  });

  test('When compose gives it a secret, then it has that secret here, too', () => {
    const composed = Object.keys(services[name]?.environment ?? {}).filter(isSecret);
    const here = container.env.map((each) => each.name);
    const otherwise = [...ofSuppliers, 'SECRET_KEYS', ...(name === 'bulk-worker' ? ['SMTP_URL'] : [])];
    expect(composed.filter((each) => !here.includes(each) && !otherwise.includes(each))).toEqual([]);
    const fromSuppliers = JSON.stringify(container.envFrom).includes('digital-goods-suppliers');
    expect(fromSuppliers).toBe(composed.some((each) => ofSuppliers.includes(each)));
  });

  test('When a setting is secret, then it is a secret reference, and no other setting is', () => {
    for (const { name: setting, valueFrom } of container.env)
      expect([setting, valueFrom?.secretKeyRef !== undefined]).toEqual([setting, isSecret(setting)]);
  });

  test('When it listens, then its probes use the port of compose, and only a readiness probe may use /ready', () => {
    if (!listening.some(([one]) => one === name)) return;
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

  test('When it runs, then it has the version, settings and path of compose', () => {
    const { image, environment = {} } = services['temporal-ui'] ?? {};
    const version = /^TEMPORAL_UI_VERSION=(.+)$/m.exec(example)?.[1];
    expect([container.image, image]).toEqual([`temporalio/ui:${version}`, 'temporalio/ui:x']);
    const values = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    // The Temporal of docker compose demands no API key, and has the default namespace.
    const { TEMPORAL_FORWARD_HEADERS: forwarded, TEMPORAL_DEFAULT_NAMESPACE: _, ...others } = values;
    expect(forwarded).toBe('temporal-namespace');
    expect(Object.keys(others).sort()).toEqual(Object.keys(environment).sort());
    expect(values).toMatchObject({
      TEMPORAL_UI_PUBLIC_PATH: environment['TEMPORAL_UI_PUBLIC_PATH'],
      TEMPORAL_TLS_ENABLE_HOST_VERIFICATION: 'true',
    });
  });

  test('When the settings name no file for Temporal, then it gets none, because it ends if a file is missing', () => {
    for (const file of ['CA', 'CERT', 'KEY'])
      expect(container.env).toContainEqual({
        name: `TEMPORAL_TLS_${file}`,
        valueFrom: {
          configMapKeyRef: { name: 'digital-goods-settings', key: `TEMPORAL_TLS_${file}_FILE`, optional: true },
        },
      });
  });

  test('When another pod than the operators’ process calls it, then no policy allows that, and nothing leads to it from outside', () => {
    const into = policies
      .filter(({ spec: { podSelector = {} } }) => selects(podSelector, labels))
      .flatMap(({ spec: { ingress = [] } }) => ingress.flatMap(({ from }) => from));
    expect(into).toEqual([{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'operators' } } }]);
    const out = policies.filter(({ spec: { egress = [] } }) =>
      egress.some(({ to }) => to.some(({ podSelector }) => JSON.stringify(podSelector)?.includes('temporal-ui'))),
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
    const holding = policies.filter(({ spec: { podSelector = {}, egress } }) => egress && selects(podSelector, labels));
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

/** Whether it is every public address. */
const isPublic = ({ ipBlock }: Peer) => ['0.0.0.0/0', '2000::/3'].includes(ipBlock?.cidr ?? '');

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

test('When a policy names an address or a namespace, then the example sets it', () => {
  const named = policies.filter(({ spec: { ingress = [], egress = [] } }) =>
    [...ingress.flatMap(({ from }) => from), ...egress.flatMap(({ to }) => to)].some(
      (peer) => peer.podSelector === undefined && !isPublic(peer),
    ),
  );
  const set = addresses.map(({ metadata }) => metadata.name);
  expect(set.sort()).toEqual(named.map(({ metadata }) => metadata.name).sort());
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
    expect(version?.valueFrom?.fieldRef).toEqual({ fieldPath: "metadata.labels['app.kubernetes.io/version']" });
  }
  const build = textOf('deploy/kubernetes/example/worker/kustomization.yaml');
  expect(build).toMatch(/app\.kubernetes\.io\/version: (\S+) \}\n +includeSelectors: true\n +includeTemplates: true/);
});

test('When a release is prepared, then policies, migration and the ops CLI are applied, and nothing that serves', () => {
  const prepared = manifests.filter(
    ({ metadata: { labels = {} } }) => labels['app.kubernetes.io/component'] === 'preparation',
  );
  const others = manifests.filter((manifest) => !prepared.includes(manifest));
  expect(prepared.map(({ kind }) => kind).sort()).toEqual(
    [...policies.map(({ kind }) => kind), 'CronJob', 'Job'].sort(),
  );
  expect(others.map(({ kind }) => kind)).not.toContain('NetworkPolicy');
  const { configMapGenerator } = parse(textOf('deploy/kubernetes/example/service/kustomization.yaml')) as {
    configMapGenerator: [{ options: { labels: object } }];
  };
  expect(configMapGenerator[0].options.labels).toEqual({ 'app.kubernetes.io/component': 'preparation' });
});

test('When a program sends mails, then a policy lets it reach the mail server', () => {
  const allowed = policies.find(({ metadata: { name } }) => name === 'to-mail')?.spec.podSelector?.matchExpressions;
  const mailing = ours
    .filter(([, { spec }]) => spec.containers.some(({ env }) => env.some(({ name }) => name === 'SMTP_URL')))
    .map(([name]) => name);
  // `invite-admin` runs in the pod of the operators' process.
  expect(allowed?.[0]?.values.toSorted()).toEqual(mailing.filter((name) => name !== 'ops').toSorted());
});

test('When a program of docker compose sends traces, then a policy lets its pod reach the collector', () => {
  const allowed = policies.find(({ metadata: { name } }) => name === 'to-traces')?.spec.podSelector?.matchExpressions;
  const tracing = Object.entries(services).flatMap(([name, { environment = {} }]) =>
    'OTEL_EXPORTER_OTLP_ENDPOINT' in environment ? [name] : [],
  );
  expect(allowed?.[0]?.values.toSorted()).toEqual(tracing.sort());
});

describe('The values for the chart of the Temporal server', () => {
  const { server, admintools, web } = parse(textOf('deploy/kubernetes/example/temporal.yaml'), { merge: true }) as {
    server: Mounting & {
      image: { tag: string };
      dynamicConfig: object;
      config: {
        tls: Record<
          'frontend' | 'internode',
          { server: { requireClientAuth: boolean }; client: { serverName: string } }
        >;
        persistence: { numHistoryShards: number };
        namespaces: { create: boolean; namespace: { name: string; retention: string }[] };
      };
    };
    admintools: Mounting & { image: { tag: string }; additionalEnv: { name: string; value: string }[] };
    web: { enabled: boolean };
  };
  interface Mounting {
    additionalVolumes: { name: string; secret: { secretName: string } }[];
    additionalVolumeMounts: { name: string; mountPath: string }[];
  }
  const composed = readCompose(compose, Object.fromEntries(variablesOf(compose).map(({ name }) => [name, 'x'])));
  const settingOf = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(example)?.[1];

  test('When it is installed, then it has the version, the shards and the dynamic configuration of docker compose', () => {
    const version = settingOf('TEMPORAL_VERSION');
    expect([server.image.tag, admintools.image.tag]).toEqual([version, version]);
    expect(server.config.persistence.numHistoryShards).toBe(Number(settingOf('NUM_HISTORY_SHARDS')));
    expect(server.dynamicConfig).toEqual(parse(textOf('temporal-config/dynamicconfig/service.yaml')));
  });

  test('When it creates the namespace, then it is that of the settings, with the retention of docker compose', () => {
    const script = textOf('temporal-config/create-namespace.sh');
    const [, retention] = /--retention (\w+)/.exec(script) ?? [];
    expect(server.config.namespaces).toEqual({
      create: true,
      namespace: [{ name: inExample('TEMPORAL_NAMESPACE'), retention }],
    });
  });

  test('When another pod calls it, then it demands a client certificate, and has the name of docker compose', () => {
    const name = composed['temporal']?.environment?.['TEMPORAL_TLS_FRONTEND_SERVER_NAME'];
    const { frontend, internode } = server.config.tls;
    for (const part of [frontend, internode])
      expect(part).toMatchObject({ server: { requireClientAuth: true }, client: { serverName: name } });
    expect(inExample('TEMPORAL_SERVER_NAME')).toBe(name);
    // The UI has no sign-in. Ours is reached only through the operators’ process.
    expect(web.enabled).toBe(false);
  });

  test('When its programs read a certificate, then the secret of the page is mounted there', () => {
    const mount = '/etc/temporal/certificates';
    for (const { additionalVolumes, additionalVolumeMounts } of [server, admintools]) {
      expect(additionalVolumes).toEqual([{ name: 'certificates', secret: { secretName: 'temporal-server' } }]);
      expect(additionalVolumeMounts).toEqual([{ name: 'certificates', mountPath: mount, readOnly: true }]);
    }
    expect(textOf('docs/operators/production.md')).toContain(
      'kubectl create secret generic temporal-server --namespace temporal --from-file=certificates/server\n',
    );
    const files = JSON.stringify([server.config.tls, admintools.additionalEnv]).match(/"\/[^"]+"/g) ?? [];
    expect([...new Set(files)].sort()).toEqual(['ca.crt', 'tls.crt', 'tls.key'].map((name) => `"${mount}/${name}"`));
  });

  test('When a tool calls it, then with the settings of docker compose for its tool', () => {
    const {
      TEMPORAL_ADDRESS: _,
      TEMPORAL_NAMESPACE: __,
      ...composedTls
    } = composed['temporal-namespace']?.environment ?? {};
    const names = admintools.additionalEnv.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...Object.keys(composedTls), 'TEMPORAL_TLS_SERVER_NAME'].toSorted());
  });

  test('When the page checks the server, then a server without TLS fails the check', () => {
    expect(textOf('docs/operators/production.md')).toMatch(
      /^kubectl exec .* deploy\/temporal-admintools -- temporal .* --tls$/m,
    );
  });

  test('When its PostgreSQL has an authority of its own, then server and schema job mount the file that the comments name', () => {
    const values = parse(uncommented(textOf('deploy/kubernetes/example/temporal.yaml')), { merge: true }) as Record<
      'server' | 'admintools',
      Mounting
    > & { server: { config: { persistence: { datastores: Record<string, { sql: { tls: { caFile: string } } }> } } } };
    const files = Object.values(values.server.config.persistence.datastores).map(({ sql }) => sql.tls.caFile);
    for (const { additionalVolumes, additionalVolumeMounts } of [values.server, values.admintools]) {
      const { name, mountPath } = additionalVolumeMounts[1] as Mounting['additionalVolumeMounts'][number];
      expect(additionalVolumes[1]).toMatchObject({ name, secret: { items: [{ path: 'ca.crt' }] } });
      expect(files).toEqual([`${mountPath}/ca.crt`, `${mountPath}/ca.crt`]);
    }
  });

  test('When a program of the service calls it, then its policy allows the namespace and the port of the settings', () => {
    const [inside, frontend] = parseAllDocuments(textOf('deploy/kubernetes/example/temporal-network.yaml')).map(
      (document) => document.toJS() as Manifest,
    );
    const [, host, namespace, port] = /^(\S+)\.(\w+):(\d+)$/.exec(inExample('TEMPORAL_ADDRESS') ?? '') ?? [];
    expect(host).toBe('temporal-frontend');
    for (const policy of [inside, frontend]) expect(policy?.metadata).toMatchObject({ namespace });
    const { namespace: ours } = parse(textOf('deploy/kubernetes/example/service/kustomization.yaml')) as {
      namespace: string;
    };
    expect(frontend?.spec.ingress).toEqual([
      {
        from: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ours } },
            podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'digital-goods-ordering' } },
          },
        ],
        ports: [{ protocol: 'TCP', port: Number(port) }],
      },
    ]);
  });
});

/** A setting of the example's installation. */
function inExample(name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(textOf('deploy/kubernetes/example/service/settings.env'))?.[1];
}

describe('The ops CLI', () => {
  const template = manifests.find(({ metadata: { name } }) => name === 'ops')?.spec;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ops-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('When nobody runs a command, then none starts, and a failed one is not repeated', () => {
    expect(template?.suspend).toBe(true);
    expect(template?.jobTemplate?.spec.backoffLimit).toBe(0);
    expect(template?.jobTemplate?.spec.template.spec.restartPolicy).toBe('Never');
  });

  test('When it replays, then it is the release of its image', () => {
    const container = template?.jobTemplate?.spec.template.spec.containers[0];
    expect(container?.env.find(({ name }) => name === 'DEPLOYMENT_VERSION')?.valueFrom?.fieldRef).toEqual({
      fieldPath: "metadata.labels['app.kubernetes.io/version']",
    });
    const build = textOf('deploy/kubernetes/example/service/kustomization.yaml');
    const [, version] = /newTag: ([\d.]+)/.exec(build) ?? [];
    expect(build).toContain(`app.kubernetes.io/version: ${version} }\n    includeTemplates: true`);
  });

  /** Runs the script with a kubectl that records its patch and says how the job ended. */
  function run(words: string[], ended: 'Complete' | 'Failed'): unknown {
    const patch = join(folder, 'patch');
    const stub = `#!/bin/sh
for word; do case $word in --patch=*) printf %s "\${word#--patch=}" > '${patch}';; *status.conditions*) echo ${ended};; esac; done`;
    writeFileSync(join(folder, 'kubectl'), stub, { mode: 0o755 });
    const path = [folder, process.env['PATH']].join(delimiter);
    execFileSync('sh', [join(root, 'deploy/kubernetes/ops.sh'), ...words], {
      env: { PATH: path, OPS_OPERATOR: 'Kim' },
      stdio: 'pipe',
    });
    return JSON.parse(readFileSync(patch, 'utf8'));
  }

  test('When a command runs, then the job gets its words unchanged, and the name of the operator', () => {
    const words = ['deploy', 'rollback', '--reason', 'a "wrong" \\price of $5'];
    expect(run(words, 'Complete')).toEqual([
      { op: 'replace', path: '/spec/template/spec/containers/0/args', value: ['--operator', 'Kim', ...words] },
    ]);
  });

  test('When the command fails, then the script fails', () => {
    expect(() => run(['deploy', 'promote', '1.0.0'], 'Failed')).toThrow(/Command failed/);
  });
});

test('When the job to follow does not exist, then follow.sh fails at once with the message of kubectl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'follow-'));
  const message = 'Error from server (NotFound): jobs.batch "migrate-1-0" not found\n';
  writeFileSync(join(folder, 'kubectl'), `#!/bin/sh\nprintf '%s' '${message}' >&2\nexit 1\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'sleep'), '#!/bin/sh\n', { mode: 0o755 });
  const script = join(root, 'deploy/kubernetes/follow.sh');
  const { status, stdout, stderr } = spawnSync('/bin/sh', [script, 'migrate-1-0'], {
    env: { PATH: folder },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: message });
});

describe('When secrets are created as the page says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const made = new Map<string, ReadonlyMap<string, string>>();
  beforeAll(() => {
    execFileSync(process.execPath, [join(root, 'dev/scripts/make-env.mjs')], { cwd: folder });
    const [script] = codeBlocksBelow('docs/operators/production.md', 'kubernetes').filter(({ code }) =>
      code.includes('kubectl create secret'),
    );
    const stub = `#!/bin/sh\n[ "$1" = create ] || exec cat >/dev/null\nfor word; do printf '%s\\n' "$word"; done >> calls`;
    writeFileSync(join(folder, 'kubectl'), stub, { mode: 0o755 });
    execFileSync('sh', ['-euc', script?.code ?? 'false'], {
      cwd: folder,
      env: { PATH: [folder, process.env['PATH']].join(delimiter) },
    });
    const calls = readFileSync(join(folder, 'calls'), 'utf8')
      .split(/^create\nsecret\ngeneric\n/m)
      .slice(1);
    for (const call of calls) {
      const [name = '', ...words] = call.trim().split('\n');
      made.set(name, new Map(words.flatMap((word) => valuesOf(word))));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The keys and values of an argument. */
  function valuesOf(word: string): [string, string][] {
    const [, literal, key = '', value = ''] = /^--from-(literal)=([^=]+)=(.*)$/.exec(word) ?? [];
    if (literal) return [[key, value]];
    const [, path] = /^--from-file=(.+)$/.exec(word) ?? [];
    if (path === undefined) return [];
    return readdirSync(join(folder, path)).map((name) => [name, readFileSync(join(folder, path, name), 'utf8')]);
  }

  test('then each secret and key exists that a pod needs', () => {
    const sources = pods.flatMap(([, { spec }]) =>
      spec.containers.flatMap(({ env, envFrom = [] }) => [
        ...env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef as SecretKey] : [])),
        ...(envFrom as { secretRef?: SecretKey }[]).flatMap(({ secretRef }) => (secretRef ? [secretRef] : [])),
      ]),
    );
    const needed = sources.filter(({ optional }) => optional !== true);
    expect(needed.length).toBeGreaterThan(10);
    const missing = needed.filter(({ name, key }) => (key === undefined ? !made.has(name) : !made.get(name)?.has(key)));
    expect(missing).toEqual([]);
    expect([...(made.get('digital-goods-temporal-client')?.keys() ?? [])].sort()).toEqual([
      'ca.crt',
      'tls.crt',
      'tls.key',
    ]);
    expect(readSecretKeys(made.get('digital-goods-keys')?.get('secret-keys') ?? '')).toHaveLength(1);
  });

  test('then the example lets the programs reach the port of the mail server', () => {
    const { port } = new URL(made.get('digital-goods-mail')?.get('smtp-url') ?? '');
    const policy = addresses.find(({ metadata: { name } }) => name === 'to-mail');
    expect(policy?.spec.egress?.[0]?.ports).toEqual([{ protocol: 'TCP', port: Number(port) }]);
  });

  test('then production accepts the URL of each role, with its password', () => {
    const passwords = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
    const urls = [...(made.get('digital-goods-database') ?? [])];
    expect(urls).toHaveLength(6);
    for (const [key, url] of urls) {
      const role = key.replace(/-url$/, '').replaceAll('-', '_');
      const accepted = new URL(loadDatabaseUrl({ SERVICE_MODE: 'production', DATABASE_URL: url }));
      expect(accepted).toMatchObject({
        username: `digital_goods_${role}`,
        password: passwords[`${role.toUpperCase()}_PASSWORD`],
      });
    }
  });
});
