/**
 * `npm run test:schemathesis`: Schemathesis tests the OpenAPI document for two minutes, as the client `load` on a separate
 * stack. Exceptions and their reasons: docs/developers/api-reference.md#schemathesis.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { separateEnvironment, launchStack, readStackFile } from '../../dev/stack/launch';
import { messageOf } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';
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

/** The service would call the made-up URL of a webhook endpoint. */
const leftOut = ['createWebhookEndpoint', 'changeWebhookEndpoint'];

const MAX_SECONDS = 120;

async function main(): Promise<number> {
  const folder = pythonFolder('schemathesis', requirements);
  const stack = await launchStack(await separateEnvironment('.run/schemathesis'), ['--fresh']);
  try {
    const { api_url: url, clients } = readStackFile(stack.file);
    const token = await new ApiClient(url, clients['load']).accessToken();
    const { status } = spawnSync(
      join(folder, 'bin', 'schemathesis'),
      [
        ...['run', `${url}/openapi.json`, '--url', url, '--header', `Authorization: Bearer ${token}`],
        ...['--checks', checks.join(), '--phases', 'examples,coverage,fuzzing'],
        ...['--max-examples', '20', '--max-time', String(MAX_SECONDS), '--warnings', 'off'],
        ...leftOut.flatMap((id) => ['--exclude-operation-id', id]),
      ],
      { cwd: folder, stdio: 'inherit' },
    );
    return status ?? 1;
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
