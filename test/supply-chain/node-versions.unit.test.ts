/** All places that state the supported versions of Node agree. */
import { major, minVersion, satisfies } from 'semver';
import { textOf } from '../documents/documents';

interface Manifest {
  engines: { node: string };
  devDependencies: Record<string, string>;
}

const manifest = JSON.parse(textOf('package.json')) as Manifest;
const oldest = minVersion(manifest.engines.node)?.version ?? '';
const stages = [...textOf('Dockerfile').matchAll(/^FROM (\S+) AS (\S+)/gm)];
const named = stages.map(([, , name]) => name);
/** A stage may begin with another one. */
const images = stages.map(([, image]) => image).filter((image) => !named.includes(image));
const inImages = textOf('.nvmrc').trim();

test('When the images are built, then all stages have the version of Node for developers', () => {
  expect(images.length).toBeGreaterThan(1);
  expect(new Set(images)).toEqual(new Set([`node:${inImages}-slim`]));
});

test('When the service runs, in images or elsewhere, then it supports that version of Node', () => {
  expect(satisfies(`${inImages}.0.0`, manifest.engines.node)).toBe(true);
  expect(satisfies(process.versions.node, manifest.engines.node)).toBe(true);
});

test('When packages are checked, then each supports the oldest supported Node and that of the images', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const refuses = (version: string) =>
    Object.entries(packages)
      .filter(([, { engines }]) => engines?.node && !satisfies(version, engines.node))
      .map(([path]) => path);
  expect(refuses(oldest)).toEqual([]);
  expect(refuses(`${inImages}.0.0`)).toEqual([]);
});

test('When sources are compiled, then the target is the oldest supported Node', () => {
  expect(major(minVersion(manifest.devDependencies['@types/node'] ?? '')?.version ?? '')).toBe(major(oldest));
});

test.each(['README.md', 'CONTRIBUTING.md', 'dev/scripts/bootstrap.mjs', 'docs/operators/production.md'])(
  'When %s names the oldest supported Node, then it matches package.json',
  (file) => {
    const named = [...textOf(file).matchAll(/Node\s+(\d+\.\d+)\s+or newer/g)].map(([, version]) => version);
    expect([...new Set(named)]).toEqual([oldest.replace(/\.0$/, '')]);
  },
);
