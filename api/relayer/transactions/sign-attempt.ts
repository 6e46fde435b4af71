import { type Address, type Hex, keccak256 } from 'viem'
import type { Fees } from '../../chain/chain.ts'
import type { Deps } from '../../deps.ts'
import type { AttemptLeg, NewAttempt } from './attempts.queries.ts'
import type { Relayer } from './relayer.ts'

/** What an estimate may be short of when other transactions come first. */
const GAS_MARGIN_PERCENT = 25n
const NOOP_GAS = 21_000n

/** A transaction that only lacks its lane. */
export interface UnsentCall {
  /** Null for one that only fills a gap in its lane. */
  intentId: string | null
  leg: AttemptLeg
  to: Address
  data: Hex
  gasLimit: bigint
  fees: Fees
}

/** The gas limit for an estimate. */
export function gasLimitFor(estimate: bigint): bigint {
  return estimate + (estimate * GAS_MARGIN_PERCENT) / 100n
}

/** A transaction to itself that does nothing but use its nonce. */
export function noopCall(intentId: string | null, relayer: Address, fees: Fees): UnsentCall {
  return { intentId, leg: 'noop', to: relayer, data: '0x', gasLimit: NOOP_GAS, fees }
}

/** Signs a call at a place in a lane. Nothing is stored or sent yet. */
export async function signAttempt(
  { deployment }: Deps,
  call: UnsentCall,
  { relayer, nonce }: { relayer: Relayer; nonce: bigint },
): Promise<NewAttempt> {
  const raw = await relayer.sign({
    chainId: deployment.chainId,
    to: call.to,
    data: call.data,
    nonce: Number(nonce),
    gas: call.gasLimit,
    ...call.fees,
  })
  return {
    intentId: call.intentId,
    relayer: relayer.address,
    nonce,
    hash: keccak256(raw),
    raw,
    leg: call.leg,
    gasLimit: call.gasLimit,
    ...call.fees,
  }
}

/** Whether higher fees could help at all. Raised time and again without need they would know no end. */
export function isUnderpaid(offered: Fees, current: Fees): boolean {
  return offered.maxFeePerGas < current.maxFeePerGas || offered.maxPriorityFeePerGas < current.maxPriorityFeePerGas
}

/** What a node asks for before it takes one transaction for another of the same nonce, or the current fees if higher. */
export function raisedFees(replaced: Fees, current: Fees): Fees {
  return {
    maxFeePerGas: largest(raised(replaced.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: largest(raised(replaced.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
}

/** 12.5 % more, rounded up. */
function raised(fee: bigint): bigint {
  return fee + (fee + 7n) / 8n
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
