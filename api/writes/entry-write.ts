import type { Address } from 'viem'
import type { ZodType } from 'zod'
import type { EntryMode } from '../../protocol/relay.ts'
import type { ArrivingBytes } from '../artifacts/byte-accounts.ts'
import type { Transaction } from '../db/client.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { WriteResult } from '../intents/write-result.ts'
import type { PaymentAuthorization } from '../payments/authorization.ts'
import type { AnyWrite, PreparedCall, TextSignature, WriteContext } from './relayed-write.ts'
import type { WriteDeps } from './write-deps.ts'

/** The account that makes the call, and its payment. */
export interface CallMaker {
  /** Payer or signer; the zero address on the open mode. */
  actor: Address
  payment: Pick<PaymentAuthorization, 'validBefore'> | null
  /** The count of the body's bytes; of a request's input alone. */
  arriving?: ArrivingBytes
}

/** Rows and files that are stored with a write. */
export interface PreparedContent<Input> extends Pick<PreparedCall, 'content' | 'discard' | 'foreignCode'> {
  /** Values besides the logs from which the result is made; stored with the intent. */
  resultInputs?: Record<string, string>
  /** The input with values that the service computes, such as hashes of files; as it was unless given. */
  input?: Input
}

/**
 * The part of a write that only the service has: schemas, rules, the rows that it reads before and stores with the call. Route,
 * texts, modes, price, gas and call are those of the entry. `Known`: the facts of the entry.
 */
export interface EntryWrite<Body, Input, Known, Subject>
  extends Pick<
    AnyWrite,
    'response' | 'secrets' | 'bodyLimitBytes' | 'answersProbes' | 'findDone' | 'describeRevert' | 'result'
  > {
  /** Refuses and changes nothing: `normalise` of the entry changes. Absent for an entry without a body. */
  body?: ZodType<Body>
  /**
   * Reads everything that rules and facts need, from one snapshot of the read model; null: no such task for any caller.
   * `payer` is the account that the request's payment names, not proved yet.
   */
  load: (deps: WriteDeps, input: Input, payer: Address | null) => Promise<Subject | null>
  /** Takes each fact from what `load` has read. A fact is taken when a price, a text or the call asks for it. */
  facts: { [Name in keyof Known]: (subject: NoInfer<Subject>, input: Input) => Known[Name] }
  /** Chooses the mode of a request; the first one of the entry unless given. */
  mode?: (subject: NoInfer<Subject>, input: Input) => EntryMode
  /** Returns the tails of signed texts that count, where the service admits fewer than the entry; null: those of the entry. */
  suffixes?: (subject: NoInfer<Subject>, input: Input) => readonly string[] | null
  /** Adds the values that the service computes to the input of a call-bound text, such as hashes of files; absent: none. */
  completeInput?: (deps: WriteDeps, input: Input) => Promise<Input>
  /** Returns the refusal of the rules; null admits. Called without an actor before the payment, and with the actor after it. */
  preflight: (subject: NoInfer<Subject>, input: Input, context: WriteContext) => Refusal | null
  /**
   * Returns the signature beside a payment, which is checked and is no part of the call; null: the body has none. The text of a
   * signed mode is the entry's.
   */
  signed?: (subject: NoInfer<Subject>, input: Input) => TextSignature | null
  /** Makes the rows that are stored with the call of an admitted write; must not move money. Absent: none. */
  content?: (
    deps: WriteDeps,
    subject: NoInfer<Subject>,
    input: Input,
    maker: CallMaker,
  ) => Promise<PreparedContent<Input> | Refusal>
  /** Looks once more, inside the transaction that binds the write: for counts that concurrent requests must not exceed. */
  guard?: (tx: Transaction, subject: NoInfer<Subject>, input: Input) => Promise<Refusal | null>
  /** Says whether a completed write of this input gives its unit of `writes` back; true unless given. */
  returnsUnit?: (input: Input) => boolean
  /** The answer's body when it is more than the stored result. Runs after indexing. */
  respond?: (deps: WriteDeps, result: WriteResult, input: Input, actor: Address) => Promise<unknown>
}

/** The service's part of a write whose call is submitted as it is. */
export interface SubmittedEntryWrite<Body, Input, Known, Subject>
  extends Omit<EntryWrite<Body, Input, Known, Subject>, 'mode' | 'suffixes' | 'signed' | 'returnsUnit'> {
  /** Adds the values that a request may lack, such as the registered address; nothing unless given. The rules have admitted. */
  complete?: (subject: NoInfer<Subject>, input: Input) => Input
  /** Base units of the token that the call moves. */
  amount: (subject: NoInfer<Subject>, input: Input) => bigint
}
