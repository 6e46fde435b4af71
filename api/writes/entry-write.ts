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

/** The account that makes the call, and the account's payment. */
export interface CallMaker {
  /** The payer or signer. In the mode `open` it is the zero address. */
  actor: Address
  payment: Pick<PaymentAuthorization, 'validBefore'> | null
  /**
   * The counter that charges the body's bytes to a quota as they arrive. Present only in the input of an HTTP request.
   */
  arriving?: ArrivingBytes
}

/** The rows and files that are stored with a write, as `content` prepares them. */
export interface PreparedContent<Input> extends Pick<PreparedCall, 'content' | 'discard' | 'foreignCode'> {
  /** Values from which the write's result is built, in addition to the logs. They are stored with the intent. */
  resultInputs?: Record<string, string>
  /**
   * The input, completed with values that the service computes, such as hashes of files. Absent if the input is
   * unchanged.
   */
  input?: Input
}

/**
 * The service's part of a write: the schemas, the rules, the rows that are read before the call, and the rows that are
 * stored with it. The operation's entry in the protocol defines the route, signed texts, modes, price, gas and call.
 * `Known` is the type of the entry's facts.
 */
export interface EntryWrite<Body, Input, Known, Subject>
  extends Pick<
    AnyWrite,
    'response' | 'secrets' | 'bodyLimitBytes' | 'answersProbes' | 'findDone' | 'describeRevert' | 'result'
  > {
  /**
   * A schema that validates the body but changes no value; the entry's `normalise` changes values. Absent if the
   * request has no body.
   */
  body?: ZodType<Body>
  /**
   * Reads from one snapshot of the read model the facts that the rules need. Returns null if the task does not exist.
   * `payer` is the account in the request's payment, which is not verified yet.
   */
  load: (deps: WriteDeps, input: Input, payer: Address | null) => Promise<Subject | null>
  /**
   * One function per fact of the entry. Each returns the fact from the result of `load`, and is called when a price, a
   * signed text or the call needs the fact.
   */
  facts: { [Name in keyof Known]: (subject: NoInfer<Subject>, input: Input) => Known[Name] }
  /** Chooses the relay mode of a request. If absent, the first mode of the entry is used. */
  mode?: (subject: NoInfer<Subject>, input: Input) => EntryMode
  /**
   * Returns the suffixes that a signed text may have, if the service admits fewer than the entry. Null means all
   * suffixes of the entry.
   */
  suffixes?: (subject: NoInfer<Subject>, input: Input) => readonly string[] | null
  /**
   * Adds computed values, such as hashes of files, to the input, so that a signed text can be bound to the exact call.
   * Absent if there are no such values.
   */
  completeInput?: (deps: WriteDeps, input: Input) => Promise<Input>
  /**
   * Returns the refusal of the rules, or null. This function is called without an actor before the payment, and with
   * the actor after the payment.
   */
  preflight: (subject: NoInfer<Subject>, input: Input, context: WriteContext) => Refusal | null
  /**
   * Returns a signature in the body that is checked in addition to a payment and is not part of the call. Null if the
   * body has none. For the mode `signed`, the entry defines the signed text.
   */
  signed?: (subject: NoInfer<Subject>, input: Input) => TextSignature | null
  /**
   * Builds the rows that are stored with the call of an admitted write. This function must not move money. Absent if
   * there are no rows.
   */
  content?: (
    deps: WriteDeps,
    subject: NoInfer<Subject>,
    input: Input,
    maker: CallMaker,
  ) => Promise<PreparedContent<Input> | Refusal>
  /**
   * Checks the rules again inside the transaction that binds the write, for counts that concurrent requests must not
   * exceed.
   */
  guard?: (tx: Transaction, subject: NoInfer<Subject>, input: Input) => Promise<Refusal | null>
  /**
   * Returns true if a completed write with this input gets its unit of the rate limit `writes` back. If absent, every
   * completed write gets it back.
   */
  returnsUnit?: (input: Input) => boolean
  /** Builds the response body if it contains more than the stored result. It runs after the write is indexed. */
  respond?: (deps: WriteDeps, result: WriteResult, input: Input, actor: Address) => Promise<unknown>
}

/** The service's part of a write whose call is submitted as its owner signed it. */
export interface SubmittedEntryWrite<Body, Input, Known, Subject>
  extends Omit<EntryWrite<Body, Input, Known, Subject>, 'mode' | 'suffixes' | 'signed' | 'returnsUnit'> {
  /**
   * Adds values that the request may omit, such as the registered address. It runs after the rules admitted the
   * request. Absent if there are no such values.
   */
  complete?: (subject: NoInfer<Subject>, input: Input) => Input
  /** Returns the amount that the call moves, in base units of the token. */
  amount: (subject: NoInfer<Subject>, input: Input) => bigint
}
