/** The HTTP application of the codec server: converts payloads for callers that know the secret in its path. */
import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Payload } from '@temporalio/common';
import type { EncryptionCodec } from '../temporal/codec';
import { convertPayloads } from '../temporal/remote-codec';

/** Answers `POST /<secret>/decode`, `POST /<secret>/encode`, and `GET /health` for probes. */
export function codecServer(codec: EncryptionCodec, secret: string, uiOrigin: string): express.Express {
  const app = express().disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set('Access-Control-Allow-Origin', uiOrigin);
    response.set('Access-Control-Allow-Headers', 'content-type, x-namespace, authorization');
    next();
  });
  app.options('/:secret/:direction', (_request, response) => void response.sendStatus(204));
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  const parseBody = express.json({ limit: '4mb' });
  app.post('/:secret/decode', requireSecret(secret), parseBody, convertWith(codec.decode.bind(codec)));
  app.post('/:secret/encode', requireSecret(secret), parseBody, convertWith(codec.encode.bind(codec)));
  app.use(answerError);
  return app;
}

/** Answers 400, for example to payloads that it cannot decrypt. The Temporal UI then shows them encrypted. */
const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
  response.status(400).json({ message: error instanceof Error ? error.message : 'cannot be read' });
};

/** Answers 404 to a wrong secret. Compares in constant time. */
function requireSecret(secret: string): RequestHandler {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const wanted = digest(secret);
  return (request, response, next) => {
    if (timingSafeEqual(digest(String(request.params['secret'])), wanted)) next();
    else response.sendStatus(404);
  };
}

function convertWith(convert: (payloads: Payload[]) => Promise<Payload[]>): RequestHandler {
  return async (request, response) => void response.json(await convertPayloads(convert, request.body));
}
