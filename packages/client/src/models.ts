/** What the service shows, by the names this library gives it. */

interface Event<Type extends string, Data> {
  id: string;
  type: Type;
  /** RFC 3339. */
  created_at: string;
  data: Data;
}

interface OrderEventData {
  id: number;
  client_reference?: string;
}

/** What a webhook tells, by its `type`. */
export type WebhookEvent = Event<'order.delivered', OrderEventData>;
