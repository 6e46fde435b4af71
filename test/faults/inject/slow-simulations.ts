import type { Address } from 'viem'
import type { RpcCall } from './rpc-call.ts'
import type { RpcRule } from './rpc-faults.ts'

/**
 * Delays simulations of calls that name one of these accounts, from the second one of each account on: the first one
 * admits the write.
 */
export function slowSimulations(accounts: readonly Address[], milliseconds: number): RpcRule {
  const names = accounts.map((account) => account.slice(2).toLowerCase())
  const admitted = new Set<string>()
  const isSlow = ({ params }: RpcCall) => {
    // Only a simulation of a whole transaction overrides the code of an account.
    if (params[2] === undefined) return false
    const { data = '' } = params[0] as { data?: string }
    const name = names.find((candidate) => data.includes(candidate))
    if (name === undefined) return false
    if (admitted.has(name)) return true
    admitted.add(name)
    return false
  }
  return { methods: ['eth_call'], when: isSlow, fault: { kind: 'delay', milliseconds } }
}

/** Delays signature checks (ERC-1271) of these accounts. */
export function slowSignatureChecks(accounts: readonly Address[], milliseconds: number): RpcRule {
  const names = accounts.map((account) => account.slice(2).toLowerCase())
  // Only a signature check is code without a receiver.
  const isSlow = ({ params }: RpcCall) => {
    const { to, data = '' } = params[0] as { to?: string; data?: string }
    return to === undefined && names.some((name) => data.includes(name))
  }
  return { methods: ['eth_call'], when: isSlow, fault: { kind: 'delay', milliseconds } }
}
