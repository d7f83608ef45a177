/** Containers run the Temporal that the tests run on. */
import { Connection } from '@temporalio/client';
import { parseEnv } from 'node:util';
import { textOf } from '../documents/documents';
import { loadStack } from '../support/stack';

test('When the tests run, then on the server, of the same minor version, that docker compose starts', async () => {
  const connection = await Connection.connect({ address: loadStack().temporal_address });
  const { serverVersion = '' } = await connection.workflowService.getSystemInfo({});
  await connection.close();
  const minor = (version: string) => version.split('.').slice(0, 2).join('.');
  expect(minor(serverVersion ?? '')).toBe(
    minor(String(parseEnv(textOf('.env.example'))['TEMPORAL_VERSION'])),
  );
});
