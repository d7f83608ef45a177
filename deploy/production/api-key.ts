/**
 * Proves that people reach the Temporal UI through the operators' process where Temporal demands an API key, as Temporal Cloud does: the
 * UI's server has no setting for one.
 */
import { readFileSync } from 'node:fs';
import { freePorts, portVariables } from '../../dev/stack/ports';
import { Problem } from '../../dev/stack/problem';
import { Program } from '../../dev/stack/program';
import { statusAt } from '../../dev/stack/readiness';
import type { RunDirectory } from '../../dev/stack/run-directory';
import { CloudProxy } from '../../dev/testbed/cloud-proxy';
import { certificatesIn } from './client-certificates';
import type { NativeCommand } from './native-services';

const API_KEY = 'the-api-key-of-the-proof';

/** The stack: its server of Temporal, without TLS, and how it runs its own programs. */
interface Stack {
  temporalAddress: string;
  ui: NativeCommand;
  operators: NativeCommand;
}

/** Runs both programs with a key in place of the client certificate. Throws a message if a person cannot read or change a workflow. */
export async function proveApiKey(directory: RunDirectory, stack: Stack): Promise<void> {
  const { cert, key } = certificatesIn(directory.file('certificates/server'));
  const cloud = await CloudProxy.open({ address: stack.temporalAddress, apiKey: API_KEY, cert, key });
  const { OPS_PORT, TEMPORAL_UI_PORT } = portVariables(await freePorts());
  const [opsUrl, uiUrl] = [OPS_PORT, TEMPORAL_UI_PORT].map((port) => `http://127.0.0.1:${port}`) as [string, string];
  const program = (name: string, command: NativeCommand, readyUrl: string, changes: NodeJS.ProcessEnv) =>
    new Program(
      {
        ...command,
        name,
        env: { ...withoutCertificate(command.env), TEMPORAL_ADDRESS: cloud.address, ...changes },
        log: directory.log(name),
        isReady: async () => (await statusAt(readyUrl)) === 200,
      },
      { changed: () => undefined, said: () => undefined },
    );
  const programs = [
    program('keyed-ui', stack.ui, `${uiUrl}/healthz`, {
      TEMPORAL_UI_PORT,
      TEMPORAL_FORWARD_HEADERS: 'temporal-namespace',
    }),
    program('keyed-operators', stack.operators, `${opsUrl}/health`, {
      OPS_PORT,
      OPS_URL: opsUrl,
      TEMPORAL_UI_URL: uiUrl,
      TEMPORAL_API_KEY: API_KEY,
    }),
  ];
  try {
    for (const one of programs) await one.start();
    await readAndSignal(`${opsUrl}/temporal/api/v1/namespaces/default`, directory.operatorToken() ?? '');
    const isComplete = cloud.passed.every((headers) => headers['temporal-namespace'] === 'default');
    if (!isComplete || cloud.passed.length === 0)
      throw new Problem('Not every call of the Temporal UI names its namespace to a server that demands an API key.');
    for (const { spec } of programs)
      if (readFileSync(spec.log, 'utf8').includes(API_KEY)) throw new Problem(`${spec.log} shows the API key.`);
  } finally {
    for (const one of programs.reverse()) await one.stop();
    cloud.close();
  }
}

function withoutCertificate(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOfClient = /^TEMPORAL_TLS_(CERT|KEY)(_FILE)?$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOfClient.test(name)));
}

/** Reads workflows as the pages of the UI do, and signals one. */
async function readAndSignal(api: string, token: string): Promise<void> {
  const call = async (path: string, init: RequestInit = {}): Promise<Record<string, unknown>> => {
    const response = await fetch(`${api}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200)
      throw new Problem(`${path} is ${response.status} with an API key: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const query = encodeURIComponent(`WorkflowType = 'esimMonitor' AND ExecutionStatus = 'Running'`);
  const { executions = [] } = (await call(`/workflows?query=${query}`)) as {
    executions?: { execution: { workflowId: string } }[];
  };
  const [found] = executions;
  if (!found) throw new Problem('The Temporal UI lists no eSIM.');
  const workflow = `/workflows/${found.execution.workflowId}`;
  await call(workflow);
  await call(`${workflow}/history-reverse`);
  await call(`${workflow}/signal/retryNow`, { method: 'POST', body: '{}' });
}
