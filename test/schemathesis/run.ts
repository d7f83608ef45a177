/**
 * `npm run test:more -- schemathesis`: Schemathesis tests the OpenAPI document for two minutes, as the client `load` on a separate
 * stack. Then it tests that lists accept every request that their schemas allow. Exceptions and their reasons:
 * docs/developers/api-reference.md#schemathesis.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { separateEnvironment, launchStack, readStackFile } from '../../dev/stack/launch';
import { messageOf } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';
import { apiOperations } from '../../src/api/routes';
import { pythonFolder } from '../support/python';
import { ApiClient } from '../support/stack';

const requirements = join(ROOT, 'test', 'schemathesis', 'requirements.txt');

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'response_schema_conformance',
  'content_type_conformance',
  'response_headers_conformance',
];

/** The lists, which accept every request that their schemas allow. */
const lists = Object.values(apiOperations).flatMap(({ id, query }) => (query && id.startsWith('list') ? [id] : []));

/** The service would call the made-up URL of a webhook endpoint. */
const leftOut = ['createWebhookEndpoint', 'changeWebhookEndpoint'];

/** The header asks for failures, such as 503. */
const FAULT_HEADER = 'Sandbox-Fault';

const MAX_SECONDS = 120;

/** Writes the document of the stack without the header into the folder. Returns the path. */
async function documentIn(folder: string, url: string): Promise<string> {
  const withoutFaults = (key: string, value: unknown): unknown =>
    key === 'parameters' && Array.isArray(value)
      ? value.filter((parameter: { name?: string }) => parameter.name !== FAULT_HEADER)
      : value;
  const text = await (await fetch(`${url}/openapi.json`)).text();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(JSON.parse(text, withoutFaults)));
  return file;
}

async function main(): Promise<number> {
  const folder = pythonFolder('schemathesis', requirements);
  const stack = await launchStack(await separateEnvironment('.run/schemathesis'), ['--fresh']);
  try {
    const { api_url: url, clients } = readStackFile(stack.file);
    const document = await documentIn(folder, url);
    const token = await new ApiClient(url, clients['load']).accessToken();
    const run = (options: string[]): number => {
      const target = [document, '--url', url, '--header', `Authorization: Bearer ${token}`];
      const phases = ['--phases', 'examples,coverage,fuzzing', '--max-examples', '20', '--warnings', 'off'];
      const program = join(folder, 'bin', 'schemathesis');
      const { status } = spawnSync(program, ['run', ...target, ...phases, ...options], {
        cwd: folder,
        stdio: 'inherit',
      });
      return status ?? 1;
    };
    const excluded = leftOut.flatMap((id) => ['--exclude-operation-id', id]);
    const all = run(['--checks', checks.join(), '--max-time', String(MAX_SECONDS), ...excluded]);
    const included = lists.flatMap((id) => ['--include-operation-id', id]);
    const accepted = run(['--checks', 'positive_data_acceptance', '--mode', 'positive', ...included]);
    return all || accepted;
  } finally {
    await stack.stop();
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
