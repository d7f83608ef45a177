/**
 * The codec server: decrypts summaries and details for operators in the Temporal UI, and encrypts the arguments of their
 * signals and updates. The browser sends no credentials, so the path has a secret. Only operators should reach the server.
 */
import { loadCodecServerConfig } from '../config';
import { openDatabase } from '../data/database/database';
import { watchPayloadKeys } from '../data/keys/loaded-keys';
import { createLogger } from '../log';
import { LocalKeyEncryption } from '../security/key-encryption';
import { EncryptionCodec } from '../temporal/codec';
import { codecServer } from './app';

async function main(): Promise<void> {
  const config = loadCodecServerConfig();
  const { host, port, secret, uiOrigin } = config.codecServer;
  if (!secret) throw new Error('Configuration: CODEC_SERVER_SECRET is required. See .env.example.');
  const { url, preparesStatements } = config.database;
  const database = openDatabase(url, 1, { preparesStatements });
  const encryption = new LocalKeyEncryption(config.secretKeys);
  const log = createLogger('codec-server', config.logLevel);
  const { ring } = await watchPayloadKeys({ database, encryption, log });
  codecServer(new EncryptionCodec(ring), secret, uiOrigin).listen(port, host);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
