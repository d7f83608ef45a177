/**
 * The codec server: lets the Temporal UI show summaries and details to operators. The UI's browser
 * calls it without credentials, so its path holds a secret and it listens where only operators are.
 */
import express from 'express';
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { loadConfig } from '../config';
import { KeyRing } from '../security/key-ring';
import { EncryptionCodec } from './codec';

const { Payload: PayloadMessage } = temporal.api.common.v1;

/** The codec server's application. Answers `POST /<secret>/decode` and nothing else. */
export function codecServer(codec: EncryptionCodec, secret: string, uiOrigin: string): express.Express {
  const app = express().disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set('Access-Control-Allow-Origin', uiOrigin);
    response.set('Access-Control-Allow-Headers', 'content-type, x-namespace, authorization');
    next();
  });
  app.options('/:secret/decode', (_request, response) => void response.sendStatus(204));
  app.post(`/${secret}/decode`, express.json({ limit: '4mb' }), async (request, response) => {
    const { payloads } = request.body as { payloads: object[] };
    const encoded = payloads.map((payload) => PayloadMessage.fromObject(payload) as Payload);
    const decoded = await codec.decode(encoded);
    response.json({ payloads: decoded.map((payload) => toJson(payload)) });
  });
  return app;
}

function toJson(payload: Payload): object {
  return PayloadMessage.toObject(PayloadMessage.create(payload), { bytes: String });
}

function main(): void {
  const config = loadConfig();
  const { port, secret, uiOrigin } = config.codecServer;
  if (!secret) throw new Error('Configuration: CODEC_SERVER_SECRET is required. See .env.example.');
  const app = codecServer(new EncryptionCodec(new KeyRing(config.secretKeys)), secret, uiOrigin);
  app.listen(port, config.codecServer.host);
}

if (require.main === module) {
  try {
    main();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
