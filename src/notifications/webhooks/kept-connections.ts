/**
 * Kept-alive connections that a receiver has closed. The request that meets such a connection failed although the receiver is up,
 * so it may be repeated on a new connection. Only a request on a reused connection without a byte of a response is such a request.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { buildConnector, DiagnosticsChannel } from 'undici';

/** undici publishes the connection of each request here, right before it writes the request. */
const REQUEST_WRITTEN = 'undici:client:sendHeaders';

export class KeptConnections {
  /** The bytes that a connection had received before its last request: 0 for a new connection. */
  private readonly receivedBefore = new WeakMap<Socket, number>();
  /** The connection that an error ended, by the error. */
  private readonly endedBy = new WeakMap<object, Socket>();

  constructor() {
    subscribe(REQUEST_WRITTEN, this.noteRequest);
  }

  /** Returns a connector whose connections this object knows. */
  knownFrom(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...result) => {
        const [, socket] = result;
        socket?.once('error', (error: Error) => this.endedBy.set(error, socket));
        callback(...result);
      });
  }

  /** Whether the error of a request ended a reused connection before the first byte of a response. */
  wasClosedBefore(error: unknown): boolean {
    const socket = this.endedBy.get(Object(error) as object);
    const before = (socket && this.receivedBefore.get(socket)) ?? 0;
    return before > 0 && socket?.bytesRead === before;
  }

  close(): void {
    unsubscribe(REQUEST_WRITTEN, this.noteRequest);
  }

  private readonly noteRequest = (message: unknown): void => {
    const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
    this.receivedBefore.set(socket, socket.bytesRead);
  };
}
