import { decodeErrorResult, type Hex } from 'viem'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { Account } from '../account/account.ts'
import { contractErrors } from '../chain/contract-errors.ts'
import type { Simulation } from '../chain/rpc.ts'
import type { ClientContext } from '../context.ts'
import { Refused } from './write-spec.ts'

/**
 * The maximum number of characters of revert data in a message. The number is `0x`, and two hex digits for each of the
 * 256 bytes that the market copies from a hook's error.
 */
const MOST_TEXT = 2 + 2 * 256

/**
 * Simulates a write's contract call on the node, with the wallet as the sender. The contracts treat this call like the
 * call that the forwarder makes for the wallet. Signs nothing.
 * @returns true if the call was simulated; false if no node can simulate the call
 * @throws Refused when the contracts would revert
 */
export async function checkAct(
  { chain, account }: Pick<ClientContext, 'chain'> & { account: Account },
  { target, data, escrowAmount }: ContractCall,
): Promise<boolean> {
  if (chain === null) return false
  let simulation: Simulation
  try {
    simulation = await chain.simulate({ from: account.address, to: target, data, takesUsdc: escrowAmount > 0n })
  } catch {
    // The node does not answer, so the service's preflight decides.
    return false
  }
  if (simulation.ok) return true
  throw new Refused(
    'would_revert',
    `The contracts would refuse it: ${explain(simulation.revertData)}. Nothing was sent.`,
  )
}

/** Returns the name and the arguments of a contract error. Text from a hook in the arguments is untrusted. */
function explain(revertData: Hex | null): string {
  if (revertData === null) return 'the node does not say why'
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: contractErrors, data: revertData })
    return `${errorName}(${(args as readonly unknown[]).map(printable).join(', ')})`
  } catch {
    return printable(revertData)
  }
}

function printable(value: unknown): string {
  return String(value)
    .slice(0, MOST_TEXT)
    .replace(/[^\x20-\x7e]/g, '?')
}
