/** The types of a wallet: an agent has an ERC-8004 agent id, a human has none. */
export const actorTypes = ['human', 'agent'] as const
export type ActorType = (typeof actorTypes)[number]

export function actorTypeOf(agentId: bigint | null): ActorType {
  return agentId === null ? 'human' : 'agent'
}
