/** Headers of the service's own that requests carry: `X-<Service>-...`. */
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

/** Headers of the service's own on answers whose body has no place for what they say. */
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

/** The request headers that say who a request comes from. */
export function identityHeaderNames(serviceName: string): string[] {
  const { callerAddress, callerSignature, readExpires, taskAccessGrant, apiToken } = serviceHeaderNames(serviceName)
  return [callerAddress, callerSignature, readExpires, taskAccessGrant, apiToken]
}
