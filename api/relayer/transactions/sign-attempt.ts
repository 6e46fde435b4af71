import { type Address, type Hex, keccak256 } from 'viem'
import type { Fees } from '../../chain/chain.ts'
import type { AttemptLeg, NewAttempt } from './attempts.queries.ts'
import type { RelayerDeps } from './relay-context.ts'
import type { Relayer } from './relayer.ts'

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

/** A transaction to itself that does nothing but use its nonce. */
export function noopCall(intentId: string | null, relayer: Address, fees: Fees): UnsentCall {
  return { intentId, leg: 'noop', to: relayer, data: '0x', gasLimit: NOOP_GAS, fees }
}

/** Signs a call at a place in a lane. Nothing is stored or sent yet. */
export async function signAttempt(
  { deployment }: RelayerDeps,
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
