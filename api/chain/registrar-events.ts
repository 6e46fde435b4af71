import { isAddressEqual, parseEventLogs } from 'viem'
import { identityRegistrarAbi } from '../../abis/identity-registrar.ts'
import type { MarketLogs } from './market-events.ts'

/** The result of a registration: a new agent, or the agent of an earlier registration by the account. */
export interface Registered {
  agentId: bigint
  alreadyRegistered: boolean
}

/**
 * Returns the result of a registration from the registrar's logs.
 * @throws when the event is missing; the call then did not have the expected effect
 */
export function getRegistered({ target, logs }: MarketLogs): Registered {
  const registrarLogs = logs.filter(({ address }) => isAddressEqual(address, target))
  const registrations = parseEventLogs({
    abi: identityRegistrarAbi,
    eventName: ['AgentRegistered', 'AgentFound'],
    logs: [...registrarLogs],
  })
  const [event] = registrations
  if (event === undefined) throw new Error(`the transaction has no registration of ${target}`)
  return { agentId: event.args.agentId, alreadyRegistered: event.eventName === 'AgentFound' }
}
