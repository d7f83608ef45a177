import express, { type RequestHandler } from 'express';
import { errors } from '../../domain/errors';

const parse = express.json({ limit: '1mb' });

/**
 * Reads a JSON body of up to 1 MiB into `request.body`. Where it cannot, the error becomes the body,
 * and `jsonObject` throws it when the handler comes to the body: address and feature are checked first.
 */
export const jsonBody: RequestHandler = (request, response, next) => {
  parse(request, response, (error?: { type?: string }) => {
    if (error)
      request.body = error.type === 'entity.too.large' ? errors.payloadTooLarge() : errors.invalidBody();
    next();
  });
};
