-- Oldest data version: 1
-- What a relayer spent in the last days (api/relayer/transactions/read-relayer-runway.ts).
create index attempts_recent on service.attempts (relayer, created_at) include (nonce, gas_limit, max_fee_per_gas);
