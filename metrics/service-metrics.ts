import { type Metric, SECONDS } from './metric.ts'

/** The metrics of an API process about requests, writes and the chain. */
export const serviceMetrics = {
  taskmarket_up: {
    type: 'gauge',
    unit: '0 or 1',
    labels: { part: '`database`, `database_writes`, `chain`, `indexer`, `relayers`, `storage`' },
    meaning: 'whether the part answered this scrape; the values of one that did not are absent',
  },
  taskmarket_http_requests_total: {
    type: 'counter',
    unit: 'requests',
    labels: { method: 'HTTP methods', route: 'templates of routes; `none`', status: 'HTTP statuses' },
    meaning: 'answered requests',
  },
  taskmarket_http_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: { route: 'templates of routes; `none`' },
    meaning: 'time from the head of a request to the head of its answer',
    action: 'a slow route: find its lines in the log',
    buckets: SECONDS,
  },
  taskmarket_write_answers_total: {
    type: 'counter',
    unit: 'answers',
    labels: {
      operation: 'names of operations',
      outcome: '`ok`, `challenge` (the 402 of round one), reasons of errors',
    },
    meaning: 'answers of write routes',
    action: 'a reason that grows: find its `request` lines',
  },
  taskmarket_writes_total: {
    type: 'counter',
    unit: 'writes',
    labels: { operation: 'names of operations', outcome: '`completed`, `failed`, `held`' },
    meaning: 'relayed writes that this process decided; one that a reorg reopened counts again',
    action: 'many `failed`: read the `reason` of their `intent` lines',
  },
  taskmarket_write_stage_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: {
      stage:
        '`preflight`, `verify`, `simulate`, `bind`, `outbox` (recorded until signed, of what is not signed in `bind`), `sign`, `send`, `mined` (signed until decided), `indexed`, `answer` (the whole request)',
    },
    meaning: 'time of each stage of a relayed write',
    action:
      'the slow stage names the part: node (`verify`, `simulate`, `sign`, `send`), database (`bind`), relayers (`outbox`), chain (`mined`), indexer (`indexed`)',
    buckets: SECONDS,
  },
  taskmarket_intents: {
    type: 'gauge',
    unit: 'intents',
    labels: { status: '`recorded`, `broadcast`, `held`, `settling`' },
    meaning:
      'relayed writes without an outcome: in the outbox, sent, left to an operator, and held until the block in which the payment went to another account is safe',
  },
  taskmarket_oldest_intent_seconds: {
    type: 'gauge',
    unit: 'seconds',
    labels: { status: '`recorded`, `broadcast`' },
    meaning: 'age of the oldest intent in this status; 0 without one',
  },
  taskmarket_stuck_transactions: {
    type: 'gauge',
    unit: 'transactions',
    meaning: 'sent transactions without a receipt for longer than a replacement takes',
  },
  taskmarket_intents_reopened_total: {
    type: 'counter',
    unit: 'writes',
    labels: { operation: 'names of operations' },
    meaning: 'decided writes that a reorg returned to `broadcast`',
  },
  taskmarket_refunds: {
    type: 'gauge',
    unit: 'refunds',
    labels: { status: '`pending`, `refunding`, `failed`' },
    meaning: 'payments to give back: waiting, sent, left to an operator',
  },
  taskmarket_failed_refunds_base_units: {
    type: 'gauge',
    unit: 'USDC base units',
    meaning: 'what refunds left to an operator owe together',
  },
  taskmarket_foreign_intents: {
    type: 'gauge',
    unit: 'intents',
    meaning: 'recorded writes that run code of other accounts',
  },
  taskmarket_foreign_gas_wei: {
    type: 'gauge',
    unit: 'wei',
    meaning: 'used and set aside today for such writes, without those that fees pay for',
  },
  taskmarket_foreign_gas_limit_wei: {
    type: 'gauge',
    unit: 'wei',
    meaning: 'the most that may be used for them in a day (`FOREIGN_WEI_PER_DAY`)',
  },
  taskmarket_relay_gas_wei_total: {
    type: 'counter',
    unit: 'wei',
    labels: { class: '`plain`, `foreign`', outcome: '`succeeded`, `reverted`' },
    meaning: 'gas of relayed writes that this process saw mined',
  },
  taskmarket_relayer_nonce: {
    type: 'gauge',
    unit: 'nonce',
    labels: { relayer: 'addresses of `RELAYER_KEYS` and `RELAYER_SIGNERS`', source: '`database`, `chain`' },
    meaning: 'next nonce of a relayer, in the table and of its account; equal when nothing is sent',
    action: '`chain` above `database`, which lasts for seconds: see `taskmarket_relayer_used_elsewhere_total`',
  },
  taskmarket_relayer_used_elsewhere_total: {
    type: 'counter',
    unit: 'findings',
    labels: { relayer: 'addresses of relayers that ever signed' },
    meaning: 'transactions of a relayer were mined that the service did not send: it takes the nonces behind them',
    action: 'another program has the key, or a stranger (docs/operate/bad-day/key-stolen.md)',
  },
  taskmarket_relayer_balance_wei: {
    type: 'gauge',
    unit: 'wei',
    labels: { relayer: 'addresses of `RELAYER_KEYS` and `RELAYER_SIGNERS`' },
    meaning: 'ether of a relayer',
  },
  taskmarket_signer_failures: {
    type: 'gauge',
    unit: 'failures',
    labels: { relayer: 'addresses of `RELAYER_KEYS` and `RELAYER_SIGNERS`' },
    meaning: 'failures of a relayer’s signer since its last signature; 0 of a key that the process has itself',
  },
  taskmarket_relayer_runway_days: {
    type: 'gauge',
    unit: 'days',
    labels: { relayer: 'addresses of `RELAYER_KEYS` and `RELAYER_SIGNERS`' },
    meaning: 'how long its ether lasts at the rate of its last seven days; absent where it signed nothing in them',
  },
  taskmarket_chain_block: { type: 'gauge', unit: 'blocks', meaning: 'height of the chain head' },
  taskmarket_indexer_lag_blocks: {
    type: 'gauge',
    unit: 'blocks',
    meaning: 'blocks that the rows are behind the chain head',
  },
  taskmarket_indexer_lag_seconds: { type: 'gauge', unit: 'seconds', meaning: 'the same in block time' },
  taskmarket_reorgs_seen_total: {
    type: 'counter',
    unit: 'reorgs',
    meaning: 'heads that did not follow the blocks seen before',
    action:
      'frequent: check whether `RPC_URL` is one node or a pool of nodes at different heights; name the nodes of the pool in it instead',
  },
  taskmarket_chain_request_seconds: {
    type: 'histogram',
    unit: 'seconds',
    labels: { method: 'functions of the chain port', outcome: '`ok`, `failed`' },
    meaning: 'requests to the node',
    action: 'slow or `failed`: check the node',
    buckets: SECONDS,
  },
  taskmarket_node_usable: {
    type: 'gauge',
    unit: '0 or 1',
    labels: { node: 'place in `RPC_URL`' },
    meaning: 'whether a node passed its last check and answers',
  },
  taskmarket_node_current: {
    type: 'gauge',
    unit: '0 or 1',
    labels: { node: 'place in `RPC_URL`' },
    meaning: 'whether requests go to this node',
  },
  taskmarket_node_block: {
    type: 'gauge',
    unit: 'blocks',
    labels: { node: 'place in `RPC_URL`' },
    meaning: 'its newest block at the last check',
  },
  taskmarket_node_failures_total: {
    type: 'counter',
    unit: 'requests',
    labels: { node: 'place in `RPC_URL`', failure: '`timeout`, `limit` (429), `error`' },
    meaning: 'requests to a node without an answer',
  },
} as const satisfies Record<string, Metric>
