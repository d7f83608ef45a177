/** Programs built on this machine by Go. */
import { run, succeeds, type Say } from './commands';

/** What is built is compared with Go's public checksum database, whatever the machine is set to. */
const checked = { GOSUMDB: 'sum.golang.org', GONOSUMDB: 'none' };

/** Builds packages (`path@version`) into a folder, each under the last part of its path. Throws a sentence. */
export async function goInstall(packages: string[], folder: string, say: Say): Promise<void> {
  if (!(await succeeds('go', ['version']))) throw new Error('Go is not installed');
  const env = { ...process.env, ...checked, GOBIN: folder, CGO_ENABLED: '0' };
  await run('go install', ['go', 'install', ...packages], env, say);
}
