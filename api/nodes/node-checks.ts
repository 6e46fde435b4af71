import { setTimeout as pause } from 'node:timers/promises'
import { checkNodes, type TakenBlock } from './check-nodes.ts'
import { hashAt, judgeNodes, type NodeCheck } from './judge-nodes.ts'
import type { NodePool } from './node-pool.ts'
import type { TakenBlocks } from './taken-blocks.ts'

/** The number of successive checks that a preferred node must pass before it becomes the current node again. */
const CHECKS_TO_RETURN = 10

export interface NodeCheckOptions {
  pool: NodePool
  takenBlocks: TakenBlocks
  /** The chain id of the deployment. A node of another chain is not used. */
  chainId: number
  /** True for a local development chain. Its block times may differ from the host's clock. */
  isLocal: boolean
}

/** The checks of whether the nodes of a set are usable. */
export interface NodeChecks {
  /** Checks the nodes. If a check is running, waits for the running check. */
  check(): Promise<void>
  /**
   * Waits until no check is running, and then checks the nodes again. Call this method if the event to be checked may
   * have happened after the running check began.
   */
  checkAnew(): Promise<void>
}

/**
 * Creates the checks of the nodes. Each check judges every node, stores the verdicts in the pool and chooses the
 * current node.
 */
export function createNodeChecks({ pool, takenBlocks, ...chain }: NodeCheckOptions): NodeChecks {
  const checkAll = async (): Promise<void> => {
    const anchor = takenBlocks.anchor()
    const checks = await checkNodes(pool.nodes, { ...chain, anchor })
    const verdicts = judgeNodes(checks, { current: pool.nodes.indexOf(pool.current()), anchor })
    for (const [index, node] of pool.nodes.entries()) {
      pool.record(node, { verdict: verdicts[index] ?? 'silent', head: checks[index]?.head ?? null })
    }
    chooseNode({ pool, takenBlocks }, { checks, compared: anchor })
  }
  let runningCheck: Promise<void> | null = null
  const check = (): Promise<void> => {
    runningCheck ??= checkAll().finally(() => {
      runningCheck = null
    })
    return runningCheck
  }
  return {
    check,
    checkAnew: async () => {
      if (runningCheck !== null) await runningCheck
      await check()
    },
  }
}

/** Repeats the check until the signal aborts. A failed check does not end the repetition. */
export async function keepChecking(check: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => {})
    if (!signal.aborted) await check().catch(() => {})
  }
}

/**
 * Chooses the current node. An unusable current node is replaced at once. A usable current node is replaced only by a
 * node that is earlier in the list and has passed CHECKS_TO_RETURN checks.
 * @param checks the results of a check of all nodes
 * @param compared the anchor (the newest accepted block) at the start of that check
 */
function chooseNode(
  { pool, takenBlocks }: Pick<NodeCheckOptions, 'pool' | 'takenBlocks'>,
  { checks, compared }: { checks: readonly NodeCheck[]; compared: TakenBlock | null },
): void {
  const { nodes } = pool
  const current = pool.current()
  // A block was taken during the check, so it is unknown if another node has it.
  const isOvertaken = takenBlocks.anchor() !== compared
  const wellNodes = nodes.flatMap((node, index) => {
    const check = checks[index]
    return pool.checkedVerdict(node) === 'ok' && check !== undefined ? [{ node, check }] : []
  })
  const { number, hash } = compared ?? { number: 0n, hash: null }
  const isAnchored = ({ check }: { check: NodeCheck }) => hash === null || hashAt(check, number) === hash
  const anchoredNodes = wellNodes.filter(isAnchored).map(({ node }) => node)
  // One that has lost the newest block while others have it is behind, by however little.
  const isWell =
    pool.checkedVerdict(current) === 'ok' && (anchoredNodes.length === 0 || anchoredNodes.includes(current))
  if (isWell) {
    const earlierNode = anchoredNodes.find((node) => pool.goodChecks(node) >= CHECKS_TO_RETURN)
    if (earlierNode !== undefined && !isOvertaken && nodes.indexOf(earlierNode) < nodes.indexOf(current))
      pool.use(earlierNode)
    return
  }
  // Without an answer it may have the right block; with a wrong one, what was taken from it since is wrong too.
  if (isOvertaken && pool.checkedVerdict(current) === 'silent') return
  const [next] = anchoredNodes
  // The chain went on without the block that was taken from the current node.
  const longerNode = wellNodes.find(({ check }) => (check.head?.number ?? 0n) >= number)?.node
  if (next !== undefined) {
    takenBlocks.returnTo(compared)
    pool.use(next)
  } else if (longerNode !== undefined) {
    takenBlocks.returnTo(null)
    pool.use(longerNode)
  }
}
