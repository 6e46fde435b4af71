/**
 * Names of the lists of tools from which a client can choose. A client can call every tool by name, even if its list
 * does not contain the tool.
 */
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

/** Returns the toolset with a name; null if there is none. Example: `parseToolset('analyst')` is `'analyst'`. */
export function parseToolset(name: string): Toolset | null {
  return toolsets.find((toolset) => toolset === name) ?? null
}

/**
 * Returns whether a toolset lists a read tool. The toolset `default` lists the tools of workers and of requesters.
 * Example: `isListed('default', 'listTasks')` is true, `isListed('default', 'listLeaderboard')` is false.
 */
export function isListed(toolset: Toolset, readName: string): boolean {
  if (toolset === 'all') return true
  if (toolset === 'default') return READS.worker.includes(readName) || READS.requester.includes(readName)
  return READS[toolset].includes(readName)
}
