/** How the processes reach Temporal. docs/operators/configuration.md#tls. */
import Joi from 'joi';
import { setting } from './declared-settings';
import { fileContents, withTemporalTls, type Values } from './setting-schemas';

export const temporalSettings = {
  address: setting<string>('TEMPORAL_ADDRESS', Joi.string().default('127.0.0.1:7233')),
  namespace: setting<string>('TEMPORAL_NAMESPACE', Joi.string().default('default')),
  usesTls: setting<boolean>('TEMPORAL_TLS', Joi.boolean().default(false)),
  ca: setting<Buffer | undefined>('TEMPORAL_TLS_CA_FILE', withTemporalTls(fileContents)),
  cert: setting<Buffer | undefined>('TEMPORAL_TLS_CERT_FILE', withTemporalTls(fileContents)),
  key: setting<Buffer | undefined>('TEMPORAL_TLS_KEY_FILE', withTemporalTls(fileContents)),
  serverName: setting<string | undefined>('TEMPORAL_SERVER_NAME', withTemporalTls(Joi.string().hostname())),
  apiKey: setting<string | undefined>('TEMPORAL_API_KEY', withTemporalTls(Joi.string())),
};

/** How clients and workers connect to Temporal: in plain text without `tls`. */
export interface TemporalSettings {
  address: string;
  namespace: string;
  tls?: {
    serverRootCACertificate?: Buffer;
    clientCertPair?: { crt: Buffer; key: Buffer };
    serverNameOverride?: string;
  };
  apiKey?: string;
}

/** The values as the connections need them. */
export function temporalOf(values: Values<typeof temporalSettings>): TemporalSettings {
  const { address, namespace, usesTls, ca, cert, key, serverName, apiKey } = values;
  const tls = {
    ...(ca && { serverRootCACertificate: ca }),
    ...(cert && key && { clientCertPair: { crt: cert, key } }),
    ...(serverName !== undefined && { serverNameOverride: serverName }),
  };
  return { address, namespace, ...(usesTls && { tls }), ...(apiKey !== undefined && { apiKey }) };
}
