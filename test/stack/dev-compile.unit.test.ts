/** `npm run dev` compiles each changed file separately. docs/developers/local-stack.md. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../dev/stack/run-directory';

test('When `npm run dev` compiles a module, then a lazy import finds its exports', () => {
  mkdirSync(join(ROOT, '.run'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.run/compiled-'));
  const source = `.run/${basename(folder)}/lazy.ts`;
  try {
    writeFileSync(join(ROOT, source), 'export const answer: number = 42;\nexport const question = null;\n');
    const script = `
      const { compileFile, dist } = await import('./dev/scripts/build.mjs');
      await compileFile('${source}');
      const { answer } = await import(dist + '/${source.replace('.ts', '.js')}');
      console.log(answer);`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8' });
    expect(run).toMatchObject({ stdout: '42\n', status: 0 });
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(join(ROOT, 'dist', '.run', basename(folder)), { recursive: true, force: true });
  }
});
