import { setTimeout as pause } from 'node:timers/promises'
import { createAgreement, isAnyTrue } from './agreement.ts'
import { checkNodes, type TakenBlock } from './check-nodes.ts'
import type { RpcAnswer, RpcRequest } from './exchange.ts'
import {
  type BlockId,
  hashAt,
  isSameBlock,
  judgeNodes,
  type NodeCheck,
  type NodeHead,
  type Verdict,
} from './judge-nodes.ts'
import { createNode, type Failure, isQuantity, type RpcNode, toHead } from './node.ts'
import { isNodeTrouble } from './node-trouble.ts'
import { pinState } from './pin-state.ts'

export interface NodeSetOptions {
  /** In the order of preference. */
  urls: readonly string[]
  /** Of the deployment; a node of another chain is not used. */
  chainId: number
  /** A chain of this machine: its clock may be any. */
  isLocal: boolean
  /** Called when a node is no longer used, or is again, and when another one becomes the current. */
  onChange?: (change: NodeState) => void
  /** Interval of the checks of all nodes, milliseconds. Default 2,000. */
  checkEveryMs?: number
  /** How long one of several nodes may take to answer, and another one to get the newest block, milliseconds. Default 2,000. */
  timeoutMs?: number
}

/** One node, as operators see it. */
export interface NodeState {
  /** Its place in the list, from 1. */
  node: number
  verdict: Verdict
  /** Requests go to it. */
  isCurrent: boolean
  /** Its newest block at the last check; null: none was seen. */
  block: bigint | null
  /** Requests without an answer since the start. */
  failures: Readonly<Record<Failure, number>>
}

/** The nodes of one chain, used as one. */
export interface NodeSet {
  /**
   * Sends a request to the current node, and to the next one that has the newest block that was taken from the set when the current
   * gives no answer. A signed transaction goes to all nodes.
   * @throws the error of the last node when none answers
   */
  request(body: RpcRequest): Promise<RpcAnswer>
  /**
   * True when the current node and another one have the block; the only node that answers is enough. Waits up to two seconds
   * for nodes that do not have it yet.
   */
  confirm(block: BlockId): Promise<boolean>
  /**
   * True when no node has another block in the place of this one, and the node that it was taken from is still the current one:
   * what was read since then is of its chain.
   */
  isUndisputed(block: BlockId): Promise<boolean>
  /** The newest block up to this head that the current node and another one have; null: there is none. */
  findConfirmedHead(head: NodeHead): Promise<NodeHead | null>
  states(): NodeState[]
  /** Number of nodes. */
  size: number
  /** Ends the checks. */
  close(): void
}

const CHECK_EVERY_MS = 2_000
const TIMEOUT_MS = 2_000
/** The only node has more time: there is no other to ask. */
const ONLY_NODE = { timeoutMs: 5_000, longestPause: 5, isOnly: true }
/** The longest pause that one of several nodes may ask for, seconds. */
const LONGEST_PAUSE = 60
const NEWEST_BLOCK = { method: 'eth_getBlockByNumber', params: ['latest', false] }
/** Interval of asking a node for a block that it may get soon, milliseconds. */
const POLL_MS = 50
/** Taken blocks that are remembered. */
const REMEMBERED_BLOCKS = 16n
/** Checks in a row that an earlier node of the list passes before it is the current one again. */
const CHECKS_TO_RETURN = 10

/**
 * Creates the set. It stays with one node while that is well, so that answers are of one state, and moves only to a node that
 * has the newest block that was taken; a node that lags, is on a fork, or serves another chain is not used.
 */
export function createNodeSet(options: NodeSetOptions): NodeSet {
  const { urls, chainId, isLocal, onChange = () => {} } = options
  const { checkEveryMs = CHECK_EVERY_MS, timeoutMs = TIMEOUT_MS } = options
  const limits = urls.length === 1 ? ONLY_NODE : { timeoutMs, longestPause: LONGEST_PAUSE, isOnly: false }
  const nodes = urls.map((url) => createNode(url, limits))
  const verdicts = new Map<RpcNode, Verdict>(nodes.map((node) => [node, 'ok']))
  const blocks = new Map<RpcNode, bigint>()
  const goodChecks = new Map<RpcNode, number>()
  const [first] = nodes
  if (first === undefined) throw new Error('a set of nodes has one node at least')
  let current = first
  let anchor: TakenBlock | null = null
  /** When it was taken, and the blocks that were taken before it: an answer that was on its way then may be one of them. */
  let anchoredAt = Number.NEGATIVE_INFINITY
  const takenBlocks = createTakenBlocks()
  let movedAt = Number.NEGATIVE_INFINITY

  const verdictOf = (node: RpcNode): Verdict => {
    const verdict = verdicts.get(node) ?? 'ok'
    return node.isAnswering() || verdict === 'other_chain' ? verdict : 'silent'
  }
  const stateOf = (node: RpcNode): NodeState => ({
    node: nodes.indexOf(node) + 1,
    verdict: verdictOf(node),
    isCurrent: node === current,
    block: blocks.get(node) ?? null,
    failures: node.failureCounts(),
  })
  const use = (node: RpcNode): void => {
    if (node === current) return
    current = node
    movedAt = performance.now()
    onChange(stateOf(node))
  }
  const hasAnchor = async (node: RpcNode): Promise<boolean> => {
    // Another block may be taken before the node answers.
    const wanted = anchor
    return wanted === null || (await node.findHash(wanted.number)) === wanted.hash
  }

  const checkAll = async (): Promise<void> => {
    const compared = anchor
    const checks = await checkNodes(nodes, { chainId, isLocal, anchor: compared })
    const before = nodes.map((node) => verdicts.get(node))
    const judged = judgeNodes(checks, { current: nodes.indexOf(current), anchor: compared })
    for (const [index, node] of nodes.entries()) {
      const [verdict = 'silent', head] = [judged[index], checks[index]?.head]
      verdicts.set(node, verdict)
      goodChecks.set(node, verdict === 'ok' ? (goodChecks.get(node) ?? 0) + 1 : 0)
      if (head) blocks.set(node, head.number)
      if (verdict !== before[index]) onChange(stateOf(node))
    }
    choose(checks, compared)
  }
  /** Moves away from a node that is not well, and back to an earlier one of the list that has been well for some time. */
  const choose = (checks: readonly NodeCheck[], compared: TakenBlock | null): void => {
    // A block was taken during the check: whether another node has it is not known.
    const isOvertaken = anchor !== compared
    const well = nodes.flatMap((node, index) => {
      const check = checks[index]
      return verdicts.get(node) === 'ok' && check !== undefined ? [{ node, check }] : []
    })
    const { number, hash } = compared ?? { number: 0n, hash: null }
    const isAnchored = ({ check }: { check: NodeCheck }) => hash === null || hashAt(check, number) === hash
    const anchored = well.filter(isAnchored).map(({ node }) => node)
    // One that has lost the newest block while others have it is behind, by however little.
    const isWell = verdicts.get(current) === 'ok' && (anchored.length === 0 || anchored.includes(current))
    if (isWell) {
      const earlier = anchored.find((node) => (goodChecks.get(node) ?? 0) >= CHECKS_TO_RETURN)
      if (earlier !== undefined && !isOvertaken && nodes.indexOf(earlier) < nodes.indexOf(current)) use(earlier)
      return
    }
    // Without an answer it may have the right block; with a wrong one, what was taken from it since is wrong too.
    if (isOvertaken && verdicts.get(current) === 'silent') return
    const [next] = anchored
    // The chain went on without the block that was taken from the current node.
    const longer = well.find(({ check }) => (check.head?.number ?? 0n) >= number)?.node
    if (next !== undefined) {
      anchor = compared
      use(next)
    } else if (longer !== undefined) {
      anchor = null
      use(longer)
    }
  }
  let checking: Promise<void> | null = null
  const check = (): Promise<void> => {
    checking ??= checkAll().finally(() => {
      checking = null
    })
    return checking
  }
  /** A check that begins now: one that is on its way may have asked before something happened. */
  const checkAnew = async (): Promise<void> => {
    if (checking !== null) await checking
    await check()
  }

  /**
   * The next node that can go on where the current one stopped; null: there is none. It becomes the current one unless the current
   * has answered.
   */
  const findOther = async (tried: ReadonlySet<RpcNode>, hasAnswered = false): Promise<RpcNode | null> => {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const usable = nodes.filter((node) => !tried.has(node) && verdictOf(node) === 'ok')
      for (const node of usable) {
        if (!(await hasAnchor(node))) continue
        if (tried.has(current) && !hasAnswered) use(node)
        return node
      }
      if (usable.length === 0 || hasAnswered || performance.now() >= deadline) return null
      await pause(POLL_MS)
    }
  }
  /** True when a head goes on from the one before, or is that one. */
  const isContinued = async (node: RpcNode, head: NodeHead, askedAt: number): Promise<boolean> => {
    if (anchor === null || isSameBlock(anchor, head)) return true
    if (head.number <= anchor.number) return askedAt <= anchoredAt && takenBlocks.has(head)
    return head.number === anchor.number + 1n ? head.parentHash === anchor.hash : await hasAnchor(node)
  }
  /** Takes the newest block of the current node. @returns false when another node is the current one now */
  const takeHead = async (node: RpcNode, head: NodeHead, askedAt: number): Promise<boolean> => {
    if (!(await isContinued(node, head, askedAt))) {
      // A reorg, or a node that must not be used: the others tell.
      await checkAnew()
      if (current !== node) return false
      if (await hasAnchor(node)) return true
      // Another node shows that the chain got shorter; one alone may have lost blocks.
      const isLower = anchor !== null && head.number < anchor.number
      const others = nodes.filter((other) => other !== node && verdictOf(other) === 'ok')
      const isShared = (other: RpcNode) => other.findHash(head.number).then((hash) => hash === head.hash)
      if (isLower && !(await isAnyTrue(others.map(isShared)))) return false
    } else if (anchor !== null && head.number <= anchor.number) return true
    anchor = { number: head.number, hash: head.hash, timestamp: head.timestamp }
    anchoredAt = performance.now()
    takenBlocks.add(head)
    return true
  }
  /** True when the node has the block at a height, up to the newest one that was taken: the one of the others. */
  const hasHeight = async (node: RpcNode, height: bigint): Promise<boolean> =>
    anchor !== null && height <= anchor.number ? await hasAnchor(node) : (await node.findHash(height)) !== null
  const judgeAnswer = async (
    node: RpcNode,
    { body, answer, askedAt }: { body: RpcRequest; answer: RpcAnswer; askedAt: number },
  ): Promise<Judgement> => {
    const isRefused = answer.status === 429 || answer.status >= 500
    if (answer.error) return isRefused || isNodeTrouble(answer.error) ? 'doubtful' : 'good'
    const [param] = Array.isArray(body.params) ? body.params : []
    switch (body.method) {
      case 'eth_getBlockByNumber': {
        const head = toHead(answer.result)
        if (param === 'latest') return head !== null && (await takeHead(node, head, askedAt)) ? 'good' : 'untrue'
        return head === null && isTaken(param, anchor) ? 'doubtful' : 'good'
      }
      case 'eth_getBlockByHash':
        return answer.result === null ? 'doubtful' : 'good'
      case 'eth_getLogs': {
        const { toBlock, blockHash } = (param ?? {}) as { toBlock?: unknown; blockHash?: unknown }
        if (blockHash !== undefined) return 'good'
        return (await hasHeight(node, isQuantity(toBlock) ? BigInt(toBlock) : 0n)) ? 'good' : 'untrue'
      }
      default:
        return 'good'
    }
  }
  /** Then the caller learns from the answers which chain it is. */
  const isEveryOther = () => nodes.every((node) => verdicts.get(node) === 'other_chain')
  const requestAny = async (body: RpcRequest): Promise<RpcAnswer> => {
    await firstCheck
    const newest = anchor
    const pinned = pinState(body, newest)
    const tried = new Set<RpcNode>()
    let doubtful: RpcAnswer | null = null
    /** The nodes so far know no such block, and may be right. */
    let isUnknown = false
    let failure: unknown = new Error(`no node of chain ${chainId} answers`)
    const start = current.isPaused() ? await findOther(new Set([current])) : current
    for (let node = start; node !== null; node = await findOther(tried, isUnknown)) {
      tried.add(node)
      const isOfOtherChain = verdicts.get(node) === 'other_chain'
      if (isOfOtherChain && !(body.method === 'eth_chainId' && isEveryOther())) continue
      try {
        const askedAt = performance.now()
        const answer = await node.ask(pinned)
        const judgement = await judgeAnswer(node, { body, answer, askedAt })
        if (judgement === 'good') {
          if (isUnknown) use(node)
          return answer
        }
        if (judgement === 'doubtful') doubtful = answer
        isUnknown = judgement === 'doubtful' && !answer.error
      } catch (error) {
        isUnknown = false
        failure = error
      }
    }
    if (doubtful === null) throw failure
    if (pinned === body || !doubtful.error) return doubtful
    // No node has the newest block that was taken: a reorg removed it, or it was of a node that is not used any more.
    if (anchor === newest) await requestAny(NEWEST_BLOCK)
    return anchor === newest ? doubtful : await requestAny(body)
  }
  /** A node may keep a transaction to itself: every one gets it. */
  const sendToAll = async (body: RpcRequest): Promise<RpcAnswer> => {
    await firstCheck
    const takers = nodes.filter((node) => verdicts.get(node) !== 'other_chain' && !node.isPaused())
    const sent = (takers.length === 0 ? [current] : takers).map(async (node) => {
      const answer = await node.ask(body)
      if (answer.error) throw new RefusedSend(answer)
      return answer
    })
    try {
      return await Promise.any(sent)
    } catch (error) {
      const errors = error instanceof AggregateError ? error.errors : [error]
      const refusal = errors.find((each) => each instanceof RefusedSend)
      if (refusal !== undefined) return refusal.answer
      throw errors[0]
    }
  }
  const agreement = createAgreement({
    current: () => current,
    others: () => nodes.filter((node) => node !== current && ['ok', 'forked'].includes(verdictOf(node))),
    timeoutMs,
  })
  const firstCheck = nodes.length === 1 ? Promise.resolve() : check()
  const ending = new AbortController()
  if (nodes.length > 1) keepChecking(check, checkEveryMs, ending.signal)
  return {
    size: nodes.length,
    request: async (body) => {
      if (nodes.length === 1) return await first.ask(body)
      return body.method === 'eth_sendRawTransaction' ? await sendToAll(body) : await requestAny(body)
    },
    confirm: async (block) => nodes.length === 1 || (await agreement.confirm(block)),
    isUndisputed: async (block) => {
      if (nodes.length === 1) return true
      const takenAt = takenBlocks.takenAt(block)
      if (takenAt !== null && takenAt <= movedAt) return false
      return (await agreement.isUndisputed(block)) && (takenAt === null || takenAt > movedAt)
    },
    findConfirmedHead: async (head) => {
      if (nodes.length === 1) return head
      const shared = await agreement.findConfirmedHead(head)
      if (shared === null) check().catch(() => {})
      return shared
    },
    states: () => nodes.map(stateOf),
    close: () => ending.abort(),
  }
}

/** `doubtful`: another node may know better. `untrue`: must not be given out. */
type Judgement = 'good' | 'doubtful' | 'untrue'

class RefusedSend extends Error {
  readonly answer: RpcAnswer
  constructor(answer: RpcAnswer) {
    super(answer.error?.message)
    this.answer = answer
  }
}

/** The newest blocks that were taken, with the time of the first time. */
function createTakenBlocks() {
  const blocks = new Map<bigint, { hash: string; takenAt: number }>()
  const takenAt = ({ number, hash }: BlockId): number | null => {
    const block = blocks.get(number)
    return block?.hash === hash ? block.takenAt : null
  }
  const add = (block: BlockId): void => {
    if (takenAt(block) === null) blocks.set(block.number, { hash: block.hash, takenAt: performance.now() })
  }
  return {
    takenAt,
    has: (block: BlockId) => takenAt(block) !== null,
    add: ({ number, hash, parentHash }: NodeHead) => {
      add({ number: number - 1n, hash: parentHash })
      add({ number, hash })
      for (const height of blocks.keys()) if (height < number - REMEMBERED_BLOCKS) blocks.delete(height)
    },
  }
}

async function keepChecking(check: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => {})
    if (!signal.aborted) await check().catch(() => {})
  }
}

/** True for a height at which a block was taken from the set: a node without it is behind. */
function isTaken(height: unknown, anchor: BlockId | null): boolean {
  return isQuantity(height) && anchor !== null && BigInt(height) <= anchor.number
}
