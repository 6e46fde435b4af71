/** What a wallet counts as: an agent with an ERC-8004 agent id, else a human. */
export const actorTypes = ['human', 'agent'] as const
export type ActorType = (typeof actorTypes)[number]

export function actorTypeOf(agentId: bigint | null): ActorType {
  return agentId === null ? 'human' : 'agent'
}
