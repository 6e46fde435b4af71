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

/** The context in which the rules judge a request. `actor` is null while the payment is still missing. */
export interface WriteContext {
  actor: Address | null
  /** The timestamp of the latest block, Unix seconds. */
  now: bigint
  /** The clocks against which signed time windows are checked. */
  clocks: Clocks
}

/** The contract call of a write, with the texts and files whose hashes it contains. */
export interface PreparedCall {
  target: Address
  data: Hex
  content: ContentRows
  /** Values from which the write's result is built, in addition to the logs. They are stored with the intent. */
  facts?: Record<string, string>
  /** True if the call creates a task with hooks that the requester chose, so that foreign code runs. */
  bringsHooks?: boolean
  /** The largest number of awards that the call makes; it determines the gas of the market's hooks. Default: one. */
  awards?: number
  /**
   * The gas that must be available for a call of a registry or token, in addition to the gas that the write's call
   * uses. Default: 0.
   */
  registryGas?: bigint
  /**
   * The code of the account `owner` that the call runs, such as a vault's token. `maxGas` is the most gas for all runs
   * of that code together.
   */
  foreignCode?: { owner: Address; maxGas: bigint } | null
  /** Returns the call's facts as strings for an error body. Absent if the call depends only on its request. */
  hintFacts?: () => CallFacts['facts']
  /**
   * The owner's signature, with which any account may submit the call. Present only if the call is submitted as its
   * owner signed it.
   */
  submission?: SignedSubmission
  /**
   * Deletes the files that `prepare` stored outside the database. It is called when the request did not bind its write.
   */
  discard?(): Promise<void>
}

/** A signature in a request's body, over a text or over a contract's typed data. */
export type BodySignature = TextSignature | TypedDataSignature

/**
 * A signature (EIP-191) over the message `<service>:<text><suffix>`. The service checks it, and the contracts check it
 * again.
 */
export interface TextSignature {
  actor: Address
  signature: Hex
  /** The signed text without the service's name and without a suffix, such as `claim:<taskId>`. */
  text: SignedText
  /**
   * The suffixes that the message may have. A suffix binds the message to a round of the task or to content. One match
   * suffices. Default: the empty suffix.
   */
  suffixes?: readonly string[]
  /** Another complete message whose signature is accepted too. */
  otherMessage?: SignedMessage
  /** Returns the suffixes that bind the text to one call. Absent if the text has no such form. */
  callTails?: (deps: WriteDeps) => Promise<readonly string[]>
  /**
   * Present if the signature agrees to the task's current state. After a reverted transaction the signature is public,
   * so the signer must then also send the headers that prove the signer's identity.
   */
  agreesTo?: { verb: string; taskId: Hex }
}

/** A signature (EIP-712) over typed data, which the contract in their domain checks. */
export interface TypedDataSignature {
  actor: Address
  signature: Hex
  typedData: TypedDataDefinition
  /** Never set, because typed data contain everything that the signer agrees to. */
  agreesTo?: never
}

/** A checked signature of a body, with its message's suffix. For typed data the suffix is empty. */
export interface CheckedSignature {
  actor: Address
  signature: Hex
  suffix: string
}

/**
 * A relayed write, described as data. The pipeline implements the stages once for all writes: key, parse, look-up,
 * legal acceptance, preflight, reserve, challenge, verify, role, simulate, bind, relay, receipt, indexed, answer. No
 * other code may broadcast a call, charge a payment or reserve a key.
 *
 * The functions are declared as properties, so that a function that needs more than `WriteDeps` does not compile.
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
   * The fields, besides `choices`, that a request with a bound payment must contain. The service itself adds them to a
   * request without a bound payment.
   */
  boundFields?: readonly string[]
  /** Normalises the input after the schemas admitted it. The schemas themselves change no value. */
  normalise?: (input: WriteInput) => WriteInput
  /**
   * The secret fields of the body. What is stored of a request must not allow a reader of the tables to guess their
   * values.
   */
  secrets?: readonly string[]
  /** True if the request needs no body. A body that is sent all the same is ignored. */
  bodyless?: true
  /** The largest accepted body, bytes. Default: 1 MB. */
  bodyLimitBytes?: number
  /** True for operations that need no legal receipt (cancel, refunds, appeals and the like). */
  legalExempt?: boolean
  /**
   * Reads from one snapshot of the read model the facts that the rules need. Returns null if the task does not exist.
   * `payer` is the account in the request's payment, or null without a payment. The payment is not verified yet, but
   * rules about the payer need the payer's facts already.
   */
  load: (deps: WriteDeps, input: WriteInput, payer: Address | null) => Promise<unknown>
  /**
   * The relay modes that a request may have. The modes decide how the write is documented, and which error reason
   * invalid input gets. The list is empty if the call is submitted as its owner signed it.
   */
  modes: readonly EntryMode[]
  /**
   * Returns the relay mode of this request. If absent, the first of `modes` is used. Example: a submission is signed
   * until the free allowance is used up, and then paid.
   */
  mode?: (subject: unknown, input: WriteInput) => EntryMode
  /** Returns the charge of a paid request, and the part of the charge that is put into escrow, both in base units. */
  charge: (subject: unknown, input: WriteInput) => { amount: bigint; escrow: bigint }
  /**
   * The lowest and highest charge in base units, and a description. Present if a paid write costs something other than
   * the fee of an action. Catalogues show these values; `charge` computes the actual price.
   */
  price?: { min: bigint; max: bigint; is: string }
  /**
   * Returns true if a completed write with this input gets its unit of the rate limit `writes` back. If absent, every
   * completed write gets it back.
   */
  returnsUnit?: (input: WriteInput) => boolean
  /**
   * True if a request without a key, a payment and any field is answered with 402 and the lowest price. Crawlers of
   * paid services send such requests.
   */
  answersProbes?: true
  /** An example of a valid body, which payment challenges contain. */
  exampleBody?: unknown
  /**
   * Returns the refusal of the rule table, or null. This function is called without an actor before the payment, to
   * check the input and the public state. After the payment it is called with the payer or signer. The list of pending
   * actions uses the same rule.
   */
  preflight: (subject: unknown, input: WriteInput, context: WriteContext) => Refusal | null
  /**
   * Returns the signature in the body, or null. The signature is checked in every mode. It is required in the mode
   * `signed`, and for a call that is submitted as its owner signed it. In the latter case this function is called only
   * after the rules have admitted the request.
   */
  signed?: (input: WriteInput, subject: unknown, deps: Pick<WriteDeps, 'deployment'>) => BodySignature | null
  /**
   * Returns the answer for an actor that already has the write's result, or null. It is called as soon as the actor is
   * known. If it returns an answer, nothing is settled, charged or relayed.
   */
  findDone?: (deps: WriteDeps, actor: Address) => Promise<Record<string, unknown> | null>
  /**
   * Prepares the call and its content for this actor, which is the zero address in the mode `open`. It runs after the
   * rules admitted the request and before the bind. It must not move money.
   */
  prepare: (
    deps: WriteDeps,
    subject: unknown,
    input: WriteInput,
    actor: Address,
    payment?: Pick<PaymentAuthorization, 'validBefore'> | null,
  ) => Promise<PreparedCall | Refusal>
  /**
   * Checks the rules again at the start of the transaction that binds the write, for counts that concurrent requests
   * must not exceed: it takes an advisory lock and counts again. A refusal rolls the transaction back.
   */
  guard?: (tx: Transaction, subject: unknown, input: WriteInput) => Promise<Refusal | null>
  /**
   * Returns a sentence that explains a revert of the simulated call. If absent, the sentence is `The call would revert:
   * ...`.
   */
  describeRevert?: (revert: Revert) => string
  /**
   * Returns the result. It may read only the receipt's logs and the stored facts, because it also runs after a restart.
   */
  result: (mined: MinedWrite) => WriteResult
  /**
   * Builds the response body if it contains more than the stored result. It runs after the write is indexed. Example:
   * an update returns the task.
   */
  respond?: (deps: WriteDeps, result: WriteResult, input: WriteInput, actor: Address) => Promise<unknown>
}

/** Returns the id of the task in the path; null if the path has none. */
export function taskIdIn(params: unknown): Hex | null {
  const { taskId } = (params ?? {}) as { taskId?: Hex }
  return taskId ?? null
}

/** Returns the relay mode of a request; null if its call is submitted as its owner signed it. */
export function relayModeOf(write: AnyWrite, subject: unknown, input: WriteInput): EntryMode | null {
  return write.mode?.(subject, input) ?? write.modes[0] ?? null
}
