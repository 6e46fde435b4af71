import type { Environment } from '../../support/conformance.ts'
import type { ChainView } from '../../support/conformance-chain.ts'
import type { Parts } from './recipe.ts'

/** The parts of writes that are prepared and made at the same time. */
export function concurrentParts(environment: Environment): Omit<Parts, 'seed'> {
  // Funding adds to the balance that it reads.
  const inFundingOrder = oneAtATime()
  const fund: ChainView['fund'] = (account, amount) => inFundingOrder(() => environment.chain.fund(account, amount))
  return {
    environment: { ...environment, chain: { ...environment.chain, fund } },
    aWallet: () => inFundingOrder(() => environment.aWallet()),
    alone: oneAtATime(),
  }
}

/** Runs what it is given one after the other. */
function oneAtATime(): Parts['alone'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.catch(() => {}).then(work)
    last = next
    return next
  }
}
