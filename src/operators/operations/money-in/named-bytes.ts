/** A file as it was uploaded. `name`: as the operator wrote it, for messages. */
export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}
