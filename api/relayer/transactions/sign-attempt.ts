import { type Address, type Hex, keccak256 } from 'viem'
import type { Fees } from '../../chain/chain.ts'
import type { Relayer } from '../signers/relayer.ts'
import type { AttemptPurpose, NewAttempt } from './attempts.queries.ts'
import type { RelayerDeps } from './relay-context.ts'

const CANCELLATION_GAS = 21_000n

/** A transaction that has no nonce and no signature yet. */
export interface UnsentCall {
  /** The intent's id. Null for a transaction that only fills a gap in the nonce sequence. */
  intentId: string | null
  purpose: AttemptPurpose
  to: Address
  data: Hex
  gasLimit: bigint
  fees: Fees
}

/** Returns a transaction that only uses up a nonce: the relayer sends an empty transfer to itself. */
export function cancellationCall(intentId: string | null, relayer: Address, fees: Fees): UnsentCall {
  return { intentId, purpose: 'cancellation', to: relayer, data: '0x', gasLimit: CANCELLATION_GAS, fees }
}

/** Signs a transaction with a nonce. It neither stores nor sends the transaction. */
export async function signAttempt(
  { deployment }: RelayerDeps,
  call: UnsentCall,
  { relayer, nonce }: { relayer: Relayer; nonce: bigint },
): Promise<NewAttempt> {
  const rawTransaction = await relayer.sign({
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
    hash: keccak256(rawTransaction),
    raw: rawTransaction,
    purpose: call.purpose,
    gasLimit: call.gasLimit,
    ...call.fees,
  }
}
