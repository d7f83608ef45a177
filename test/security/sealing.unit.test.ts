/** Values sealed for one row and field, under changing keys. */
import { defaultPayloadConverter } from '@temporalio/common';
import { KeyRing } from '../../src/security/key-ring';
import { Sealer, sealedWith } from '../../src/security/sealing';
import { EncryptionCodec } from '../../src/temporal/codec';
import { newKey, ringOf } from '../support/keys';

const older = newKey('old');
const newer = newKey('new');
const sealer = new Sealer(ringOf(older));

test('When a value is sealed, then it opens only for its own row and field', () => {
  const sealed = sealer.seal('order/1/email', 'someone@client.example');
  expect(sealer.open('order/1/email', sealed)).toBe('someone@client.example');
  expect(() => sealer.open('order/2/email', sealed)).toThrow();
});

test('When a key is promoted, then values under the previous key open as long as the process holds that key', () => {
  const sealed = sealer.seal('place', 'text');
  expect(new Sealer(ringOf(newer, older)).open('place', sealed)).toBe('text');
  expect(() => new Sealer(ringOf(newer)).open('place', sealed)).toThrow(
    'Sealed with the key seal/old, which this process does not hold',
  );
});

test('When a tag is truncated, then the value cannot be decrypted', () => {
  const sealed = sealer.seal('place', '');
  for (let length = 0; length < sealed.length; length++) {
    expect(() => sealer.open('place', sealed.subarray(0, length))).toThrow();
  }
  expect(() => sealer.open('place', sealed.subarray(0, -1))).toThrow('The encrypted value is truncated');
});

test('When a sealer exports its keys, then an importer seals and hashes in the same way, with the keys promoted at the export', () => {
  const ring = ringOf(older);
  const handing = new Sealer(ring);
  const before = new Sealer(new KeyRing(handing.keysFor(1)));
  ring.replace({ seal: [newer, older], lookup: [newer, older] });
  const after = new Sealer(new KeyRing(handing.keysFor(1)));
  expect(before.seal('place', 'text').subarray(0, 4)).toEqual(sealedWith('old'));
  expect(after.seal('place', 'text').subarray(0, 4)).toEqual(sealedWith('new'));
  expect(handing.open('place', after.seal('place', 'text'))).toBe('text');
  expect(after.lookupHashes('text')).toEqual(handing.lookupHashes('text'));
});

test('When values are encrypted, here or on another thread, then the ring counts them under their keys until they are stored', async () => {
  const ring = ringOf(older);
  const sealing = new Sealer(ring);
  expect(ring.counted()).toEqual([]);
  sealing.open('place', sealing.seal('place', 'one'));
  sealing.sealOptional('place', null);
  sealing.lookupHash('no encryption');
  sealing.keysFor(5_000);
  ring.replace({ seal: [newer, older], payload: [older] });
  sealing.seal('place', 'two');
  const plain = defaultPayloadConverter.toPayload('text');
  const kept = defaultPayloadConverter.toPayload(undefined);
  await new EncryptionCodec(ring).encode([plain, plain, kept]);
  const counted = [
    { purpose: 'seal', id: 'old', values: 5_001 },
    { purpose: 'seal', id: 'new', values: 1 },
    { purpose: 'payload', id: 'old', values: 2 },
  ] as const;
  expect(ring.counted()).toEqual(counted);

  // A value that is encrypted while a count is stored stays counted.
  sealing.seal('place', 'three');
  for (const one of counted) ring.stored(one);
  expect(ring.counted()).toEqual([{ purpose: 'seal', id: 'new', values: 1 }]);
});
