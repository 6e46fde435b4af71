/** Name of the HTTP header that contains the token for Ponder's `/metrics`. */
export const TOKEN_HEADER = 'x-metrics-token'
/** Name of the environment variable that passes the token for `/metrics` to Ponder. */
export const TOKEN_VARIABLE = 'PONDER_METRICS_TOKEN'
