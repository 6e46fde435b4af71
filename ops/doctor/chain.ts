import { checkChain } from '../../api/chain/check-chain.ts'
import { checkNodes } from '../../api/nodes/check-nodes.ts'
import { judgeNodes, type Verdict } from '../../api/nodes/judge-nodes.ts'
import { createNode } from '../../api/nodes/node.ts'
import { SettingsError } from '../../settings/read-settings.ts'
import { defineCheck, type Observation } from './check.ts'

type Name = 'no_node' | 'node' | 'stale' | 'contracts'

/** The state of one node in `RPC_URL`. */
export interface NodeFacts {
  verdict: Verdict
  block: bigint | null
  /** True if the time of the node's latest block is far from the clock of this machine. */
  isStale: boolean
}

const NODE_LIMITS = { timeoutMs: 5_000, longestPause: 5, isOnly: true }

const sentences: Record<Exclude<Verdict, 'ok'>, string> = {
  silent: 'it gives no answer',
  other_chain: 'it serves another chain than the deployment’s',
  stale: 'its newest block is far from the clock of this machine',
  forked: 'it has another block than most of the nodes',
  behind: 'it is behind the others',
}

/**
 * The doctor check for the nodes. If a node is usable and the service is set up on this machine, the doctor also checks
 * the contracts in the same way as the service does when the service starts.
 */
export const chainCheck = defineCheck<Name>({
  name: 'chain',
  looksAt:
    'each node: answer, chain id, newest block; market, forwarder, USDC and service name as a start of the service checks them',
  faults: {
    no_node: {
      result: 'wrong',
      meaning: '... has no node that can be used',
      remedy: 'Name a node of the chain in RPC_URL that answers from this machine.',
    },
    node: {
      result: 'warning',
      meaning: '... cannot be used, and others can',
      remedy: 'Repair it, or take it out of RPC_URL.',
    },
    stale: {
      result: 'wrong',
      meaning: '... and the clock of this machine are more than a minute apart',
      remedy: 'Look at the clock of this machine (NTP) and at the node: while they differ, writes are refused.',
    },
    contracts: {
      result: 'wrong',
      meaning: '... does not fit the contracts on the chain',
      remedy: 'Name the deployment file, the service name and the node of one deployment.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the chain gave no answer',
      remedy: 'Look at the node in RPC_URL and at the network to it.',
    },
  },
  find: async (context) => {
    const chainAccess = await context.openChain().catch(() => null)
    if (chainAccess === null) return [{ unchecked: 'no node, or no deployment, is set here' }]
    const { deployment, nodes } = chainAccess
    const { chainId, local: isLocal } = deployment
    const probedNodes = context.rpcUrls.map((url) => createNode(url, NODE_LIMITS))
    const checks = await checkNodes(probedNodes, { chainId, isLocal, anchor: null })
    const verdicts = judgeNodes(checks, { current: 0, anchor: null })
    const facts = checks.map(({ head, isStale }, index) => ({
      verdict: verdicts[index] ?? 'silent',
      block: head?.number ?? null,
      isStale,
    }))
    const observations = judgeNodeList(facts, chainId)
    if (facts.every(({ verdict }) => verdict !== 'ok')) return observations
    try {
      const serviceName = context.config?.SERVICE_NAME
      if (serviceName === undefined) return observations
      await checkChain({ nodes, deployment, serviceName, relayers: [] })
      return [...observations, { ok: 'market, forwarder, USDC and service name fit each other' }]
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      return [
        ...observations,
        ...error.problems.map(
          ({ setting, problem }): Observation<Name> => ({ fault: 'contracts', of: setting, detail: problem }),
        ),
      ]
    }
  },
})

/**
 * Converts the state of all nodes to observations. If no node is usable, the result is one fault for the whole list.
 */
export function judgeNodeList(facts: readonly NodeFacts[], chainId: number): Observation<Name>[] {
  const usableNodes = facts.filter(({ verdict }) => verdict === 'ok')
  const nameAt = (index: number) => (facts.length === 1 ? 'the node' : `node ${index + 1}`)
  if (usableNodes.length === 0) {
    const details = facts.map(
      ({ verdict }, index) => `${nameAt(index)}: ${sentences[verdict as keyof typeof sentences]}`,
    )
    return [{ fault: 'no_node', of: 'RPC_URL', detail: details.join('; ') }]
  }
  return facts.flatMap(({ verdict, block, isStale }, index): Observation<Name>[] => {
    const of = nameAt(index)
    if (verdict !== 'ok') return [{ fault: 'node', of, detail: sentences[verdict] }]
    if (isStale) return [{ fault: 'stale', of: `the newest block of ${of}` }]
    return [{ ok: `${of}: chain ${chainId}, block ${block}` }]
  })
}
