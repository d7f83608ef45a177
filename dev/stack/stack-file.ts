/** `stack.json`: the addresses of a running stack. Written when it is ready, removed when it stops. */

import type { Ports } from './ports';

/** A client of the demo data with its credentials. */
export interface DemoClient {
  client_id: number;
  api_key: string;
  api_secret: string;
  wallets: { id: number; currency_code: string; is_default: boolean }[];
}

/** An order with a known outcome. */
export interface Scenario {
  name: string;
  method: string;
  path: string;
  body: Record<string, unknown>;
  /** For a fault. The statuses are those of the repetition. */
  headers?: { 'Sandbox-Fault': string };
  initial_status: string;
  final_status: string;
  failure_code?: string;
}

/** The database URL of each role. */
export interface RoleUrls {
  service: string;
  operator: string;
  retention: string;
  operatorIdentity: string;
  memberIdentity: string;
}

/** The local admin of the operators' process. */
export interface LocalOperator {
  /** For the ops CLI of this checkout. */
  token: string;
  /** Signs in once, within 15 minutes. */
  signInLink: string;
}

/** The part of the seeding's output that `stack.json` holds. */
export interface DemoData {
  clients: Record<string, DemoClient>;
  scenarios: Scenario[];
}

/** The file's content. An external server (DATABASE_URL, TEMPORAL_ADDRESS) has no pid. */
export interface StackFile extends DemoData {
  api_url: string;
  /** The operators' process. */
  ops_url: string;
  database_url: string;
  temporal_address: string;
  temporal_namespace: string;
  /** The server of the Temporal UI, without sign-in and without decryption. */
  temporal_ui_url: string;
  /** The simulator's own address, with its controls. */
  simulator_url: string;
  /** The simulator's address for the service: its own, or that of a proxy (SIMULATOR_URL). */
  supplier_url: string;
  mailbox_url: string;
  /** The metrics of the worker and of the bulk worker with those of the SDK, and of the API. */
  metrics_url: string;
  api_metrics_url: string;
  bulk_metrics_url: string;
  /** Where the operators' process decrypts and encrypts payloads, for people who signed in. */
  codec_url: string;
  /** The fake suppliers with their controls. Only with `--suppliers`. */
  suppliers?: Record<string, { url: string }>;
  /** The ports of its programs, under the variables that change them. Only of a stack that `npm start` runs. */
  ports?: Ports;
  pids: Record<string, number>;
}
