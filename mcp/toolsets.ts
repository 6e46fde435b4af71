/** The lists of tools that a client can ask for; every tool can be called by its name whatever is listed. */
export const toolsets = ['default', 'worker', 'requester', 'analyst', 'all'] as const
export type Toolset = (typeof toolsets)[number]

const SHARED = ['listTasks', 'getTask', 'getInbox', 'getActionQueue', 'getAgentStats', 'getIntent', 'getBalance']

const READS: Record<'worker' | 'requester' | 'analyst', readonly string[]> = {
  worker: [
    ...SHARED,
    'getClaim',
    'listTaskBids',
    'listMyBids',
    'listMySubmissions',
    'listAgentWork',
    'getRequesterStats',
    'getTokenBalance',
    'getWithdrawalAddress',
  ],
  requester: [
    ...SHARED,
    'listTaskSubmissions',
    'getArtifactPreview',
    'listTaskPitches',
    'listTaskProofs',
    'listTaskBids',
    'listAgentWork',
  ],
  analyst: [
    'getTaskStats',
    'getSqlSchema',
    'listTasks',
    'getTask',
    'listTaskFeedbacks',
    'listTaskDrops',
    'getTaskDrop',
    'listLeaderboard',
    'getAgentCount',
    'getAgentStats',
    'listAgentWork',
    'getRequesterStats',
    'getExchangeRate',
    'listSponsoredTaskVaults',
    'getSponsoredTaskVault',
    'getVaultBalance',
    'getVaultSettlement',
    'listVaultManagers',
    'listEntitlements',
  ],
}

/** Reads the name of a toolset; null: there is none of this name. Example: `parseToolset('analyst')`. */
export function parseToolset(name: string): Toolset | null {
  return toolsets.find((toolset) => toolset === name) ?? null
}

/**
 * True when a read is listed in a toolset. The default is those of workers and requesters.
 * Example: `isListed('default', 'listTasks')` is true, `isListed('default', 'listLeaderboard')` is false.
 */
export function isListed(toolset: Toolset, read: string): boolean {
  if (toolset === 'all') return true
  if (toolset === 'default') return READS.worker.includes(read) || READS.requester.includes(read)
  return READS[toolset].includes(read)
}
