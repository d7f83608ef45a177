/** Metrics of HTTP requests. Labels never hold text from a request. */
import type { Server } from 'node:http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ErrorKey } from '../domain/error-kinds';

/** Upper bounds in seconds: from a cached read to an order request that waits for its eSIM. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

interface RequestEnd {
  labels: { route: string; method: string; status: string };
  seconds: number;
  /** The kind of error of the response; undefined for a success. */
  errorKey: string | undefined;
  /** Whether the request is an order request that reached admission. */
  createsOrder: boolean;
}

/** The kinds of error with which an order request gets a 503 or 504. */
const rejectingErrors: readonly string[] = [
  'serviceUnavailable',
  'overloaded',
  'noWorkers',
  'outcomeUnknown',
] satisfies ErrorKey[];

/** Counts each request at its start and at its end. */
export interface RequestMetrics {
  began: () => void;
  ended: (end: RequestEnd) => void;
}

/** Registers the metrics. Calls `orderRejected` with the kind of error for each order request that gets a 503 or 504. */
export function registerRequests(registry: Registry, orderRejected: (reason: string) => void): RequestMetrics {
  const registers = [registry];
  const latency = new Histogram({
    name: 'digital_goods_http_request_seconds',
    help: 'Requests by route, method and status class; aborted if the caller left before the response, rehearsed if a client of a sandbox asked for the failure.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'digital_goods_http_requests_in_flight',
    help: 'Requests without a response yet.',
    registers,
  });
  const errorResponses = new Counter({
    name: 'digital_goods_http_refusals_total',
    help: 'Requests with an error response, by the kind of error.',
    labelNames: ['reason'],
    registers,
  });
  return {
    began: () => inFlight.inc(),
    ended({ labels, seconds, errorKey, createsOrder }) {
      inFlight.dec();
      latency.observe(labels, seconds);
      if (errorKey === undefined) return;
      errorResponses.inc({ reason: errorKey });
      if (createsOrder && rejectingErrors.includes(errorKey)) orderRejected(errorKey);
    },
  };
}

/** Registers the number of open connections. */
export function registerConnections(registry: Registry, server: Server): void {
  const connections = new Gauge({
    name: 'digital_goods_http_connections',
    help: 'Open connections of callers.',
    registers: [registry],
    async collect() {
      connections.set(await openConnections(server));
    },
  });
}

function openConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
