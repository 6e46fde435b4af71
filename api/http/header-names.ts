/** Returns the names of the service's request headers. The names have the form `X-<Service>-...`. */
export function serviceHeaderNames(serviceName: string) {
  const prefix = prefixOf(serviceName)
  return {
    callerAddress: `${prefix}-Caller-Address`,
    readExpires: `${prefix}-Read-Expires`,
    callerSignature: `${prefix}-Caller-Signature`,
    idempotencyKey: `${prefix}-Idempotency-Key`,
    paymentProof: `${prefix}-Payment-Proof`,
    legalReceipt: `${prefix}-Legal-Receipt`,
    taskAccessGrant: `${prefix}-Task-Access-Grant`,
    apiToken: `${prefix}-Api-Token`,
  }
}

/** Returns the names of the service's answer headers. These headers contain facts for which the body has no field. */
export function answerHeaderNames(serviceName: string) {
  const prefix = prefixOf(serviceName)
  return {
    blockNumber: `${prefix}-Block-Number`,
    blockTimestamp: `${prefix}-Block-Timestamp`,
    headAge: `${prefix}-Head-Age`,
    schemaVersion: `${prefix}-Schema-Version`,
    columnTypes: `${prefix}-Column-Types`,
    queryNote: `${prefix}-Query-Note`,
    ignored: `${prefix}-Ignored`,
  }
}

function prefixOf(serviceName: string): string {
  return `X-${serviceName.charAt(0).toUpperCase()}${serviceName.slice(1)}`
}

/** Returns the names of the request headers by which a caller proves an identity or an access right. */
export function identityHeaderNames(serviceName: string): string[] {
  const { callerAddress, callerSignature, readExpires, taskAccessGrant, apiToken } = serviceHeaderNames(serviceName)
  return [callerAddress, callerSignature, readExpires, taskAccessGrant, apiToken]
}
