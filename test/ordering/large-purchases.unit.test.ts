import { EventEmitter, once } from 'node:events';
import { buyLarge, storeLimited } from '../../src/ordering/purchasing/large-purchases';

/** A purchase that runs until `end` is called. */
function purchase() {
  const events = new EventEmitter();
  const ended = once(events, 'end');
  const begun = once(events, 'begin');
  let hasBegun = false;
  return {
    buy: () =>
      buyLarge(() => {
        hasBegun = true;
        events.emit('begin');
        return ended;
      }),
    begun,
    hasBegun: () => hasBegun,
    end: () => events.emit('end'),
  };
}

const storeOne = () => storeLimited([{}], () => Promise.resolve());

describe('large purchases of a process', () => {
  test('While no small purchase is expected, then large ones begin at once', async () => {
    const [first, second] = [purchase(), purchase()];
    const all = [first.buy(), second.buy()];
    await Promise.all([first.begun, second.begun]);
    first.end();
    second.end();
    await Promise.all(all);
  });

  test('After a small purchase, a large one begins when the one before it has ended', async () => {
    await storeOne();
    const [first, second] = [purchase(), purchase()];
    const all = [first.buy(), second.buy()];
    await first.begun;
    expect(second.hasBegun()).toBe(false);
    first.end();
    await second.begun;
    second.end();
    await Promise.all(all);
  });

  test('When a supplier is slow, then the next large purchase begins all the same', async () => {
    await storeOne();
    const [slow, next] = [purchase(), purchase()];
    const all = [slow.buy(), next.buy()];
    await next.begun;
    expect(slow.hasBegun()).toBe(true);
    next.end();
    slow.end();
    await Promise.all(all);
  });

  test('When a large purchase fails, then its caller gets the error, and the next one begins', async () => {
    await storeOne();
    await expect(buyLarge(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const next = purchase();
    const bought = next.buy();
    await next.begun;
    next.end();
    await bought;
  });
});
