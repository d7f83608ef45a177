/** Stored facts keep their payload forever: a redelivery by any later release equals the first delivery. */
import { eventTypes, payloadOf, testEventType } from '../../src/domain/webhooks/event-payloads';
import recorded from './event-payloads.json';

const iccid = '8988303000000614227';

describe('payloads of webhook events', () => {
  // Recorded from deliveries of every scenario. Never change an entry. Facts of another shape need a new version.
  test.each(recorded.map((event, index) => [`${event.type} (${index})`, event] as const))(
    'When the facts of %s are rendered, then the payload has the recorded bytes',
    (_name, { type, facts, payload }) => {
      expect(JSON.stringify(payloadOf({ type, version: 1, facts }, () => iccid))).toBe(payload);
    },
  );

  test('When a type is listed, then its payload is recorded', () => {
    const types = new Set(recorded.map(({ type }) => type));
    expect([...types].sort()).toEqual([...eventTypes, testEventType].sort());
  });

  test('When a later release has stored the facts, then the event is not rendered', () => {
    const event = { type: 'order.delivered', version: 2, facts: {} };
    expect(() => payloadOf(event, () => iccid)).toThrow('version 2 belong to a later release');
  });
});
