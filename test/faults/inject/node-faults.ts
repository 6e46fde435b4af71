import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { readHead, startAnvil } from '../../../scripts/chain/anvil.ts'
import { restoreDeployedChain } from '../../support/test-chain.ts'
import type { FaultCaseContext } from '../fault-case.ts'
import type { Random } from '../random.ts'
import { mine } from './chain.ts'
import type { RpcFault, RpcRule } from './rpc-faults.ts'
import type { RpcProxy } from './rpc-proxy.ts'
import { staleHead } from './stale-head.ts'

/** How far a node lags, blocks. */
const LAG = 50n
const OTHER_CHAIN = 84_532

/** A fault of one node. */
export interface NodeFault {
  name: string
  /** Prepares it. */
  arm(node: RpcProxy, context: FaultCaseContext): Promise<ArmedFault>
}

export interface ArmedFault {
  begin(): Promise<void>
  /** The node is well again. */
  end(): Promise<void>
}

/** Faults of a node while others are well. */
export const nodeFaults: readonly NodeFault[] = [
  { name: 'killed', arm: async (node) => ({ begin: node.refuse, end: node.accept }) },
  { name: 'hangs', arm: injecting(async () => [{ fault: { kind: 'hang', reachesNode: false } }]) },
  { name: `lags ${LAG} blocks`, arm: armLag },
  { name: 'serves another chain', arm: armOtherChain },
  { name: 'answers 5 % with errors', arm: injecting(async ({ random }) => sometimesFailing(random, 0.05)) },
]

/** A fault that rules make. */
function injecting(rulesOf: (context: FaultCaseContext) => Promise<RpcRule[]>): NodeFault['arm'] {
  return async (node, context) => ({
    begin: async () => {
      for (const rule of await rulesOf(context)) node.inject(rule)
    },
    end: async () => node.clear(),
  })
}

/** Errors of three kinds, in place of answers. */
export function sometimesFailing(random: Random, probability: number): RpcRule[] {
  const ways: RpcFault[] = [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 429, retryAfterSeconds: 1 },
    { kind: 'drop-request' },
  ]
  return ways.map((fault) => ({ fault, when: () => random.chance(probability / ways.length) }))
}

/** The chain becomes longer first: the state that the node shows lacks what the writes need, and the contracts are in it. */
async function armLag(node: RpcProxy, context: FaultCaseContext): Promise<ArmedFault> {
  await mine(context.environment.anvil, Number(LAG))
  return await injecting(async () => [staleHead({ blocksBehind: LAG })])(node, context)
}

/** Another chain with the same contracts and more blocks, on which none of the writes' wallets has anything. */
async function armOtherChain(node: RpcProxy, { environment }: FaultCaseContext): Promise<ArmedFault> {
  const other = await startAnvil()
  await restoreDeployedChain(other, mkdtempSync(join(environment.directory, 'other-chain-')))
  await other.request('anvil_setChainId', [OTHER_CHAIN])
  const missing = (await environment.client.getBlockNumber()) - (await readHead(other)).number
  await mine(other, Number(missing + LAG))
  return {
    begin: async () => {
      node.inject({ fault: { kind: 'reroute', upstream: other.url } })
    },
    end: async () => {
      node.clear()
      await other.stop()
    },
  }
}
