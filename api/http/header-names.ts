/** Headers of the service's own that requests carry: `X-<Service>-...`. */
export function serviceHeaderNames(serviceName: string) {
  const prefix = `X-${serviceName.charAt(0).toUpperCase()}${serviceName.slice(1)}`
  return {
    callerAddress: `${prefix}-Caller-Address`,
    callerSignature: `${prefix}-Caller-Signature`,
    idempotencyKey: `${prefix}-Idempotency-Key`,
    legalReceipt: `${prefix}-Legal-Receipt`,
    taskAccessGrant: `${prefix}-Task-Access-Grant`,
    apiToken: `${prefix}-Api-Token`,
  }
}

/** Those of them that say who a request comes from. */
export function identityHeaderNames(serviceName: string): string[] {
  const { callerAddress, callerSignature, taskAccessGrant, apiToken } = serviceHeaderNames(serviceName)
  return [callerAddress, callerSignature, taskAccessGrant, apiToken]
}
