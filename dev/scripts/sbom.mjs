#!/usr/bin/env node
/**
 * Writes `sbom.cdx.json` into the current folder: every package of package-lock.json, for all platforms, with version, licence and
 * checksum, as CycloneDX. Development packages are marked `cdx:npm:package:development`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = 'sbom.cdx.json';

/** npm's own complete bill of materials. Its `--omit dev` also drops packages that production shares with a development tool. */
export function sbom() {
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...format], { encoding: 'utf8', maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr.trim()}`);
  const bill = JSON.parse(stdout);
  const own = ownPackages();
  const isOwn = ({ 'bom-ref': ref }) => own.some((name) => ref.startsWith(`${name}@`));
  return { ...bill, components: bill.components.filter((component) => !isOwn(component)) };
}

/** The names of this repository's own packages. Their sources are here, and their dependencies are listed separately. */
function ownPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const links = Object.entries(packages).filter(([, { link }]) => link);
  return links.map(([path]) => path.replace(/^node_modules\//, ''));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bill = sbom();
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  console.log(`${file} names ${bill.components.length} packages.`);
}
