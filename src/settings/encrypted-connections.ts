/** Production encrypts its connections to other machines, or states which of them it does not. */
import Joi from 'joi';
import type { ParsedValues } from './read-settings';

/** The connections that may be unencrypted, although they lead to another machine. */
const plainConnections = ['temporal', 'redis', 'traces'] as const;
type PlainConnection = (typeof plainConnections)[number];

/** The connections that an operator allows to be unencrypted, because only trusted programs can read the network in between. */
export const unencryptedConnections = Joi.string()
  .pattern(new RegExp(`^(${plainConnections.join('|')})(,(${plainConnections.join('|')}))*$`))
  .messages({ 'string.pattern.base': `{#label} must be some of ${plainConnections.join(', ')}, separated by commas` });

/** Whether the settings lead to another machine without encryption, and the remedy. */
const plainTextRules: Readonly<
  Record<PlainConnection, { variable: string; isPlain: (values: ParsedValues) => boolean; remedy: string }>
> = {
  temporal: {
    variable: 'TEMPORAL_ADDRESS',
    isPlain: (values) => values['TEMPORAL_TLS'] !== true && isRemote(`tcp://${textIn(values, 'TEMPORAL_ADDRESS')}`),
    remedy: 'set TEMPORAL_TLS=true',
  },
  redis: {
    variable: 'REDIS_URL',
    isPlain: (values) => isRemoteBy(values, 'REDIS_URL', 'redis:'),
    remedy: 'use rediss://',
  },
  traces: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    isPlain: (values) => isRemoteBy(values, 'OTEL_EXPORTER_OTLP_ENDPOINT', 'http:'),
    remedy: 'use https://',
  },
};

/** The unencrypted connections of production to another machine that UNENCRYPTED_CONNECTIONS does not name, each with the remedy. */
export function unencryptedFaults(values: ParsedValues): string[] {
  if (values['SERVICE_MODE'] !== 'production') return [];
  const allowed = textIn(values, 'UNENCRYPTED_CONNECTIONS').split(',');
  return plainConnections.flatMap((connection) => {
    const { variable, isPlain, remedy } = plainTextRules[connection];
    if (!isPlain(values) || allowed.includes(connection)) return [];
    return [
      `${variable} leads to another machine without TLS, which SERVICE_MODE production rejects: ${remedy}, or add ${connection} to UNENCRYPTED_CONNECTIONS if only trusted programs can read the network`,
    ];
  });
}

function textIn(values: ParsedValues, variable: string): string {
  const { [variable]: value } = values;
  return typeof value === 'string' ? value : '';
}

function isRemoteBy(values: ParsedValues, variable: string, protocol: string): boolean {
  const url = textIn(values, variable);
  return URL.canParse(url) && new URL(url).protocol === protocol && isRemote(url);
}

function isRemote(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname !== 'localhost' && hostname !== '[::1]' && !/^127(\.\d+){3}$/.test(hostname);
}
