import { type Abi, decodeFunctionData } from 'viem'
import { identityRegistrarAbi, marketAbi } from '../../../protocol/abi.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import { toUsdc } from '../payments/usdc-text.ts'

/**
 * Describes a contract call in one clause, decoded from the call's bytes. Example:
 * `acceptSubmission(0x9f.., 0xa1.., 0x11..) of 0x5f.., with 0 USDC into escrow`.
 */
export function describeCall({ target, data, escrowAmount }: ContractCall): string {
  return `${decode(data)} of ${target}, with ${toUsdc(escrowAmount)} USDC into escrow`
}

function decode(data: ContractCall['data']): string {
  for (const abi of [marketAbi, identityRegistrarAbi] as readonly Abi[]) {
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data })
      return `${functionName}(${args.map(toText).join(', ')})`
    } catch {
      // The function belongs to the other contract.
    }
  }
  return `a call of the data ${data}`
}

/** Returns a hex string unchanged and any other value as JSON, which escapes terminal control sequences. */
function toText(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) return value
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? member.toString() : member))
}
