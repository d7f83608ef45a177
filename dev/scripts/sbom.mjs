#!/usr/bin/env node
/**
 * Writes `sbom.cdx.json` here: every package of package-lock.json, for all platforms, with version, licence and
 * checksum, as CycloneDX. What only develops is marked `cdx:npm:package:development`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = 'sbom.cdx.json';

/** npm's own bill of materials, whole: its `--omit dev` also drops what production shares with a development tool. */
export function sbom() {
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...format], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr.trim()}`);
  const bill = JSON.parse(stdout);
  const own = ownPackages();
  const isOwn = ({ 'bom-ref': ref }) => own.some((name) => ref.startsWith(`${name}@`));
  return { ...bill, components: bill.components.filter((component) => !isOwn(component)) };
}

/** Names of the packages of this repository: their sources are here, and what they need is listed beside them. */
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
