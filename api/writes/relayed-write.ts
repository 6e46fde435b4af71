import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { ZodType } from 'zod'
import type { ChoiceName } from '../../protocol/operation.ts'
import type { EntryMode } from '../../protocol/relay.ts'
import type { SignedMessage, SignedText } from '../../protocol/signed/signed-text.ts'
import type { Clocks } from '../../protocol/windows.ts'
import type { ArrivingBytes } from '../artifacts/byte-accounts.ts'
import type { Revert } from '../chain/chain.ts'
import type { Transaction } from '../db/client.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { CallFacts } from '../errors/service-error.ts'
import type { ContentRows } from '../intents/content.ts'
import type { SignedSubmission } from '../intents/intents.queries.ts'
import type { Operation } from '../intents/operations.ts'
import type { MinedWrite, WriteResult } from '../intents/write-result.ts'
import type { PaymentAuthorization } from '../payments/authorization.ts'
import type { WriteDeps } from './write-deps.ts'

/** The parsed request of a write. */
export interface WriteInput {
  params: unknown
  body: unknown
  /**
   * The counter that charges the body's bytes to a quota as they arrive. Present only in the input of an HTTP request.
   */
  arriving?: ArrivingBytes
}

/**
 * The facts that the rules of a write need in addition to the request. `actor` is the payer or signer. It is null until
 * the payer or signer is known.
 */
export interface WriteContext {
  actor: Address | null
  /** The timestamp of the latest block, in Unix seconds. */
  now: bigint
  /** The two times (latest block and host) against which signed time windows are checked. */
  clocks: Clocks
}

/** The contract call of a write, with the texts and files whose hashes it contains. */
export interface PreparedCall {
  target: Address
  data: Hex
  content: ContentRows
  /**
   * Values from which the write's result is built, in addition to the logs of the transaction. The values are stored
   * with the intent.
   */
  facts?: Record<string, string>
  /**
   * True if the call creates a task with hooks that the requester chose. The call then runs code that is not the
   * deployment's.
   */
  bringsHooks?: boolean
  /**
   * The largest number of awards that the call makes. The number determines the gas of the market's hooks. Default:
   * one.
   */
  awards?: number
  /** The gas for a call of a registry or token, in addition to the gas of the write's call. Default: 0. */
  registryGas?: bigint
  /**
   * Set if the call runs code of another account, such as the token of a vault. `owner`: the account whose gas account
   * pays for the call, such as the vault's owner. `maxGas`: the largest gas limit of the call.
   */
  foreignCode?: { owner: Address; maxGas: bigint } | null
  /** Returns the call's facts as strings for an error body. Absent if the call depends only on its request. */
  hintFacts?: () => CallFacts['facts']
  /**
   * Facts about the signature in the call: its id, the moved amount and the end of its validity. Present only if the
   * owner of the assets signed the call. Any account may submit this call directly to the contract, without the
   * forwarder.
   */
  submission?: SignedSubmission
  /** Deletes the files that `prepare` stored outside the database. Called if the write was not bound. */
  discard?(): Promise<void>
}

/** A signature in a request's body, over a text or over a contract's typed data. */
export type BodySignature = TextSignature | TypedDataSignature

/**
 * A signature (EIP-191) over the message `<service>:<text><suffix>`. Both the service and the contracts check the
 * signature.
 */
export interface TextSignature {
  actor: Address
  signature: Hex
  /** The signed text without the service's name and without a suffix, such as `claim:<taskId>`. */
  text: SignedText
  /**
   * The allowed suffixes of the message; one must match. A suffix binds the message to a round of the task or to
   * content. Default: the empty suffix.
   */
  suffixes?: readonly string[]
  /**
   * An alternative to the message `<service>:<text><suffix>`. If the actor signed this whole message, the signature is
   * accepted too.
   */
  otherMessage?: SignedMessage
  /** Returns the suffixes that bind the signed text to one call. Absent if the text cannot be bound to one call. */
  callTails?: (deps: WriteDeps) => Promise<readonly string[]>
  /**
   * The verb and the task. Present if the signature means that the signer agrees to the task's terms at the time of
   * signing. A transaction that reverts makes its signature public, and strangers could use the signature again. After
   * a revert, the service therefore accepts the signature only with read-identity headers (signed headers that prove
   * who sends the request).
   */
  agreesTo?: { verb: string; taskId: Hex }
}

/** A signature (EIP-712) over typed data. The contract in the typed data's domain checks the signature. */
export interface TypedDataSignature {
  actor: Address
  signature: Hex
  typedData: TypedDataDefinition
  /**
   * Never set, because typed data contain everything that the signer agrees to. Only a text can leave out the task's
   * terms.
   */
  agreesTo?: never
}

/** A checked signature of a body, with the suffix of the signed message. For typed data the suffix is empty. */
export interface CheckedSignature {
  actor: Address
  signature: Hex
  suffix: string
}

/**
 * A relayed write, described as data. The pipeline runs the stages for all writes. Only the pipeline may broadcast a
 * call, charge a payment or reserve an idempotency key.
 *
 * The functions are properties and not methods, because the compiler checks the parameters of properties more strictly.
 * It rejects a function that needs more than `WriteDeps`.
 */
export interface AnyWrite {
  operation: Operation
  /** The OpenAPI operation id, such as `createTask`. */
  operationId: string
  summary: string
  description: string
  /** The path below `/api` with braces, such as `/tasks/{taskId}/cancel`. All writes are POST. */
  path: string
  params: ZodType
  body: ZodType
  response: ZodType
  /** The body fields that the service chooses when the request omits them. Default: none. */
  choices?: readonly ChoiceName[]
  /**
   * The fields that a request with a bound payment must contain, in addition to `choices`. Without a bound payment, the
   * service adds these fields.
   */
  boundFields?: readonly string[]
  /** Normalises the input after the schemas admitted it. The schemas themselves change no value. */
  normalise?: (input: WriteInput) => WriteInput
  /** The secret fields of the body. A reader of the database must not be able to guess the values of these fields. */
  secrets?: readonly string[]
  /** True if the request needs no body. The service ignores a body that the client sends. */
  bodyless?: true
  /** The largest accepted body, in bytes. Default: 1 MB. */
  bodyLimitBytes?: number
  /** True for operations that need no legal receipt, such as cancellations, refunds and appeals. */
  legalExempt?: boolean
  /**
   * Reads the facts for the rules from one snapshot of the read model. Returns null if the task does not exist. `payer`
   * is the account in the request's payment, or null without a payment. The payment is not verified yet.
   */
  load: (deps: WriteDeps, input: WriteInput, payer: Address | null) => Promise<unknown>
  /**
   * The relay modes that a request may have. Empty if the write's call contains the signature of the owner of the
   * assets. Any account may then submit the call without the forwarder.
   */
  modes: readonly EntryMode[]
  /**
   * Returns the relay mode of this request. If absent, the first of `modes` is used. Example: a submission is signed
   * until the free allowance is used up, and then paid.
   */
  mode?: (subject: unknown, input: WriteInput) => EntryMode
  /**
   * Returns the charge of a paid request and its escrow. `amount`: the whole charge in base units. `escrow`: the part
   * of the charge that goes into escrow, in base units.
   */
  charge: (subject: unknown, input: WriteInput) => { amount: bigint; escrow: bigint }
  /**
   * The lowest and highest price that catalogues show. Present only if the price of the write is not a fixed fee. `min`
   * and `max`: base units. `is`: a description. `charge` computes the actual price.
   */
  price?: { min: bigint; max: bigint; is: string }
  /**
   * Returns true if a completed write with this input gets its unit of the rate limit `writes` back. If this function
   * is absent, the input does not matter, and the write gets its unit back. Two kinds of writes lose their unit in any
   * case: free writes, and writes that used unusually much gas.
   */
  returnsUnit?: (input: WriteInput) => boolean
  /**
   * True if an empty request gets 402 with the lowest price. An empty request has no key, payment or field. Crawlers of
   * paid services send such requests.
   */
  answersProbes?: true
  /** An example of a valid body, which payment challenges contain. */
  exampleBody?: unknown
  /**
   * Returns the refusal of the rule table, or null if the rules admit the request. The function is called more than
   * once. The actor in `context` is null until the payer or signer is known.
   */
  preflight: (subject: unknown, input: WriteInput, context: WriteContext) => Refusal | null
  /**
   * Returns the signature in the body, or null if the body has none. Two kinds of writes need a signature: writes in
   * the mode `signed`, and writes whose call contains the signature of the owner of the assets.
   */
  signed?: (input: WriteInput, subject: unknown, deps: Pick<WriteDeps, 'deployment'>) => BodySignature | null
  /**
   * Returns the answer for an actor who already has the write's result. The write then ends without a charge or call.
   * Returns null if the actor does not have the result yet.
   */
  findDone?: (deps: WriteDeps, actor: Address) => Promise<Record<string, unknown> | null>
  /**
   * Prepares the call and its content for an actor. In the mode `open` the actor is the zero address. The function runs
   * after the rules admitted the request, and must not move money.
   */
  prepare: (
    deps: WriteDeps,
    subject: unknown,
    input: WriteInput,
    actor: Address,
    payment?: Pick<PaymentAuthorization, 'validBefore'> | null,
  ) => Promise<PreparedCall | Refusal>
  /**
   * Checks the rules again at the start of the binding transaction, under an advisory lock. A refusal rolls the
   * transaction back.
   */
  guard?: (tx: Transaction, subject: unknown, input: WriteInput) => Promise<Refusal | null>
  /**
   * Returns a sentence that explains a revert of the simulated call. If absent, the sentence is `The call would revert:
   * ...`.
   */
  describeRevert?: (revert: Revert) => string
  /**
   * Returns the result of the write. The function may read only the receipt's logs and the stored facts, because it
   * also runs after a restart.
   */
  result: (minedWrite: MinedWrite) => WriteResult
  /**
   * Builds the response body after the write is indexed. If absent, the response body is the stored result. Example: an
   * update returns the task.
   */
  respond?: (deps: WriteDeps, result: WriteResult, input: WriteInput, actor: Address) => Promise<unknown>
}

/** Returns the id of the task in the path parameters; null if the path has no task. */
export function taskIdIn(params: unknown): Hex | null {
  const { taskId } = (params ?? {}) as { taskId?: Hex }
  return taskId ?? null
}

/**
 * Returns the relay mode of a request. Null if the write's call contains the signature of the owner of the assets,
 * because a relayer submits the call without the forwarder.
 */
export function relayModeOf(write: AnyWrite, subject: unknown, input: WriteInput): EntryMode | null {
  return write.mode?.(subject, input) ?? write.modes[0] ?? null
}
