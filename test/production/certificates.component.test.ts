/** The certificates that an installation makes for Temporal, and the proof that a server demands them. */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import { Registry } from 'prom-client';
import { certificatesIn, openTunnel, proveClientCertificates } from '../../deploy/production/client-certificates';
import { registerClientCertificate } from '../../src/metrics/process-metrics';
import type { TemporalSettings } from '../../src/settings/temporal-settings';
import { root } from '../documents/documents';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Makes the certificates of a new installation, or renews those in its folder. */
function made(folder = mkdtempSync(join(tmpdir(), 'certificates-'))): string {
  folders.push(folder);
  execFileSync(process.execPath, [join(root, 'dev/scripts/make-certificates.mjs')], { cwd: folder });
  return join(folder, 'certificates');
}

const certificates = made();
const strangers = made();
const certificateIn = (folder: string, name = 'tls.crt') =>
  new X509Certificate(readFileSync(join(certificates, folder, name)));

test('When certificates are made, then only their owner can read the keys, and the containers get no key of the authority', () => {
  const files = ['authority', 'server', 'client'].flatMap((folder) =>
    readdirSync(join(certificates, folder)).map((name) => join(folder, name)),
  );
  expect(files).toEqual([
    'authority/tls.crt',
    'authority/tls.key',
    'server/ca.crt',
    'server/tls.crt',
    'server/tls.key',
    'client/ca.crt',
    'client/tls.crt',
    'client/tls.key',
  ]);
  for (const path of [...files, 'authority', 'server', 'client'])
    expect([path, statSync(join(certificates, path)).mode & 0o077]).toEqual([path, 0]);
  expect(readdirSync(certificates).sort()).toEqual(['authority', 'client', 'server']);
});

test('When a certificate is shown, then the authority signed it for its use: a client’s is none of a server', () => {
  const authority = certificateIn('authority');
  const [server, client] = [certificateIn('server'), certificateIn('client')];
  for (const certificate of [server, client]) {
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
  }
  expect(authority.ca).toBe(true);
  const [ofServer, ofClient] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];
  expect([server.keyUsage, client.keyUsage]).toEqual([[ofServer, ofClient], [ofClient]]);
  expect(server.subjectAltName).toBe('DNS:temporal, DNS:localhost, IP Address:127.0.0.1');
  expect(certificateIn('client', 'ca.crt').fingerprint256).toBe(authority.fingerprint256);
});

test('When certificates are renewed, then the authority stays, so that old and new ones are accepted', () => {
  const prints = () => ['authority', 'server', 'client'].map((folder) => certificateIn(folder).fingerprint256);
  const [authority, ...before] = prints();
  made(join(certificates, '..'));
  const [same, ...after] = prints();
  expect(same).toBe(authority);
  for (const print of before) expect(after).not.toContain(print);
});

test('When a program has a certificate, then its metrics say when it ends, and without one they say nothing', async () => {
  const valuesFor = async (tls: NonNullable<TemporalSettings['tls']>) => {
    const registry = new Registry();
    registerClientCertificate(registry, { address: 'temporal:7233', namespace: 'default', tls });
    return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  };
  const { cert: crt, key } = certificatesIn(join(certificates, 'client'));
  const [line = '', ...others] = await valuesFor({ clientCertPair: { crt, key } });
  const [series, ends] = line.split(' ');
  expect([series, others]).toEqual([
    'digital_goods_certificate_expiry_timestamp_seconds{certificate="temporal-client"}',
    [],
  ]);
  const days = (Number(ends) - Date.now() / 1_000) / 86_400;
  expect(days).toBeGreaterThan(396.9);
  expect(days).toBeLessThanOrEqual(397);
  expect(await valuesFor({})).toEqual([]);
});

test('When the group of a folder may read it, then it reads the renewed certificates in it, and no other group does', () => {
  const folder = made();
  chmodSync(join(folder, 'client'), 0o750);
  made(join(folder, '..'));
  const modes = ['client', 'server'].map((use) => statSync(join(folder, use, 'tls.key')).mode & 0o777);
  expect(modes).toEqual([0o640, 0o600]);
});

describe('When a server has the certificate', () => {
  async function serving(options: TlsOptions, use: (port: number) => Promise<void>): Promise<void> {
    const server = createServer({ ...certificatesIn(join(certificates, 'server')), ...options }, (socket) =>
      socket.on('error', () => undefined).pipe(socket),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await use((server.address() as AddressInfo).port);
    } finally {
      server.close();
    }
  }
  const proven = (port: number) =>
    proveClientCertificates(
      [port],
      certificatesIn(join(certificates, 'client')),
      certificatesIn(join(strangers, 'client')),
    );
  const demanding = { requestCert: true, rejectUnauthorized: true };

  test('and demands that of its clients, then ours is accepted, and neither none nor one of another authority', () =>
    serving(demanding, proven));

  test.each([
    ['none', {}, 'accepts no client certificate'],
    ['any', { requestCert: true, rejectUnauthorized: false }, 'accepts no client certificate'],
    [
      'that of another authority',
      { ...demanding, ca: certificatesIn(join(strangers, 'client')).ca },
      'rejects our client certificate',
    ],
  ])('and demands %s, then the proof fails', (_which, options, sentence) =>
    serving(options, async (port) => {
      await expect(proven(port)).rejects.toThrow(sentence);
    }),
  );

  test('and a program has none, then it reaches the server through the tunnel', () =>
    serving({ ...demanding, ALPNProtocols: ['h2'] }, async (port) => {
      const tunnel = await openTunnel(port, certificatesIn(join(certificates, 'client')));
      const socket = connect(tunnel, '127.0.0.1').setEncoding('utf8');
      const answered = new Promise((resolve) => socket.once('data', resolve));
      socket.write('hello');
      expect(await answered).toBe('hello');
      socket.destroy();
    }));
});
