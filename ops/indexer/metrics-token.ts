/** Header of the token that Ponder's `/metrics` asks for, and the variable of Ponder's environment that has it. */
export const TOKEN_HEADER = 'x-metrics-token'
export const TOKEN_VARIABLE = 'PONDER_METRICS_TOKEN'
