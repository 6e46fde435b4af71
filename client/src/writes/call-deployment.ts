import type { CallDeployment } from '../../../protocol/operation.ts'
import type { Deployment } from '../deployment/deployment.ts'
import { Refused } from './write-spec.ts'

/** The refusal reason for a contract call that cannot be encoded because a fact is missing. */
export const CALL_UNKNOWN = 'call_unknown'

/**
 * Returns the deployment's contracts for the encoding of calls. If the deployment lacks an address, reading this
 * address throws Refused.
 */
export function toCallDeployment(deployment: Deployment): CallDeployment {
  const { chainId, market, forwarder, usdc, usdcDomain } = deployment
  const orUnknown = (name: 'identityRegistry' | 'identityRegistrar') => {
    const address = deployment[name]
    if (address !== undefined) return address
    throw new Refused(CALL_UNKNOWN, `The client's deployment has no address of \`${name}\`.`)
  }
  return {
    chainId,
    market,
    forwarder,
    usdc,
    usdcDomain,
    get identityRegistry() {
      return orUnknown('identityRegistry')
    },
    get identityRegistrar() {
      return orUnknown('identityRegistrar')
    },
  }
}
