/** Stands in for Temporal Cloud: a proxy in front of a Temporal server that ends TLS, asks for an API key and keeps the operator service to itself. */
import { once } from 'node:events';
import {
  connect,
  constants,
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { listeningPort } from '../../src/process/listening-port';

interface Upstream {
  /** Host and port of the server, which takes calls without TLS. */
  address: string;
  apiKey: string;
  /** The certificate of the proxy. */
  cert: Buffer | string;
  key: Buffer | string;
}

/** Codes of gRPC. */
const [PERMISSION_DENIED, UNAUTHENTICATED] = [7, 16];

export class CloudProxy {
  /** The headers of the calls that passed. */
  readonly passed: IncomingHttpHeaders[] = [];
  private readonly upstream;

  private constructor(
    private readonly server: Http2SecureServer,
    private readonly apiKey: string,
    address: string,
  ) {
    this.upstream = connect(`http://${address}`);
    server.on('stream', (stream: ServerHttp2Stream, headers) => this.take(stream, headers));
  }

  static async open({ address, apiKey, ...certificate }: Upstream): Promise<CloudProxy> {
    const server = createSecureServer(certificate);
    const proxy = new CloudProxy(server, apiKey, address);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${listeningPort(this.server)}`;
  }

  close(): void {
    this.server.close();
    this.upstream.destroy();
  }

  private take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { authorization, ...others } = headers;
    if (authorization !== `Bearer ${this.apiKey}`) return refuse(stream, UNAUTHENTICATED);
    if (String(headers[':path']).startsWith('/temporal.api.operatorservice.')) return refuse(stream, PERMISSION_DENIED);
    this.passed.push(headers);
    const call = this.upstream.request({ ...others, ':scheme': 'http' });
    stream.on('error', () => call.close()).pipe(call);
    call.on('error', () => stream.close());
    call.on('response', (answer, flags) => {
      // An error without a message is headers only.
      if (flags & constants.NGHTTP2_FLAG_END_STREAM) return stream.respond(answer, { endStream: true });
      stream.respond(answer, { waitForTrailers: true });
      call.pipe(stream, { end: false });
    });
    call.on('trailers', (trailers: OutgoingHttpHeaders) => {
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      stream.end();
    });
  }
}

function refuse(stream: ServerHttp2Stream, code: number): void {
  const status = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': code };
  stream.respond(status, { endStream: true });
}
