#!/usr/bin/env node
/**
 * Writes into the current folder what the units of this folder read, with new secrets: the settings that all programs of the service
 * share, those that one of them alone may know, and the certificates of Temporal. Only the user who runs it can read them.
 *
 *   node make-settings.mjs [postgres://host:port/database?sslmode=verify-full]   (default: the server of this machine)
 */
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeCertificates } from '../../dev/scripts/make-certificates.mjs';
import { newSecrets } from '../../dev/scripts/new-secrets.mjs';

const address = new URL(process.argv[2] ?? 'postgres://127.0.0.1:5432/digital_goods?sslmode=disable');
const database = address.pathname.slice(1);
const { SIMULATOR_SECRET: _, POSTGRES_PASSWORD: __, TEMPORAL_PASSWORD, ...secrets } = newSecrets();

/** The database's address for a role. */
function urlOf(role, password) {
  return Object.assign(new URL(address), { username: `${database}_${role}`, password }).href;
}

const certificate = (file) => resolve('certificates/client', file);
const ofService = `DATABASE_URL=${urlOf('service', secrets.SERVICE_PASSWORD)}`;

const files = {
  'service.env': `
# Of API, workers, operators' process and local commands. Here belong all other settings of .env.example that you need.
# systemd reads "$" and "#" as they stand. Put a value with a quote or a backslash into single quotes.
SERVICE_MODE=production
SECRET_KEYS=${secrets.SECRET_KEYS}
# Where members of clients open the console: https:// and the host of the API.
CONSOLE_URL=
# Your mail server, such as smtps://user:password@mail.goods.example, and your sender, such as Goods <orders@goods.example>.
SMTP_URL=
MAIL_FROM=
# The settings of at least one supplier: docs/operators/suppliers.md.

# Your proxies before the API and the operators' process.
TRUSTED_PROXIES=127.0.0.1
TEMPORAL_ADDRESS=127.0.0.1:7233
TEMPORAL_NAMESPACE=default
TEMPORAL_TLS=true
TEMPORAL_TLS_CA_FILE=${certificate('ca.crt')}
TEMPORAL_TLS_CERT_FILE=${certificate('tls.crt')}
TEMPORAL_TLS_KEY_FILE=${certificate('tls.key')}
TEMPORAL_SERVER_NAME=temporal
`,
  'api.env': `
${ofService}
MEMBER_IDENTITY_DATABASE_URL=${urlOf('member_identity', secrets.MEMBER_IDENTITY_PASSWORD)}
MEMBER_IDENTITY_SECRET=${secrets.MEMBER_IDENTITY_SECRET}
`,
  'worker.env': `
${ofService}
RETENTION_DATABASE_URL=${urlOf('retention', secrets.RETENTION_PASSWORD)}
`,
  'bulk-worker.env': `
${ofService}
`,
  'operators.env': `
DATABASE_URL=${urlOf('operator', secrets.OPERATOR_PASSWORD)}
OPS_IDENTITY_DATABASE_URL=${urlOf('operator_identity', secrets.OPERATOR_IDENTITY_PASSWORD)}
OPS_IDENTITY_SECRET=${secrets.OPS_IDENTITY_SECRET}
# Where operators reach the operators' process: https:// and a host.
OPS_URL=
`,
  'local.env': `
# Of local commands, as the owner of the database.
DATABASE_URL=${urlOf('owner', secrets.OWNER_PASSWORD)}
`,
  'temporal.env': `
# Of the Temporal server, and of the scripts that prepare it.
POSTGRES_SEEDS=127.0.0.1
DB_PORT=5433
POSTGRES_PWD=${TEMPORAL_PASSWORD}
# For a server on another machine.
#SQL_TLS_ENABLED=true
#SQL_HOST_VERIFICATION=true
#SQL_CA=/etc/ssl/certs/ca-certificates.crt
# For workers on other machines: the address of this one in a private network.
#BIND_ON_IP=10.0.0.5
#TEMPORAL_ADDRESS=10.0.0.5:7233
`,
  'temporal-roles.env': `
# For deploy/postgres-config/roles.sh on the server of temporal.env.
PGPORT=5433
TEMPORAL_PASSWORD=${TEMPORAL_PASSWORD}
`,
  'roles.env': `
# For deploy/postgres-config/roles.sh on the server of the service.
PGPORT=${address.port || 5432}
DATABASE=${database}
${Object.entries(secrets)
  .filter(([name]) => name.endsWith('_PASSWORD'))
  .map(([name, value]) => `${name}=${value}`)
  .join('\n')}
`,
};

const present = Object.keys(files).find((name) => existsSync(name));
if (present !== undefined) {
  console.error(`${resolve(present)} is there already: move it away first.`);
  process.exit(1);
}
for (const [name, text] of Object.entries(files)) writeFileSync(name, text.trimStart(), { mode: 0o600, flag: 'wx' });
console.log(`${resolve('.')} holds the settings: fill in what is empty in service.env and operators.env.`);
console.log(makeCertificates());
