/** Certificates of a test authority, created with openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate with its key, as file paths and as file contents. */
export interface Certificate {
  certFile: string;
  keyFile: string;
  cert: Buffer;
  key: Buffer;
}

export interface Authority {
  /** The authority's certificate, which verifies the others. */
  caFile: string;
  ca: Buffer;
  /** A certificate for `localhost` and 127.0.0.1, signed by the authority. */
  issue: (name: string) => Certificate;
  /** Deletes all files. */
  remove: () => void;
}

/** An authority that no program trusts by default. */
export function newAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  );
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');

  function issue(name: string): Certificate {
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-out', `${name}.pem`);
    const [certFile, keyFile] = [file(`${name}.pem`), file(`${name}.key`)];
    return { certFile, keyFile, cert: readFileSync(certFile), key: readFileSync(keyFile) };
  }

  const caFile = file('ca.pem');
  return { caFile, ca: readFileSync(caFile), issue, remove: () => rmSync(folder, { recursive: true }) };
}
