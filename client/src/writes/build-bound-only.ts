import type { Deployment } from '../deployment/deployment.ts'
import { boundOnlyShape } from '../http/shapes.ts'
import { chooseEnd } from './build-withdrawals.ts'
import { type BuildContext, type BuiltRequest, type Fields, Refused } from './write-spec.ts'

/** A switch cannot be submitted for longer, seconds. */
const SWITCH_VALID_SECONDS = 120

/** The switch of the wallet. Of the service comes the counter alone: with another one than the next it is not valid. */
export async function buildBoundOnly({ boundOnly }: Fields, context: BuildContext): Promise<BuiltRequest> {
  const { account, read, deployment } = context
  checkSwitch(deployment)
  const { counter } = await read('/api/wallet/bound-only', { address: account.address }, boundOnlyShape)
  const validBefore = chooseEnd(context, SWITCH_VALID_SECONDS)
  const request = { walletAddress: account.address, boundOnly, counter: String(counter), validBefore }
  return { request, validBefore, facts: {} }
}

/** @throws Refused where the contracts have no such switch */
export function checkSwitch({ bound }: Pick<Deployment, 'bound'>): void {
  if (bound === true) return
  throw new Refused(
    'no_bound_calls',
    'The contracts of this deployment are from before bound payments and have no such switch. Pay as before; where the ' +
      'market has moved to newer contracts, use their deployment file, or a newer version of this package. Nothing was signed.',
  )
}
