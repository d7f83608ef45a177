/**
 * Replaces `pg_basebackup`, which the embedded PostgreSQL lacks: `--pgdata=<folder>`, and `--write-recovery-conf` for a
 * standby. It makes a low-level base backup: it copies the files while the server names the WAL that makes them
 * consistent. https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pgdata: { type: 'string' },
      checkpoint: { type: 'string' },
      'wal-method': { type: 'string' },
      'write-recovery-conf': { type: 'boolean' },
    },
  });
  const { pgdata: target } = values;
  if (target === undefined) throw new Error('--pgdata is missing');
  const server = new Client({ database: 'postgres' });
  await server.connect();
  const { rows: settings } = await server.query<{ data: string }>(`SELECT current_setting('data_directory') AS data`);
  await server.query(`SELECT pg_backup_start('runbook', fast => true)`);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`error: directory "${target}" exists but is not empty`);
  mkdirSync(target, { recursive: true });
  // Files may change or disappear during the copy, because WAL repairs them.
  const leftOut = ['postmaster.pid', 'postmaster.opts', './pg_wal/*', './pg_replslot/*'];
  const exclude = leftOut.map((name) => `--exclude=${name}`).join(' ');
  const copy = `tar -C "${settings[0]?.data}" ${exclude} --warning=no-file-changed --warning=no-file-removed -cf - . | tar -C "${target}" -xf -`;
  execFileSync('bash', ['-c', copy]);
  const { rows: ends } = await server.query<{ labelfile: string }>(
    'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
  );
  writeFileSync(join(target, 'backup_label'), ends[0]?.labelfile ?? '');
  if (values['write-recovery-conf']) follow(target);
  else await server.query('SELECT pg_switch_wal()');
  // The last file of a complete backup.
  writeFileSync(join(target, 'backup_manifest'), '{}');
  chmodSync(target, 0o700);
  await server.end();
}

/** The result of `--write-recovery-conf`: the server follows its source. */
function follow(target: string): void {
  const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password } = process.env;
  const connection = `host=${host} port=${port} user=${user} password=${password}`;
  appendFileSync(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  writeFileSync(join(target, 'standby.signal'), '');
}

main().catch((error: Error) => {
  console.error(`pg_basebackup: ${error.message}`);
  process.exit(1);
});
