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

/** Parsed request of a write. */
export interface WriteInput {
  params: unknown
  body: unknown
  /** The count of the body's bytes; of a request's input alone. */
  arriving?: ArrivingBytes
}

/** The actor, as far as it is known: null in the first round of a payment. `now` is the chain head's time, seconds. */
export interface WriteContext {
  actor: Address | null
  /** Time of the chain head, Unix seconds. */
  now: bigint
  /** Clocks that judge signed windows. */
  clocks: Clocks
}

/** The one call a write makes, with the texts and files that stand behind its hashes. */
export interface PreparedCall {
  target: Address
  data: Hex
  content: ContentRows
  /** Facts the result is computed from besides the logs; stored with the intent. */
  facts?: Record<string, string>
  /** The call makes a task with hooks of the requester's own: their code runs. */
  bringsHooks?: boolean
  /** The most awards that the call may pay: hooks of the market's own have gas for each. One unless given. */
  awards?: number
  /** Gas that must be left when the call reaches a registry, beyond what it uses; none unless given. */
  registryGas?: bigint
  /** The call runs code that `owner` brought, such as the token of a vault, for at most `maxGas` in all. */
  foreignCode?: { owner: Address; maxGas: bigint } | null
  /** Returns the facts of the call as a refusal names them; absent: it is made of its request alone. */
  hintFacts?: () => CallFacts['facts']
  /** The signature by which any account may submit the call, where it is submitted as it is. */
  submission?: SignedSubmission
  /** Takes back what `prepare` stored outside the database. Called when the request ends without a committed bind. */
  discard?(): Promise<void>
}

/** The signature of a body: over a text, or over typed data of a contract. */
export type BodySignature = TextSignature | TypedDataSignature

/** A signature (EIP-191) over `<service>:<text><suffix>`, checked here and on chain. */
export interface TextSignature {
  actor: Address
  signature: Hex
  /** Such as `claim:<taskId>`. */
  text: SignedText
  /** The tails its message may have, of which one is enough: round-bound, content-bound; the empty one unless given. */
  suffixes?: readonly string[]
  /** A whole message that counts as well. */
  otherMessage?: SignedMessage
  /** Returns the tails of the texts that are bound to the call; absent: the text has no such form. */
  callTails?: (deps: WriteDeps) => Promise<readonly string[]>
  /** It agrees to what the task is now: after a reverted transaction it needs the read identity of its signer too. */
  agreesTo?: { verb: string; taskId: Hex }
}

/** A signature (EIP-712) over typed data, which their contract checks. */
export interface TypedDataSignature {
  actor: Address
  signature: Hex
  typedData: TypedDataDefinition
  /** The data names all that it agrees to. */
  agreesTo?: never
}

/** A body's signature that proved right, with the tail that its message has; none of typed data. */
export interface CheckedSignature {
  actor: Address
  signature: Hex
  suffix: string
}

/**
 * A relayed write as data. The stages that use it exist once, in the pipeline: key, parse, look-up, legal acceptance,
 * preflight, reserve, challenge, verify, role, simulate, bind, relay, receipt, indexed, answer. Nothing else may
 * broadcast, charge or reserve a key.
 *
 * Its functions are properties, so that one which asks for more than `WriteDeps` does not compile.
 */
export interface AnyWrite {
  operation: Operation
  /** OpenAPI operation id, such as `createTask`. */
  operationId: string
  summary: string
  description: string
  /** Path below `/api` with braces, such as `/tasks/{taskId}/cancel`. All writes are POST. */
  path: string
  params: ZodType
  body: ZodType
  response: ZodType
  /** Fields of the body that the service chooses where they are missing; none unless given. */
  choices?: readonly ChoiceName[]
  /** Fields that a request with a bound payment must have besides its choices: the service adds them to other requests. */
  boundFields?: readonly string[]
  /** Normalises what the schemas have admitted, where they change nothing themselves. */
  normalise?: (input: WriteInput) => WriteInput
  /** Fields of the body that are secrets: nothing that is stored of a request lets them be guessed. */
  secrets?: readonly string[]
  /** The request has no body; one that is sent is not read. */
  bodyless?: true
  /** Largest body taken, bytes; 1 MB unless said otherwise. */
  bodyLimitBytes?: number
  /** True for operations that need no legal receipt (cancel, refunds, appeals and the like). */
  legalExempt?: boolean
  /**
   * Everything the rules need, from one snapshot of the read model; null: no such task for any caller. `payer` is the
   * account that the request's payment names, null without one: not proved yet, but rules about it have their facts.
   */
  load: (deps: WriteDeps, input: WriteInput, payer: Address | null) => Promise<unknown>
  /**
   * The relay modes that requests take: what the document promises, and how wrong input is called. None of a call that is
   * submitted as it is.
   */
  modes: readonly EntryMode[]
  /**
   * The relay mode of this request; the only one unless given. A submission is signed until the free allowance is used up,
   * then paid.
   */
  mode?: (subject: unknown, input: WriteInput) => EntryMode
  /** The charge of a paid request, and the part of it that goes into escrow; base units. */
  charge: (subject: unknown, input: WriteInput) => { amount: bigint; escrow: bigint }
  /**
   * Bounds of every charge, base units, and what it is, where a paid write costs something else than the fee of an action.
   * Catalogues show it; `charge` decides.
   */
  price?: { min: bigint; max: bigint; is: string }
  /** Says whether a completed write of this input gives its unit of `writes` back; true unless given. */
  returnsUnit?: (input: WriteInput) => boolean
  /** A request without key, payment and field gets the 402 of the least price: crawlers of paid services probe so. */
  answersProbes?: true
  /** A body that the service has taken once; challenges show it. */
  exampleBody?: unknown
  /**
   * The rule table's answer: null admits. Called without an actor before the payment (input and public state), with
   * the payer or signer after it; the same rule lists the pending action.
   */
  preflight: (subject: unknown, input: WriteInput, context: WriteContext) => Refusal | null
  /**
   * The signature a body carries; null: none. Checked in every mode it comes with; required of a signed call, and of one
   * that is submitted as it is, whose rules have admitted it before.
   */
  signed?: (input: WriteInput, subject: unknown, deps: Pick<WriteDeps, 'deployment'>) => BodySignature | null
  /**
   * The answer to an actor that has already what the write makes; null: the write goes on. Asked once the actor is
   * known: nothing is settled, charged or relayed.
   */
  findDone?: (deps: WriteDeps, actor: Address) => Promise<Record<string, unknown> | null>
  /**
   * The call and its content for this actor (the zero address in an open call). Runs once a request is admitted,
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
   * A last look inside the transaction that binds the write, before anything of it is stored: for counts that
   * concurrent requests must not overrun (take an advisory lock, count again). A refusal rolls back; nothing happened.
   */
  guard?: (tx: Transaction, subject: unknown, input: WriteInput) => Promise<Refusal | null>
  /** Says what a revert of the simulated call means; absent: `The call would revert: ...`. */
  describeRevert?: (revert: Revert) => string
  /** The result, from the receipt's logs and the stored facts alone: also runs after a restart. */
  result: (mined: MinedWrite) => WriteResult
  /** The answer's body when it is more than the stored result (update answers the task). Runs after indexing. */
  respond?: (deps: WriteDeps, result: WriteResult, input: WriteInput, actor: Address) => Promise<unknown>
}

/** Returns the relay mode of a request; null: its call is submitted as it is. */
export function relayModeOf(write: AnyWrite, subject: unknown, input: WriteInput): EntryMode | null {
  return write.mode?.(subject, input) ?? write.modes[0] ?? null
}
