import type { Abi } from 'viem'
import { identityRegistrarAbi, marketAbi } from './abi.ts'
import { type Arguments, encoderOf, type Writable } from './encoder.ts'
import type { CallContext, Entry, FactName, Facts, SignedForm } from './operation.ts'
import type { ContractCall, EntryMode, ForwardedKind } from './relay.ts'

/**
 * An operation that calls the market. The name of the function comes first, so that `args` is checked against its
 * parameters. Example: `marketCall('cancelTask')({ name: 'tasks.cancel', ..., args: ({ taskId }) => [taskId] })`.
 */
export const marketCall = forwarded('market', { abi: marketAbi, contract: 'market' })

/** An operation that calls the identity registrar. */
export const registrarCall = forwarded('registry', { abi: identityRegistrarAbi, contract: 'identityRegistrar' })

/** An entry whose call goes through the forwarder, which names the actor; `IntentRelayed` proves it. */
interface ForwardedEntry<
  A extends Abi,
  FunctionName extends Writable<A>,
  Name extends string,
  Request,
  Input,
  Fact extends FactName,
> extends Entry<Name, Request, Input, Fact> {
  /** Every mode that some request takes. */
  modes: readonly EntryMode[]
  /** Where a request can be signed. */
  signed?: SignedForm<NoInfer<Input>, Pick<Facts, NoInfer<Fact>>>
  /** Arguments of the function. */
  args: (input: NoInfer<Input>, context: CallContext<NoInfer<Fact>>) => Arguments<A, FunctionName>
}

function forwarded<const Kind extends ForwardedKind, const A extends Abi>(
  kind: Kind,
  { abi, contract }: { abi: A; contract: 'market' | 'identityRegistrar' },
) {
  return <const FunctionName extends Writable<A>>(functionName: FunctionName) => {
    const encode = encoderOf(abi, functionName)
    return <const Name extends string, Request, Input, const Fact extends FactName>(
      entry: ForwardedEntry<A, FunctionName, Name, Request, Input, Fact>,
    ) => ({
      kind,
      functionName,
      ...entry,
      call: (input: Input, context: CallContext<Fact>): ContractCall => ({
        target: context.deployment[contract],
        data: encode(entry.args(input, context)),
        escrowAmount: entry.price.of(input, context.facts).escrow,
      }),
    })
  }
}
