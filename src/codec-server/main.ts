/**
 * The codec server: lets the Temporal UI show summaries and details to operators, and send what they type
 * into a signal or an update. The UI's browser calls it without credentials, so its path holds a secret and
 * it listens where only operators are. Of the database it reads the view `payload_keys`, and nothing else.
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
