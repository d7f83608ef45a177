/** A process without an exporter costs nothing for traces. */
import { execFileSync } from 'node:child_process';
import { ROOT } from '../../dev/stack/run-directory';

test('When no exporter is set, then nothing of OpenTelemetry is loaded', () => {
  const script = `
    require('./dist/src/tracing/start').startTracing('api', undefined).then(() => {
      require('./dist/src/api/server/app'); require('./dist/src/worker/workers');
      const loaded = Object.keys(require.cache).filter((file) => /sdk-trace|exporter-trace|interceptors-opentelemetry/.test(file));
      console.log(JSON.stringify(loaded));
    });`;
  expect(execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).trim()).toBe('[]');
});
