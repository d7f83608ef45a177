/** Certificates of an authority of the test's own, made by openssl. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate with its key, as files and as what is in them. */
export interface Certificate {
  certFile: string;
  keyFile: string;
  cert: Buffer;
  key: Buffer;
}

export interface Authority {
  /** The certificate that others are checked with. */
  caFile: string;
  ca: Buffer;
  /** A certificate for `localhost` and 127.0.0.1, signed by the authority. */
  issue: (name: string) => Certificate;
  /** Deletes all of it. */
  remove: () => void;
}

/** An authority that nobody knows. */
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
    const signing = [
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      'names',
    ];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signing, '-out', `${name}.pem`);
    const [certFile, keyFile] = [file(`${name}.pem`), file(`${name}.key`)];
    return { certFile, keyFile, cert: readFileSync(certFile), key: readFileSync(keyFile) };
  }

  const caFile = file('ca.pem');
  return { caFile, ca: readFileSync(caFile), issue, remove: () => rmSync(folder, { recursive: true }) };
}
