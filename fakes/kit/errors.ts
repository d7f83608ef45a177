/** Errors as a supplier states them. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ModeBook } from './modes';
import { sendJson } from './responses';

/** An error, and the response that reports it. */
export abstract class StatedError extends Error {
  abstract readonly status: number;
  abstract readonly body: object;
  readonly headers: Readonly<Record<string, string>> = {};
}

interface ErrorForms {
  /** The error for a request without a route. */
  unknownPath: StatedError;
  /** The error for a request that cannot be read, e.g. because of broken JSON. */
  unreadable: (message: string, status: number) => StatedError;
  internal: StatedError;
}

/** The last handlers: they answer requests without a route, and everything that was thrown. They log internal errors. */
export function errorHandlers(modes: ModeBook, forms: ErrorForms): [RequestHandler, ErrorRequestHandler] {
  return [
    () => {
      throw forms.unknownPath;
    },
    (thrown: unknown, _request, response, next) => {
      if (response.headersSent) return next(thrown);
      const { status, headers, body } = statedError(thrown, forms);
      response.set(headers);
      sendJson(response, status, body, modes.of(''));
    },
  ];
}

function statedError(thrown: unknown, { unreadable, internal }: ErrorForms): StatedError {
  if (thrown instanceof StatedError) return thrown;
  // Express and its body parser set `status` on errors that the caller caused.
  if (thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500) {
    return unreadable(thrown.message, Number(thrown.status));
  }
  console.error(thrown);
  return internal;
}
