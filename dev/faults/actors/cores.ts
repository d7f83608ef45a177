/** Other programs of the machine, which take every core. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** More than one for each core, because the scheduler shares a core between sessions. */
const PROGRAMS_A_CORE = 2;

/**
 * Takes every core at the usual priority, for `ms` at the longest. Returns the function that frees them. Each program is a session
 * of its own, as another service on the machine would be, and ends by itself if this process is killed.
 */
export function takeCores(ms: number): () => void {
  const loop = `const end = Date.now() + ${ms}; while (Date.now() < end);`;
  const programs = Array.from({ length: availableParallelism() * PROGRAMS_A_CORE }, () =>
    spawn(process.execPath, ['-e', loop], { detached: true, stdio: 'ignore' }),
  );
  return () => programs.forEach((program) => program.kill('SIGKILL'));
}
