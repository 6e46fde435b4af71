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
  /** The count of the body's bytes; present in a request's input only. */
  arriving?: ArrivingBytes
}

/** The context of the rules. `actor` is null in the first round of a payment. */
export interface WriteContext {
  actor: Address | null
  /** Time of the chain head, Unix seconds. */
  now: bigint
  /** Clocks that judge signed windows. */
  clocks: Clocks
}

/** The one call of a write, with the texts and files behind its hashes. */
export interface PreparedCall {
  target: Address
  data: Hex
  content: ContentRows
  /** The inputs of the result besides the logs, stored with the intent. */
  facts?: Record<string, string>
  /** True if the call creates a task with hooks of the requester, whose code runs. */
  bringsHooks?: boolean
  /** The most awards of the call, for the gas of the market's hooks; default one. */
  awards?: number
  /** The gas that must be left when the call reaches a registry, beyond its use; default none. */
  registryGas?: bigint
  /** The code of `owner` that the call runs, such as the token of a vault, for at most `maxGas` in all. */
  foreignCode?: { owner: Address; maxGas: bigint } | null
  /** Returns the facts of the call in the form of a refusal; absent: the call depends on its request alone. */
  hintFacts?: () => CallFacts['facts']
  /** The signature by which any account may submit the call, when it is submitted as signed. */
  submission?: SignedSubmission
  /** Deletes the content that `prepare` stored outside the database, after a request without a committed bind. */
  discard?(): Promise<void>
}

/** The signature of a body: over a text, or over typed data of a contract. */
export type BodySignature = TextSignature | TypedDataSignature

/** A signature (EIP-191) over `<service>:<text><suffix>`, checked here and on chain. */
export interface TextSignature {
  actor: Address
  signature: Hex
  /** The text, such as `claim:<taskId>`. */
  text: SignedText
  /** The tails its message may have, of which one suffices: round-bound, content-bound; default the empty one. */
  suffixes?: readonly string[]
  /** A whole message that counts as well. */
  otherMessage?: SignedMessage
  /** Returns the tails of call-bound texts; absent: the text has no such form. */
  callTails?: (deps: WriteDeps) => Promise<readonly string[]>
  /**
   * The agreement to the task's present state; after a reverted transaction it needs the signer's read identity too.
   */
  agreesTo?: { verb: string; taskId: Hex }
}

/** A signature (EIP-712) over typed data, which their contract checks. */
export interface TypedDataSignature {
  actor: Address
  signature: Hex
  typedData: TypedDataDefinition
  /** Never set: the data contain everything that they agree to. */
  agreesTo?: never
}

/** A valid signature of a body, with its message's tail; typed data have none. */
export interface CheckedSignature {
  actor: Address
  signature: Hex
  suffix: string
}

/**
 * A relayed write as data. Its stages exist once, in the pipeline: key, parse, look-up, legal acceptance, preflight,
 * reserve, challenge, verify, role, simulate, bind, relay, receipt, indexed, answer. Nothing else may broadcast, charge
 * or reserve a key.
 *
 * Its functions are properties, so that one which needs more than `WriteDeps` does not compile.
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
  /** The body fields that the service chooses when they are missing; default none. */
  choices?: readonly ChoiceName[]
  /**
   * The fields that a request with a bound payment needs besides its choices; the service adds them to other requests.
   */
  boundFields?: readonly string[]
  /** Normalises the admitted input, where the schemas change nothing. */
  normalise?: (input: WriteInput) => WriteInput
  /** The secret fields of the body: nothing that is stored of a request lets them be guessed. */
  secrets?: readonly string[]
  /** True for a request without a body; a sent one is not read. */
  bodyless?: true
  /** The largest body, bytes; default 1 MB. */
  bodyLimitBytes?: number
  /** True for operations that need no legal receipt (cancel, refunds, appeals and the like). */
  legalExempt?: boolean
  /**
   * Reads the facts of the rules from one snapshot of the read model; null: no such task for any caller. `payer`: the
   * account in the request's payment, null without one; it is not proven yet, but rules about it have their facts.
   */
  load: (deps: WriteDeps, input: WriteInput, payer: Address | null) => Promise<unknown>
  /**
   * The relay modes of requests: they decide the documentation and the reason of invalid input. Empty for a call that
   * is submitted as signed.
   */
  modes: readonly EntryMode[]
  /**
   * Returns the relay mode of this request; by default the only one. A submission is signed until the free allowance is
   * used up, then paid.
   */
  mode?: (subject: unknown, input: WriteInput) => EntryMode
  /** Returns the charge of a paid request, and the part of it that goes into escrow; base units. */
  charge: (subject: unknown, input: WriteInput) => { amount: bigint; escrow: bigint }
  /**
   * The bounds of every charge, base units, and its description, when a paid write costs something else than the fee of
   * an action. Catalogues show it; `charge` decides.
   */
  price?: { min: bigint; max: bigint; is: string }
  /** Returns true if a completed write of this input refunds its unit of `writes`; absent: true. */
  returnsUnit?: (input: WriteInput) => boolean
  /**
   * True if a request without key, payment and field gets the 402 of the lowest price, which crawlers of paid services
   * request.
   */
  answersProbes?: true
  /** An example of an accepted body, for challenges. */
  exampleBody?: unknown
  /**
   * Returns the rule table's refusal, or null. Called without an actor before the payment (input and public state),
   * with the payer or signer after it; the same rule lists the pending action.
   */
  preflight: (subject: unknown, input: WriteInput, context: WriteContext) => Refusal | null
  /**
   * Returns the signature of a body, or null. It is checked in every mode. It is required for a signed call, and for
   * one that is submitted as signed, after its rules have admitted it.
   */
  signed?: (input: WriteInput, subject: unknown, deps: Pick<WriteDeps, 'deployment'>) => BodySignature | null
  /**
   * Returns the answer for an actor that already has the write's result, or null. Called with the known actor; nothing
   * is settled, charged or relayed.
   */
  findDone?: (deps: WriteDeps, actor: Address) => Promise<Record<string, unknown> | null>
  /**
   * Prepares the call and its content for this actor (the zero address in an open call). Runs after admission and
   * before bind; must not move money.
   */
  prepare: (
    deps: WriteDeps,
    subject: unknown,
    input: WriteInput,
    actor: Address,
    payment?: Pick<PaymentAuthorization, 'validBefore'> | null,
  ) => Promise<PreparedCall | Refusal>
  /**
   * Checks again inside the transaction that binds the write, before anything of it is stored, for counts that
   * concurrent requests must not exceed (take an advisory lock, count again). A refusal rolls it back.
   */
  guard?: (tx: Transaction, subject: unknown, input: WriteInput) => Promise<Refusal | null>
  /** Returns the meaning of a revert of the simulated call; absent: `The call would revert: ...`. */
  describeRevert?: (revert: Revert) => string
  /** Returns the result from the receipt's logs and the stored facts alone; it also runs after a restart. */
  result: (mined: MinedWrite) => WriteResult
  /** Builds the answer's body when it is more than the stored result (update answers the task). Runs after indexing. */
  respond?: (deps: WriteDeps, result: WriteResult, input: WriteInput, actor: Address) => Promise<unknown>
}

/** Returns the task in a path; null: none. */
export function taskIdIn(params: unknown): Hex | null {
  const { taskId } = (params ?? {}) as { taskId?: Hex }
  return taskId ?? null
}

/** Returns the relay mode of a request; null: its call is submitted as signed. */
export function relayModeOf(write: AnyWrite, subject: unknown, input: WriteInput): EntryMode | null {
  return write.mode?.(subject, input) ?? write.modes[0] ?? null
}
