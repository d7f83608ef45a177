#!/usr/bin/env node
/**
 * Writes the certificates of Temporal into the folder `certificates` of the current folder: the authority, once; and at each call a new
 * certificate of the server and one of its clients, with new keys. Only their owner can read the keys, and the group of their folder if
 * it may read the folder.
 * docs/operators/production.md#certificates-of-temporal.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Days for which certificates are valid. */
const AUTHORITY_DAYS = 3650;
const CERTIFICATE_DAYS = 397;

/** The user of all containers that read the certificates. */
const CONTAINER_USER = 1000;

const configuration = `
[req]
prompt = no
distinguished_name = subject
[subject]
CN = replaced
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
# The parts of the server are clients of each other.
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:temporal, DNS:localhost, IP:127.0.0.1
[client]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = clientAuth
`;

/** Makes the certificates below the current folder. Returns a sentence for the operator. Throws one if that fails. */
export function makeCertificates() {
  const folder = resolve('certificates');
  const authority = join(folder, 'authority');
  mkdirSync(authority, { recursive: true, mode: 0o700 });
  const work = mkdtempSync(join(folder, 'new-'));
  try {
    writeFileSync(join(work, 'configuration'), configuration);
    if (!existsSync(join(authority, 'tls.crt'))) makeAuthority(work, authority);
    for (const use of ['server', 'client']) makeCertificate(work, authority, { use, folder: join(folder, use) });
  } finally {
    rmSync(work, { recursive: true });
  }
  return `${folder} holds the certificates of Temporal, valid for ${CERTIFICATE_DAYS} days.${remedy(folder)}`;
}

function makeAuthority(work, folder) {
  const about = ['-subj', '/CN=digital-goods-temporal', '-days', AUTHORITY_DAYS, '-extensions', 'authority'];
  openssl(work, 'req', '-x509', ...newKey, ...about, '-out', 'tls.crt');
  moveAll(work, folder, ['tls.key', 'tls.crt']);
}

function makeCertificate(work, authority, { use, folder }) {
  openssl(work, 'req', '-new', ...newKey, '-subj', `/CN=digital-goods-temporal-${use}`, '-out', 'request');
  const signed = ['-CA', join(authority, 'tls.crt'), '-CAkey', join(authority, 'tls.key')];
  const about = ['-set_serial', `0x${randomBytes(16).toString('hex')}`, '-days', CERTIFICATE_DAYS];
  const uses = ['-extfile', 'configuration', '-extensions', use];
  openssl(work, 'x509', '-req', '-in', 'request', ...signed, ...about, ...uses, '-out', 'tls.crt');
  copyFileSync(join(authority, 'tls.crt'), join(work, 'ca.crt'));
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) giveToContainers(folder);
  const { uid, gid, mode } = statSync(folder);
  moveAll(work, folder, ['ca.crt', 'tls.key', 'tls.crt'], (file) => {
    if (process.getuid?.() === 0) chownSync(file, uid, gid);
    chmodSync(file, 0o600 | (mode & 0o040));
  });
}

const newKey = [
  '-config',
  'configuration',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:prime256v1',
  '-nodes',
  '-keyout',
  'tls.key',
];

function openssl(cwd, ...args) {
  try {
    execFileSync('openssl', args.map(String), { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'openssl is not installed.' : error.message;
    throw new Error(`The certificates of Temporal cannot be made: ${reason}`);
  }
}

/** Replaces each file at once, so that no program reads half of one. */
function moveAll(from, to, names, prepare = () => undefined) {
  for (const name of names) {
    chmodSync(join(from, name), 0o600);
    prepare(join(from, name));
    renameSync(join(from, name), join(to, name));
  }
}

function giveToContainers(path) {
  if (process.getuid?.() === 0) chownSync(path, CONTAINER_USER, CONTAINER_USER);
}

/** What to do if the containers cannot read the certificates, because another user owns them. */
function remedy(folder) {
  if (process.platform !== 'linux' || [0, CONTAINER_USER].includes(process.getuid())) return '';
  const folders = ['server', 'client'].map((use) => join(folder, use)).join(' ');
  return ` The containers run as user ${CONTAINER_USER}: sudo chown -R ${CONTAINER_USER}:${CONTAINER_USER} ${folders}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(makeCertificates());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
