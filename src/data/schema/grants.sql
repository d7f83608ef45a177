-- What the roles that do not own the schema may do in it: {service} runs API and worker, {codec} the codec server, and
-- {retention} is what maintenance deletes audit entries as, and writes those of operators in Temporal.
-- `migrate` applies it as the owner. Every table of a migration has its line here (test/data/grants.test.ts).

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {service}, {codec}, {retention};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {service}, {codec}, {retention};
-- Temporary tables fill the disk that the ledger is written to. The verification of the ledger needs some.
REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {codec}, {retention};
GRANT TEMPORARY ON DATABASE {database} TO {service};
GRANT USAGE ON SCHEMA public TO {service}, {codec}, {retention};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {service};

-- Written by migrations and by the operators' tool.
GRANT SELECT ON migrations, schema_functions, applied_functions, clients, api_keys, categories, subcategories, topup_products,
  voucher_denominations, forex_rates, conversion_fees, client_discounts, client_blacklist TO {service};
-- Their rows are held while a session begins or an endpoint is made, for which PostgreSQL wants a column to change.
GRANT UPDATE (created_at) ON clients, api_keys TO {service};

-- Written by the seeding of a sandbox.
GRANT SELECT ON sandbox_scenarios TO {service};

-- History: added to, never changed.
GRANT SELECT, INSERT ON transactions TO {service};
-- A client's entry tells what the call was, and nothing that an operator's entry tells; triggers hold the rest.
GRANT SELECT, INSERT (actor_kind, client_id, api_key_id, address, request_id, action, object, before, after)
  ON audit_entries TO {service};
GRANT SELECT, DELETE,
  INSERT (at, actor_kind, client_id, operator, command, reason, source, action, object, before, after)
  ON audit_entries TO {retention};

-- What is owed, sold and promised: changed by its statements, never removed.
GRANT SELECT, INSERT, UPDATE ON orders, esim_orders, topup_orders, vouchers, supplier_purchases, goods_apart,
  webhook_endpoints, client_clocks, data_keys, supplier_health, supplier_call_health, maintenance_tasks,
  ledger_verifications, event_counts, ledger_counted, ledger_totals, countries,
  currencies TO {service};
GRANT SELECT, UPDATE ON lookup_buckets, wallets, voucher_products, topup_variants, esim_products, pricing_version,
  events_counted TO {service};
GRANT SELECT, INSERT, UPDATE ON esim_variants TO {service};

-- What is past its use is deleted. docs/operators/operations.md#retention.
GRANT SELECT, INSERT, UPDATE, DELETE ON order_intakes, order_counts, daily_orders, token_families, refresh_tokens,
  attention, events, webhook_deliveries, webhook_attempts, webhook_previous_secrets, webhook_replays,
  webhook_disablings, key_holders, operator_messages, order_rejections, order_results TO {service};

GRANT SELECT ON payload_keys TO {service}, {codec};
