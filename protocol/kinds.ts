import type { Abi, Address } from 'viem'
import { forwarderAbi, identityRegistrarAbi, marketAbi, programmeAbi, usdcAbi, vaultAbi } from './abi.ts'
import { type Arguments, encoderOf, type Writable } from './encoder.ts'
import type { CallContext, Entry, FactName, Facts, OwnerSignedForm, SignedForm } from './operation.ts'
import type { ContractCall, EntryMode, ForwardedKind, SubmittedKind } from './relay.ts'

/**
 * Builds an operation that calls the market.
 * Example: `marketCall('cancelTask')({ name: 'tasks.cancel', ..., args: ({ taskId }) => [taskId] })`.
 */
// The name of the function is a separate, first argument. Otherwise the compiler could not check `args` against the
// function's parameters.
export const marketCall = forwarded('market', { abi: marketAbi, contract: 'market' })

/** Builds an operation that calls the identity registrar. Example: `registrarCall('register')`. */
export const registrarCall = forwarded('registry', { abi: identityRegistrarAbi, contract: 'identityRegistrar' })

/**
 * Builds an operation that calls USDC. The call contains an authorization by the owner of the tokens. Example:
 * `usdcCall('transferWithAuthorization')`.
 */
export const usdcCall = submitted('transfer', usdcAbi)

/**
 * Builds an operation that calls the bonus programme. The call contains the account's signature. Example:
 * `programmeCall('withdrawFor')`.
 */
export const programmeCall = submitted('claim', programmeAbi)

/**
 * Builds an operation that calls the forwarder's own function. The forwarder then relays no call to another contract.
 * The arguments of the function contain the wallet's signature. Example: `switchCall('setBoundOnlyFor')`.
 */
export const switchCall = submitted('switch', forwarderAbi)

/**
 * Builds an operation that calls a sponsor's vault. The call contains the worker's signature. Example:
 * `vaultCall('claimTo')`.
 */
export const vaultCall = submitted('claim', vaultAbi)

/**
 * An operation whose call the forwarder makes on behalf of an actor. The forwarder's event `IntentRelayed` proves the
 * call.
 */
interface ForwardedEntry<
  A extends Abi,
  FunctionName extends Writable<A>,
  Name extends string,
  Request,
  Input,
  Fact extends FactName,
> extends Entry<Name, Request, Input, Fact> {
  /** The ways to authorize a request, such as `paid` (the actor pays with a signed authorization of USDC). */
  modes: readonly EntryMode[]
  /** The form of the message that the actor signs in the mode `signed`; absent if `modes` does not contain `signed`. */
  signed?: SignedForm<NoInfer<Input>, Pick<Facts, NoInfer<Fact>>>
  /** Returns the arguments with which the contract function is called. */
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

/**
 * An operation whose call any account may submit directly to the contract. An event of the contract proves the call.
 */
interface SubmittedEntry<
  A extends Abi,
  FunctionName extends Writable<A>,
  Name extends string,
  Request,
  Input,
  Fact extends FactName,
> extends Entry<Name, Request, Input, Fact> {
  /** Returns the address of the contract to call. */
  target: (context: CallContext<NoInfer<Fact>>) => Address
  /**
   * The signature of the account whose money or setting the call changes. Both the request and the call data contain
   * the signature.
   */
  ownerSigned: OwnerSignedForm<NoInfer<Input>, CallContext<NoInfer<Fact>>>
  /** Returns the arguments with which the contract function is called. */
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
