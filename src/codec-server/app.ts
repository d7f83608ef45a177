/** What the codec server answers: payloads converted for whoever knows the secret in its path. */
import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { EncryptionCodec } from '../temporal/codec';

const { Payload: PayloadMessage } = temporal.api.common.v1;

/** The codec server's application. Answers `POST /<secret>/decode` and `POST /<secret>/encode`, `GET /health` for
 * probes, and nothing else. */
export function codecServer(codec: EncryptionCodec, secret: string, uiOrigin: string): express.Express {
  const app = express().disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set('Access-Control-Allow-Origin', uiOrigin);
    response.set('Access-Control-Allow-Headers', 'content-type, x-namespace, authorization');
    next();
  });
  app.options('/:secret/:direction', (_request, response) => void response.sendStatus(204));
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  const body = express.json({ limit: '4mb' });
  app.post('/:secret/decode', only(secret), body, converted(codec.decode.bind(codec)));
  app.post('/:secret/encode', only(secret), body, converted(codec.encode.bind(codec)));
  app.use(refused);
  return app;
}

/** What cannot be read, or not be opened with the keys at hand: the UI shows it as it is then. */
const refused: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(400).json({ message: error instanceof Error ? error.message : 'cannot be read' });
};

/** Whoever does not know the secret is told nothing, in the same time however much of it was right. */
function only(secret: string): RequestHandler {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const wanted = digest(secret);
  return (request, response, next) => {
    if (timingSafeEqual(digest(String(request.params['secret'])), wanted)) next();
    else response.sendStatus(404);
  };
}

function converted(convert: (payloads: Payload[]) => Promise<Payload[]>): RequestHandler {
  return async (request, response) => {
    const { payloads } = request.body as { payloads: object[] };
    const sent = payloads.map((payload) => PayloadMessage.fromObject(payload) as Payload);
    response.json({ payloads: (await convert(sent)).map((payload) => toJson(payload)) });
  };
}

function toJson(payload: Payload): object {
  return PayloadMessage.toObject(PayloadMessage.create(payload), { bytes: String });
}
