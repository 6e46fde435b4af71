/** Header with the token of Ponder's `/metrics`, and the variable of Ponder's environment with it. */
export const TOKEN_HEADER = 'x-metrics-token'
export const TOKEN_VARIABLE = 'PONDER_METRICS_TOKEN'
