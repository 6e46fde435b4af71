/** The settings that the service needs. */
export const needed = {
  DATABASE_URL: 'postgres://127.0.0.1/market',
  RPC_URL: 'http://127.0.0.1:8545',
  RELAYER_KEYS: `0x${'1'.repeat(64)}`,
  URL_SIGNING_SECRET: 'a secret that is long enough for it',
}
