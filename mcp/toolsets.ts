/** Names of tool lists that a client can choose. Every tool can be called by its name, listed or not. */
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

/** Parses the name of a toolset; null: unknown. Example: `parseToolset('analyst')` is `'analyst'`. */
export function parseToolset(name: string): Toolset | null {
  return toolsets.find((toolset) => toolset === name) ?? null
}

/**
 * Reports whether a toolset lists a read. The default lists the reads of workers and requesters. Example: `isListed('default',
 * 'listTasks')` is true, `isListed('default', 'listLeaderboard')` is false.
 */
export function isListed(toolset: Toolset, read: string): boolean {
  if (toolset === 'all') return true
  if (toolset === 'default') return READS.worker.includes(read) || READS.requester.includes(read)
  return READS[toolset].includes(read)
}
