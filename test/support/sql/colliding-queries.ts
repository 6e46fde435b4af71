/**
 * Two texts whose SHA-256 begins with the same 40 bits. A cache of verdicts that is keyed by such a prefix takes the
 * second for the first: one harmless SELECT, then statements that leave the transaction and write. The pair was found
 * in four seconds on one core.
 */
export const collision = [
  'SELECT fee_bps FROM market_config LIMIT 2797697',
  'COMMIT; BEGIN READ WRITE; CREATE TABLE intrusion AS SELECT 189571 AS n; COMMIT; BEGIN; SELECT 1',
] as const
