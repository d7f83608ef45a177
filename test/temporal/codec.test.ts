/** The payloads that the Temporal UI has converted by the stack's operators' process. */
import { callCodec } from '../support/operator';
import { loadStack } from '../../dev/testbed/loaded-stack';

interface Payload {
  metadata: Record<string, string>;
  data: string;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const typed: Payload = { metadata: { encoding: base64('json/plain') }, data: base64('"ASK_AGAIN"') };

test('When an operator types an argument, then it is encrypted as by the service, and decrypts to the typed text', async () => {
  const encoded = await callCodec('encode', [typed]);
  const { payloads } = (await encoded.json()) as { payloads: Payload[] };
  expect(payloads).toHaveLength(1);
  expect(payloads[0]?.metadata['encoding']).toBe(base64('binary/encrypted'));
  expect(Buffer.from(payloads[0]?.data ?? '', 'base64').toString()).not.toContain('ASK_AGAIN');
  const decoded = await callCodec('decode', payloads);
  expect(await decoded.json()).toEqual({ payloads: [typed] });
});

test('When nobody is signed in, then nothing is converted, at an address that stack.json names and everybody may know', async () => {
  const { ops_url, codec_url } = loadStack();
  expect(codec_url).toBe(`${ops_url}/temporal/codec`);
  for (const direction of ['encode', 'decode'] as const)
    for (const token of ['', 'forged']) {
      const answer = await callCodec(direction, [typed], token);
      expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining(typed.data)]);
    }
});
