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
   * The counter that charges the body's bytes to a quota while they arrive. Absent if the input is not from an HTTP
   * request.
   */
  arriving?: ArrivingBytes
}

/** The rows and files that are stored with a write. The function `content` prepares them. */
export interface PreparedContent<Input> extends Pick<PreparedCall, 'content' | 'discard' | 'foreignCode'> {
  /**
   * Values from which the write's result is built, in addition to the logs of the transaction. The values are stored
   * with the intent.
   */
  resultInputs?: Record<string, string>
  /** The input with added values that the service computed, such as hashes of files. Absent if no value was added. */
  input?: Input
}

/**
 * The service's part of a write: schemas, rules, the rows that are read before the call, and the rows that are stored
 * with the call. The entry (the protocol's part of the write) defines the route, price, gas and call. `Known` is the
 * type of the facts from which the entry builds the call.
 */
export interface EntryWrite<Body, Input, Known, Subject>
  extends Pick<
    AnyWrite,
    'response' | 'secrets' | 'bodyLimitBytes' | 'answersProbes' | 'findDone' | 'describeRevert' | 'result'
  > {
  /**
   * The schema of the body. The schema only checks the body and does not change any value. Absent if the request has no
   * body.
   */
  body?: ZodType<Body>
  /**
   * Reads the facts for the rules from one snapshot of the read model. Returns null if the task does not exist. `payer`
   * is the account in the request's payment. The payment is not verified yet. If the request has no payment, `payer` is
   * null.
   */
  load: (deps: WriteDeps, input: Input, payer: Address | null) => Promise<Subject | null>
  /**
   * The functions that compute the facts from which the entry builds the call, one function for each fact. The argument
   * `subject` of each function is the result of `load`.
   */
  facts: { [Name in keyof Known]: (subject: NoInfer<Subject>, input: Input) => Known[Name] }
  /** Chooses the relay mode of a request. If absent, the first mode of the entry is used. */
  mode?: (subject: NoInfer<Subject>, input: Input) => EntryMode
  /**
   * Returns the suffixes with which the signed text may end, such as the hash of the submitted keys. Returns null to
   * allow every suffix that the entry defines for its signed text.
   */
  suffixes?: (subject: NoInfer<Subject>, input: Input) => readonly string[] | null
  /** Adds computed values, such as hashes of files, to the input. Absent if the service computes no values. */
  completeInput?: (deps: WriteDeps, input: Input) => Promise<Input>
  /**
   * Returns the refusal of the rules, or null if the rules admit the request. The function is called more than once.
   * The actor in `context` is null until the payer or signer is known.
   */
  preflight: (subject: NoInfer<Subject>, input: Input, context: WriteContext) => Refusal | null
  /**
   * Returns an additional signature in the body. The service checks this signature, but the call does not contain it.
   * Null if the body has no such signature.
   */
  signed?: (subject: NoInfer<Subject>, input: Input) => TextSignature | null
  /**
   * Builds the rows that are stored with the call of an admitted write. The function must not move money. Absent if the
   * write stores no rows.
   */
  content?: (
    deps: WriteDeps,
    subject: NoInfer<Subject>,
    input: Input,
    maker: CallMaker,
  ) => Promise<PreparedContent<Input> | Refusal>
  /**
   * Checks the rules again inside the database transaction that binds the write. Some rules count rows, such as the
   * bids of a task, and concurrent requests may have added such rows. Null means that the write is allowed.
   */
  guard?: (tx: Transaction, subject: NoInfer<Subject>, input: Input) => Promise<Refusal | null>
  /**
   * Returns true if a completed write with this input gets its unit of the rate limit `writes` back. If this function
   * is absent, the input does not matter, and the write gets its unit back. Two kinds of writes lose their unit in any
   * case: free writes, and writes that used unusually much gas.
   */
  returnsUnit?: (input: Input) => boolean
  /** Builds the response body after the write is indexed. If absent, the response body is the stored result. */
  respond?: (deps: WriteDeps, result: WriteResult, input: Input, actor: Address) => Promise<unknown>
}

/**
 * The service's part of a write whose call contains the signature of the owner of the assets. The relayer submits the
 * call directly to the contract, without the forwarder.
 */
export interface SubmittedEntryWrite<Body, Input, Known, Subject>
  extends Omit<EntryWrite<Body, Input, Known, Subject>, 'mode' | 'suffixes' | 'signed' | 'returnsUnit'> {
  /**
   * Adds the values that the request has omitted, such as the registered address. Absent if the request must contain
   * all values. The function runs after the rules admitted the request.
   */
  complete?: (subject: NoInfer<Subject>, input: Input) => Input
  /** Returns the amount that the call moves, in base units of the token. */
  amount: (subject: NoInfer<Subject>, input: Input) => bigint
}
