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
  /** The payer or signer; the zero address in the open mode. */
  actor: Address
  payment: Pick<PaymentAuthorization, 'validBefore'> | null
  /** The count of the body's bytes; present in a request's input only. */
  arriving?: ArrivingBytes
}

/** The rows and files that are stored with a write. */
export interface PreparedContent<Input> extends Pick<PreparedCall, 'content' | 'discard' | 'foreignCode'> {
  /** The inputs of the result besides the logs, stored with the intent. */
  resultInputs?: Record<string, string>
  /** The input with values that the service computes, such as hashes of files; absent: unchanged. */
  input?: Input
}

/**
 * The service's part of a write: schemas, rules, the rows that it reads before and stores with the call. Route, texts,
 * modes, price, gas and call belong to the protocol entry. `Known`: the facts of the entry.
 */
export interface EntryWrite<Body, Input, Known, Subject>
  extends Pick<
    AnyWrite,
    'response' | 'secrets' | 'bodyLimitBytes' | 'answersProbes' | 'findDone' | 'describeRevert' | 'result'
  > {
  /**
   * A schema that refuses and changes nothing; `normalise` of the entry changes values. Absent for an entry without a
   * body.
   */
  body?: ZodType<Body>
  /**
   * Reads the facts of the rules from one snapshot of the read model; null: no such task for any caller. `payer`: the
   * account in the request's payment, not proven yet.
   */
  load: (deps: WriteDeps, input: Input, payer: Address | null) => Promise<Subject | null>
  /** Returns each fact from the result of `load`, when a price, a text or the call needs it. */
  facts: { [Name in keyof Known]: (subject: NoInfer<Subject>, input: Input) => Known[Name] }
  /** Chooses the mode of a request; by default the first one of the entry. */
  mode?: (subject: NoInfer<Subject>, input: Input) => EntryMode
  /**
   * Returns the admitted tails of signed texts, where the service admits fewer than the entry; null: those of the
   * entry.
   */
  suffixes?: (subject: NoInfer<Subject>, input: Input) => readonly string[] | null
  /** Adds values that the service computes to the input of a call-bound text, such as hashes of files; absent: none. */
  completeInput?: (deps: WriteDeps, input: Input) => Promise<Input>
  /**
   * Returns the refusal of the rules, or null. Called without an actor before the payment, and with the actor after it.
   */
  preflight: (subject: NoInfer<Subject>, input: Input, context: WriteContext) => Refusal | null
  /**
   * Returns the signature besides a payment, which is checked and no part of the call; null: the body has none. The
   * text of a signed mode is the entry's.
   */
  signed?: (subject: NoInfer<Subject>, input: Input) => TextSignature | null
  /** Builds the rows that are stored with the call of an admitted write; must not move money. Absent: none. */
  content?: (
    deps: WriteDeps,
    subject: NoInfer<Subject>,
    input: Input,
    maker: CallMaker,
  ) => Promise<PreparedContent<Input> | Refusal>
  /** Checks again inside the transaction that binds the write, for counts that concurrent requests must not exceed. */
  guard?: (tx: Transaction, subject: NoInfer<Subject>, input: Input) => Promise<Refusal | null>
  /** Returns true if a completed write of this input refunds its unit of `writes`; absent: true. */
  returnsUnit?: (input: Input) => boolean
  /** Builds the answer's body when it is more than the stored result. Runs after indexing. */
  respond?: (deps: WriteDeps, result: WriteResult, input: Input, actor: Address) => Promise<unknown>
}

/** The service's part of a write whose call is submitted as signed. */
export interface SubmittedEntryWrite<Body, Input, Known, Subject>
  extends Omit<EntryWrite<Body, Input, Known, Subject>, 'mode' | 'suffixes' | 'signed' | 'returnsUnit'> {
  /** Adds values that a request may lack, such as the registered address; absent: none. The rules have admitted. */
  complete?: (subject: NoInfer<Subject>, input: Input) => Input
  /** Returns the base units of the token that the call moves. */
  amount: (subject: NoInfer<Subject>, input: Input) => bigint
}
