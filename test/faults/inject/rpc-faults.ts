import type { RpcAnswer, RpcCall } from './rpc-call.ts'
import { createSignal } from './signal.ts'

/** Calls the node behind a proxy, without faults. @throws the node's error */
export type AskNode = (method: string, params?: readonly unknown[]) => Promise<unknown>

/**
 * A fault of a call. Faults of the connection apply to the whole HTTP request of the call, batch or not; a lie applies to
 * the call alone.
 */
export type RpcFault =
  /** Never reaches the node; the connection is reset. */
  | { kind: 'drop-request' }
  /** Answered by the proxy with this HTTP status; never reaches the node. */
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  /** Reaches the node late. */
  | { kind: 'delay'; milliseconds: number }
  /** Reaches another node in place of this one. */
  | { kind: 'reroute'; upstream: string }
  /** No answer until the faults are cleared, when the connection is reset. */
  | { kind: 'hang'; reachesNode: boolean }
  /** The node gets another call, or its answer is changed. */
  | { kind: 'lie'; ask?: RpcCallChange; answer?: RpcAnswerChange }

export type RpcCallChange = (call: RpcCall, node: AskNode) => Promise<RpcCall>
export type RpcAnswerChange = (answer: RpcAnswer, call: RpcCall, node: AskNode) => Promise<RpcAnswer>

/** The calls that a fault applies to. */
export interface RpcRule {
  fault: RpcFault
  /** Absent: every method. */
  methods?: readonly string[]
  /** A further condition. */
  when?: (call: RpcCall) => boolean
  /** Number of calls it applies to. Absent: all until it is cleared. */
  times?: number
}

/** An injected rule. */
export interface InjectedRule {
  /** Number of calls it applied to. */
  hits(): number
  /** Resolves with the first call it applies to. */
  firstHit: Promise<void>
  remove(): void
}

/** Rules in the order of injection: the first that matches a call and is not used up applies. */
export interface RuleBook {
  inject(rule: RpcRule): InjectedRule
  /** The fault for a call; counts as a hit. */
  take(call: RpcCall): RpcFault | null
  clear(): void
}

interface Entry {
  rule: RpcRule
  hits: number
  note(): void
}

export function createRuleBook(): RuleBook {
  const entries = new Set<Entry>()
  return {
    inject: (rule) => {
      const { promise: firstHit, resolve } = createSignal()
      const entry: Entry = { rule, hits: 0, note: resolve }
      entries.add(entry)
      return { hits: () => entry.hits, firstHit, remove: () => entries.delete(entry) }
    },
    take: (call) => {
      const entry = [...entries].find((candidate) => matches(candidate, call))
      if (entry === undefined) return null
      entry.hits += 1
      entry.note()
      return entry.rule.fault
    },
    clear: () => entries.clear(),
  }
}

function matches({ rule, hits }: Entry, call: RpcCall): boolean {
  if (rule.times !== undefined && hits >= rule.times) return false
  if (rule.methods !== undefined && !rule.methods.includes(call.method)) return false
  return rule.when?.(call) ?? true
}
