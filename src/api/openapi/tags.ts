/** The parts of the document, in its order. */
export const tags = {
  Authentication: 'Log in with your API key and secret; go on with the tokens.',
  Vouchers: 'Gift cards: codes, PINs and claim URLs, up to 5,000 in an order.',
  'Top-ups': 'Game top-ups, mobile recharges and utility bills.',
  eSIM: 'Data plans as activation codes.',
  Wallets: 'What your orders are paid from.',
  Transactions: 'Every movement of money in your wallets.',
  'Reference data': 'Countries, currencies, categories.',
  Statements: 'Periods of wallets and orders as CSV.',
  Sandbox: 'Rehearsing, where the service plays. Production has none of these.',
  'Webhook endpoints': 'Where events are sent, and how they are signed.',
  'Webhook events': 'The log of what has happened.',
  Probes: 'For load balancers.',
  Reference: 'What you are reading.',
  Suppliers: 'Pushes of suppliers. Not for clients.',
} as const;

export type Tag = keyof typeof tags;
