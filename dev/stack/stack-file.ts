/** `stack.json`: where a running stack is to be found. Written when it is ready, removed when it stops. */

/** A client of the demo data, with what it logs in with. */
export interface DemoClient {
  client_id: number;
  api_key: string;
  api_secret: string;
  wallets: { id: number; currency_code: string; is_default: boolean }[];
}

/** An order whose outcome is known beforehand. */
export interface Scenario {
  name: string;
  method: string;
  path: string;
  body: Record<string, unknown>;
  initial_status: string;
  final_status: string;
  failure_code?: string;
}

/** Where the programs of the service find the database, each as its own role. */
export interface RoleUrls {
  service: string;
  codec: string;
  retention: string;
}

/** The part of what the seeding prints that `stack.json` tells. */
export interface DemoData {
  clients: Record<string, DemoClient>;
  scenarios: Scenario[];
}

/** The file's content. A part that was started elsewhere (DATABASE_URL, TEMPORAL_ADDRESS) has no pid. */
export interface StackFile extends DemoData {
  api_url: string;
  database_url: string;
  temporal_address: string;
  temporal_namespace: string;
  temporal_ui_url: string;
  /** The simulator's own address, with its controls. */
  simulator_url: string;
  /** Where the service looks for it: there, or at what SIMULATOR_URL put in front of it. */
  supplier_url: string;
  mailbox_url: string;
  /** The worker's figures, the SDK's among them, and the API's. */
  metrics_url: string;
  api_metrics_url: string;
  codec_url: string;
  pids: Record<string, number>;
}
