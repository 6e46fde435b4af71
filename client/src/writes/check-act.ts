import { decodeErrorResult, type Hex } from 'viem'
import type { Account } from '../account/account.ts'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import { marketAbi } from '../chain/market-abi.ts'
import type { Simulation } from '../chain/rpc.ts'
import type { ClientContext } from '../context.ts'
import { readSubmissions } from '../reads/submissions.ts'
import { type CallFacts, marketCalls, takesUsdc } from './market-calls.ts'
import { Refused } from './write-spec.ts'

/** The longest text of a contract that is shown, characters. */
const MOST_TEXT = 200

/**
 * Simulates the act of a write: the call of the market by the wallet itself, which has the rights and the effects of the
 * relayed one. Nothing is signed: the node alone runs it.
 * @returns whether it was simulated; false without a node that can, and for writes that call other contracts
 * @throws Refused when the contracts would refuse it
 */
export async function checkAct<Name extends WriteName>(
  context: ClientContext & { account: Account },
  name: Name,
  input: WriteInput<Name>,
): Promise<boolean> {
  const { chain, account } = context
  const encode = marketCalls[name] as ((input: WriteInput<Name>, facts: CallFacts) => Promise<Hex | null>) | undefined
  if (chain === null || encode === undefined) return false
  let simulation: Simulation
  try {
    const data = await encode(input, { chain, readSubmissions: (taskId) => readSubmissions(context, taskId) })
    if (data === null) return false
    simulation = await chain.simulate({ from: account.address, data, takesUsdc: takesUsdc.includes(name) })
  } catch (error) {
    if (error instanceof Refused) throw error
    // The node does not answer, or the arguments have no place in a call: the service judges those.
    return false
  }
  if (simulation.ok) return true
  throw new Refused(
    'would_revert',
    `The contracts would refuse it: ${explain(simulation.revertData)}. Nothing was sent.`,
  )
}

/** The error of the contracts by its name. What a hook said within it is a stranger's. */
function explain(revertData: Hex | null): string {
  if (revertData === null) return 'the node does not say why'
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: marketAbi, data: revertData })
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
