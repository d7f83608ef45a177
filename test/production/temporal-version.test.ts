/** Containers run the same Temporal version as the tests. */
import { Connection } from '@temporalio/client';
import { parseEnv } from 'node:util';
import { textOf } from '../documents/documents';
import { loadStack } from '../../dev/testbed/loaded-stack';

test('When the tests run, then their server has the minor version of docker compose', async () => {
  const connection = await Connection.connect({ address: loadStack().temporal_address });
  const { serverVersion = '' } = await connection.workflowService.getSystemInfo({});
  await connection.close();
  const minor = (version: string) => version.split('.').slice(0, 2).join('.');
  expect(minor(serverVersion ?? '')).toBe(minor(String(parseEnv(textOf('.env.example'))['TEMPORAL_VERSION'])));
});
