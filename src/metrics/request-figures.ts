/** What is counted and timed of requests. Labels are of the code, never of a request. */
import type { Server } from 'node:http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ErrorKey } from '../domain/error-kinds';

/** Upper bounds in seconds: from a read out of memory to a create that waits for its eSIM. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * A request that is over. `refusal`: the kind of error it was answered with, if it was. `createsOrder`: it is an order
 * request.
 */
export interface RequestEnd {
  labels: { route: string; method: string; status: string };
  seconds: number;
  refusal: string | undefined;
  createsOrder: boolean;
}

/** Kinds of error by which an order request is answered 503. */
const rejections: readonly string[] = ['serviceUnavailable', 'overloaded', 'noWorkers'] satisfies ErrorKey[];

/** Told of every request as it comes and as it ends. */
export interface RequestFigures {
  began: () => void;
  ended: (end: RequestEnd) => void;
}

/**
 * Registers the figures of requests. `orderRejected` is called for each order request that was answered 503, with the kind
 * of error.
 */
export function registerRequests(
  registry: Registry,
  orderRejected: (reason: string) => void,
): RequestFigures {
  const registers = [registry];
  const latency = new Histogram({
    name: 'digital_goods_http_request_seconds',
    help: 'Requests by route, method and class of status; aborted where the caller was gone before the answer was.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'digital_goods_http_requests_in_flight',
    help: 'Requests that are not answered yet.',
    registers,
  });
  const refusals = new Counter({
    name: 'digital_goods_http_refusals_total',
    help: 'Requests that were answered with an error, by the kind of error.',
    labelNames: ['reason'],
    registers,
  });
  return {
    began: () => inFlight.inc(),
    ended({ labels, seconds, refusal, createsOrder }) {
      inFlight.dec();
      latency.observe(labels, seconds);
      if (refusal === undefined) return;
      refusals.inc({ reason: refusal });
      if (createsOrder && rejections.includes(refusal)) orderRejected(refusal);
    },
  };
}

/** Registers the count of open connections. */
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
