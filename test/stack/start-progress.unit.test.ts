/** What `npm start` says while it takes time. */
import { StartProgress } from '../../dev/stack/start-progress';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('When a part of the stack is ready, then the start says which, and the share that is done', () => {
  const said: string[] = [];
  const progress = new StartProgress(['postgres', 'api'], 0.2, (line) => said.push(line));
  progress.done('postgres');
  jest.advanceTimersByTime(10_000);
  progress.done('api');
  progress.end();
  jest.advanceTimersByTime(60_000);
  expect(said).toEqual(['postgres is ready (60 %).', 'Waiting for api ...', 'api is ready (100 %).']);
});
