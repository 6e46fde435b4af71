import type { Abi, Address } from 'viem'
import { forwarderAbi, identityRegistrarAbi, marketAbi, programmeAbi, usdcAbi, vaultAbi } from './abi.ts'
import { type Arguments, encoderOf, type Writable } from './encoder.ts'
import type { CallContext, Entry, FactName, Facts, OwnerSignedForm, SignedForm } from './operation.ts'
import type { ContractCall, EntryMode, ForwardedKind, SubmittedKind } from './relay.ts'

/**
 * Builds an operation that calls the market. The name of the function comes first, so that `args` is checked against its
 * parameters.
 * Example: `marketCall('cancelTask')({ name: 'tasks.cancel', ..., args: ({ taskId }) => [taskId] })`.
 */
export const marketCall = forwarded('market', { abi: marketAbi, contract: 'market' })

/** Builds an operation that calls the identity registrar. Example: `registrarCall('register')`. */
export const registrarCall = forwarded('registry', { abi: identityRegistrarAbi, contract: 'identityRegistrar' })

/** Builds an operation that calls USDC with the authorization of an owner. Example: `usdcCall('transferWithAuthorization')`. */
export const usdcCall = submitted('transfer', usdcAbi)

/**
 * Builds an operation that calls the programme of the token bonus, signed by an account. Example: `programmeCall('withdrawFor')`.
 */
export const programmeCall = submitted('claim', programmeAbi)

/** Builds an operation that calls the forwarder itself, signed by a wallet. Example: `switchCall('setBoundOnlyFor')`. */
export const switchCall = submitted('switch', forwarderAbi)

/** Builds an operation that calls a vault of a sponsor, signed by a worker. Example: `vaultCall('claimTo')`. */
export const vaultCall = submitted('claim', vaultAbi)

/** An entry whose call goes through the forwarder, which names the actor; `IntentRelayed` proves it. */
interface ForwardedEntry<
  A extends Abi,
  FunctionName extends Writable<A>,
  Name extends string,
  Request,
  Input,
  Fact extends FactName,
> extends Entry<Name, Request, Input, Fact> {
  /** Modes of any request. */
  modes: readonly EntryMode[]
  /** Signed text of the mode `signed`. */
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

/** An entry whose call any account may submit as it is; an event of the contract that it calls proves it. */
interface SubmittedEntry<
  A extends Abi,
  FunctionName extends Writable<A>,
  Name extends string,
  Request,
  Input,
  Fact extends FactName,
> extends Entry<Name, Request, Input, Fact> {
  /** The contract that is called. */
  target: (context: CallContext<NoInfer<Fact>>) => Address
  /** The signature in the request, which is part of the call. */
  ownerSigned: OwnerSignedForm<NoInfer<Input>, CallContext<NoInfer<Fact>>>
  /** Arguments of the function. */
  args: (input: NoInfer<Input>, context: CallContext<NoInfer<Fact>>) => Arguments<A, FunctionName>
}

function submitted<const Kind extends SubmittedKind, const A extends Abi>(kind: Kind, abi: A) {
  return <const FunctionName extends Writable<A>>(functionName: FunctionName) => {
    const encode = encoderOf(abi, functionName)
    return <const Name extends string, Request, Input, const Fact extends FactName>(
      entry: SubmittedEntry<A, FunctionName, Name, Request, Input, Fact>,
    ) => ({
      kind,
      functionName,
      ...entry,
      call: (input: Input, context: CallContext<Fact>): ContractCall => ({
        target: entry.target(context),
        data: encode(entry.args(input, context)),
        escrowAmount: 0n,
      }),
    })
  }
}
