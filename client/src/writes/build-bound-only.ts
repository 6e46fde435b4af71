import type { Deployment } from '../deployment/deployment.ts'
import { boundOnlyShape } from '../http/shapes.ts'
import { chooseEnd } from './build-withdrawals.ts'
import { type BuildContext, type BuiltRequest, type Fields, Refused } from './write-spec.ts'

/** The lifetime in seconds of the signature that turns the bound-only switch on or off. */
const SWITCH_VALID_SECONDS = 120

/**
 * Builds the request that turns the wallet's bound-only switch on or off. While the switch is on, the forwarder accepts
 * only bound payments from the wallet. The request contains the wallet's switch counter, as the service returns it. The
 * contract refuses a wrong counter.
 */
export async function buildBoundOnly({ boundOnly }: Fields, context: BuildContext): Promise<BuiltRequest> {
  const { account, read, deployment } = context
  checkSwitch(deployment)
  const { counter } = await read('/api/wallet/bound-only', { address: account.address }, boundOnlyShape)
  const validBefore = chooseEnd(context, SWITCH_VALID_SECONDS)
  const request = { walletAddress: account.address, boundOnly, counter: String(counter), validBefore }
  return { request, validBefore, facts: {} }
}

/**
 * Checks that the deployment's contracts have the bound-only switch.
 * @throws Refused
 */
export function checkSwitch({ bound }: Pick<Deployment, 'bound'>): void {
  if (bound === true) return
  throw new Refused(
    'no_bound_calls',
    'The contracts of this deployment do not support bound payments, so there is no such switch. If the market has ' +
      'newer contracts, use their deployment file or a newer version of this package. Nothing was signed.',
  )
}
