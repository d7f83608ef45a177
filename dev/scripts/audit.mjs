#!/usr/bin/env node
/**
 * Fails if a package in a package-lock.json of the project has a known weakness: of moderate severity or worse in production packages, high
 * or worse in development packages. `deploy/supply-chain/audit-exceptions.json` excuses an advisory, with a reason and
 * until a day. If the registry accepts no audits, nothing was checked: the script says so and fails with exit code 2.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const severities = ['info', 'low', 'moderate', 'high', 'critical'];
const worstAllowed = { production: 'low', development: 'moderate' };
const exceptionsFile = 'deploy/supply-chain/audit-exceptions.json';

/** Where the lock files are. That of the tools is for `npm run lint`. */
const TOOLS = 'dev/tools';
const folders = existsSync(TOOLS) ? ['.', TOOLS] : ['.'];

/** npm's own report; undefined if the registry gave none. Throws if npm could not send the request. */
function report(folder) {
  const { stdout, stderr } = spawnSync(
    'npm',
    ['audit', '--json', '--package-lock-only', '--audit', '--fetch-retries=1', '--fetch-timeout=30000'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 },
  );
  const answer = parsed(stdout);
  if (answer?.vulnerabilities) return answer.vulnerabilities;
  if (answer?.message) return undefined;
  throw new Error(`npm audit failed: ${answer?.error?.summary ?? stderr.trim()}`);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The advisories that are too severe for the use of their package, without repeats. */
function findingsIn(vulnerabilities, { packages }) {
  const findings = Object.values(vulnerabilities).flatMap(({ name, nodes, via }) => {
    const scope = nodes.every((node) => packages[node]?.dev) ? 'development' : 'production';
    return via
      .filter((cause) => typeof cause === 'object')
      .filter(({ severity }) => severities.indexOf(severity) > severities.indexOf(worstAllowed[scope]))
      .map(({ url, title, severity }) => ({ name, scope, severity, title, url, id: url.split('/').at(-1) }));
  });
  return [...new Map(findings.map((finding) => [`${finding.name} ${finding.id}`, finding])).values()];
}

/** The fault of an exception entry, as a sentence. */
function flawOf({ advisory, reason, until }, findings, today) {
  if (!advisory || !reason || !/^\d{4}-\d{2}-\d{2}$/.test(until))
    return `The exception for ${advisory || 'no advisory'} needs an advisory, a reason and a last day (until, as 2027-01-31).`;
  if (until < today) return `The exception for ${advisory} ended on ${until}: update the package, or decide again.`;
  if (!findings.some(({ id }) => id === advisory))
    return `The exception for ${advisory} excuses nothing that is installed: remove it.`;
  return undefined;
}

function main() {
  const reports = folders.map(report);
  if (reports.some((vulnerabilities) => !vulnerabilities)) {
    console.error(
      'Packages were not checked for known weaknesses: the registry takes no audits. Name one that does: npm_config_registry=<url> npm run audit',
    );
    process.exitCode = 2;
    return;
  }
  const lockIn = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const findings = folders.flatMap((folder, index) => findingsIn(reports[index], lockIn(folder)));
  const exceptions = JSON.parse(readFileSync(exceptionsFile, 'utf8'));
  const today = new Date().toISOString().slice(0, 10);
  const flaws = exceptions.map((exception) => flawOf(exception, findings, today)).filter(Boolean);
  const open = findings.filter(({ id }) => !exceptions.some(({ advisory }) => advisory === id));
  for (const { name, scope, severity, title, url } of open)
    console.error(`${name} (${scope}) has a weakness of ${severity} severity: ${title} (${url}).`);
  for (const flaw of flaws) console.error(`${exceptionsFile}: ${flaw}`);
  if (open.length + flaws.length > 0) process.exitCode = 1;
  else console.log(`No known weakness, ${exceptions.length} excused.`);
}

main();
