import { isAddressEqual, parseEventLogs } from 'viem'
import { identityRegistrarAbi } from '../../abis/identity-registrar.ts'
import type { MarketLogs } from './market-events.ts'

/** What a registration came to: an agent that was minted, or the one that the account had already. */
export interface Registered {
  agentId: bigint
  alreadyRegistered: boolean
}

/**
 * The outcome of a registration, from the logs of the registrar itself.
 * @throws when it logged none: the call did something else than it was made for
 */
export function getRegistered({ target, logs }: MarketLogs): Registered {
  const own = logs.filter(({ address }) => isAddressEqual(address, target))
  const found = parseEventLogs({
    abi: identityRegistrarAbi,
    eventName: ['AgentRegistered', 'AgentFound'],
    logs: [...own],
  })
  const [event] = found
  if (event === undefined) throw new Error(`the transaction has no registration of ${target}`)
  return { agentId: event.args.agentId, alreadyRegistered: event.eventName === 'AgentFound' }
}
