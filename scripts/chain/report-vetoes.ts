import { type Abi, type Address, createPublicClient, type Hex, http, parseEventLogs } from 'viem'
import { z } from 'zod'
import { errorsAbi } from '../../abis/errors.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { decodeRevert } from '../../api/chain/revert.ts'
import { hookFunctions } from '../../api/chain/revert-sentences.ts'
import { describeError, explainVetoes } from '../../protocol/hook-veto.ts'

interface CallFrame {
  to?: string | undefined
  input: string
  output?: string | undefined
  error?: string | undefined
  calls?: CallFrame[] | undefined
}

const callFrame: z.ZodType<CallFrame> = z.lazy(() =>
  z.object({
    to: z.string().optional(),
    input: z.string(),
    output: z.string().optional(),
    error: z.string().optional(),
    calls: z.array(callFrame).optional(),
  }),
)

/**
 * Reports two kinds of failures to `print`: mined transactions that failed, and failed calls of a hook after which the
 * market went on.
 * @param options.errors errors that the authors of hooks declared. They are shown by name, like the errors of the
 * contracts
 * @param options.print receives `<transaction hash>: <failure>`
 * @returns a function that stops the reports
 */
export function reportVetoes(
  rpcUrl: string,
  { errors, print }: { errors: Abi; print(line: string): void },
): () => void {
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 250 })

  const report = async (hash: Hex): Promise<void> => {
    const { status, logs } = await client.getTransactionReceipt({ hash })
    const failures = parseEventLogs({ abi: taskMarketAbi, eventName: 'HookCallFailed', logs })
    if (status === 'success' && failures.length === 0) return
    const root = await trace(hash)
    if (status === 'reverted') {
      print(`${hash}: ${explainVetoes(decodeRevert((root.output ?? '0x') as Hex).message, errors)}`)
      return
    }
    for (const { args } of failures) {
      const data = findOutput(root, args.hook, args.selector)
      const error = data === null ? null : describeError(data, [...errors, ...errorsAbi])
      const reason = error ?? data ?? 'without data'
      const step = hookFunctions.get(args.selector) ?? args.selector
      print(`${hash}: the hook ${args.hook} failed in ${step} with ${reason}, and the market went on`)
    }
  }

  const trace = async (hash: Hex): Promise<CallFrame> => {
    const params = [hash, { tracer: 'callTracer' }]
    // The method is not in the client's types.
    return callFrame.parse(await client.request({ method: 'debug_traceTransaction', params } as never))
  }

  return client.watchBlocks({
    emitMissed: true,
    onBlock: async ({ transactions }) => {
      for (const hash of transactions) await report(hash).catch((error) => print(`${hash}: unreadable, ${error}`))
    },
    // The chain has ended, which its launcher reports.
    onError: () => {},
  })
}

/**
 * Returns the revert data of the failed call to a hook, from the calls of a transaction; null if there is no such call.
 */
function findOutput(frame: CallFrame, hook: Address, selector: Hex): Hex | null {
  const isCall = frame.to?.toLowerCase() === hook.toLowerCase() && frame.input.startsWith(selector)
  if (isCall && frame.error !== undefined && frame.output !== undefined) return frame.output as Hex
  for (const call of frame.calls ?? []) {
    const output = findOutput(call, hook, selector)
    if (output !== null) return output
  }
  return null
}
