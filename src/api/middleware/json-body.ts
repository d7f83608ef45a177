import express, { type RequestHandler } from 'express';
import { boundedBody } from './bounded-body';

/**
 * Reads a JSON body of up to so many bytes into `request.body`. Where it cannot, the error becomes the body,
 * and `jsonObject` throws it when the handler comes to the body: address and feature are checked first.
 */
export function jsonBody(maxBytes: number): RequestHandler {
  return boundedBody(express.json({ limit: maxBytes }), maxBytes, (request, error, next) => {
    if (error) request.body = error;
    next();
  });
}
