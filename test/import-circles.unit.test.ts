/** Imports have no circles, imports of types included: a file is understood after the files that it imports. */
import { join, relative } from 'node:path';
import ts from 'typescript';
import { repositoryFiles, root, textOf } from './documents/documents';

const options: ts.CompilerOptions = { moduleResolution: ts.ModuleResolutionKind.Node10 };

/** The files of the repository that a file imports. A file may import its own type. */
function importsOf(file: string): string[] {
  const path = join(root, file);
  return ts.preProcessFile(textOf(file)).importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return [];
    const { resolvedModule } = ts.resolveModuleName(fileName, path, options, ts.sys);
    const imported = resolvedModule && relative(root, resolvedModule.resolvedFileName);
    return imported === undefined || imported === file ? [] : [imported];
  });
}

test('When a file is imported, then it does not lead back to the file that imports it', () => {
  const files = ['src', 'workflows', 'activities'].flatMap((folder) => repositoryFiles(join(root, folder)));
  const left = new Map(files.filter((file) => file.endsWith('.ts')).map((file) => [file, importsOf(file)]));
  expect(left.get('src/api/main.ts')).toContain('src/api/server/app.ts');
  const isFree = (file: string) => (left.get(file) ?? []).every((imported) => !left.has(imported));
  // What remains imports a file that remains: each is in a circle, or leads to one.
  for (let free = [...left.keys()].filter(isFree); free.length > 0; free = [...left.keys()].filter(isFree)) {
    free.forEach((file) => left.delete(file));
  }
  const path: string[] = [];
  for (let [at] = left.keys(); at !== undefined && !path.includes(at);) {
    path.push(at);
    at = left.get(at)?.find((imported) => left.has(imported));
  }
  expect(path).toEqual([]);
});
