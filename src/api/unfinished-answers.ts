import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answers that are not sent yet, by the connection they go to: several where requests are sent without waiting. */
export class UnfinishedAnswers {
  private readonly byConnection = new Map<Duplex, ServerResponse[]>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      const answers: ServerResponse[] = [];
      this.byConnection.set(socket, answers);
      socket.once('close', () => this.byConnection.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => {
      const answers = this.on(socket);
      answers.push(response);
      response.on('close', () => answers.splice(answers.indexOf(response), 1));
    });
  }

  /** Those of the connection, in the order of their requests. */
  on(connection: Duplex): ServerResponse[] {
    return this.byConnection.get(connection) ?? [];
  }

  all(): ServerResponse[] {
    return [...this.byConnection.values()].flat();
  }
}
