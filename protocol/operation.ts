import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { ActionName } from './actions.ts'
import type { TaskTexts } from './documents/task-document.ts'
import type { SignedText } from './signed/signed-text.ts'
import type { TaskVerb } from './signed/task-texts.ts'
import type { UsdcPlace } from './signed/transfer-authorization.ts'

/** The addresses of a deployment that operations use in their calls, in lower case. */
export interface CallDeployment {
  chainId: number
  market: Address
  forwarder: Address
  usdc: Address
  usdcDomain: UsdcPlace['usdcDomain']
  identityRegistry: Address
  identityRegistrar: Address
  /** The hook that pays sponsored tasks from vaults; absent if the deployment has none. */
  sponsoredTasksHook?: Address
}

/**
 * Values of the chain or the service, besides the request, from which a call is made. The list is closed (interface
 * specification, "Bound payments"). An operation lists the names of the facts that it needs, and the types of its
 * functions follow from the list. If a bound payment was signed for a call with other values, the service refuses the
 * write and returns the values of its own call as hints.
 */
export interface Facts {
  /** The whole reward of the task, USDC base units. Example: `5_000_000n`. */
  reward: bigint
  /** The task's requester, whose escrow pays for the task. */
  requester: Address
  /** The market's `taskTermsHash` of the task. */
  termsHash: Hex
  /** The stake that a claim of the task requires, USDC base units; 0n if it requires none. */
  stake: bigint
  /** Number of times that the task was reopened. A signature for an earlier round is invalid. */
  claimRound: number
  /** The current texts of the task, from which an update builds the new document. */
  texts: TaskTexts
  /** The deliverables that an acceptance pays, in the order of the winners in the request. */
  deliverables: readonly Hex[]
  /** ERC-8004 agent id of the requester who rates; null if the requester has none. */
  raterAgentId: bigint | null
  /** ERC-8004 agent id of the rated worker; null if the worker has none. */
  workerAgentId: bigint | null
  /** Prefix of the URI of a feedback file; the rating's id follows. Example: `https://market.example/api/feedback/`. */
  feedbackBase: string
  /** The address of the vault that pays a claim, and the vault's epoch. */
  vault: { address: Address; epoch: bigint }
  /** The address of the bonus programme, which holds the reward tokens of accounts. */
  programme: Address
}

/** The name of a value in `Facts`. */
export type FactName = keyof Facts

/**
 * Values that the sender of a request may choose itself, so that sender and service compute the same call. If a request
 * does not have one, the service chooses it before `normalise`.
 */
export interface Choices {
  /**
   * Salt of a document: 32 random bytes in hex, not all zero. It prevents guessing the document's texts and files from
   * its hash.
   */
  documentSalt: string
  /** The time that a document contains: ISO 8601 with milliseconds and `Z`. Example: `2026-11-27T12:00:00.000Z`. */
  createdAt: string
}

/** The name of a value in `Choices`. */
export type ChoiceName = keyof Choices

/** The values besides the normalised request from which a call is made. */
export interface CallContext<Fact extends FactName> {
  facts: Pick<Facts, Fact>
  deployment: CallDeployment
  /** The payer or the signer, lower-case hex; the zero address in the mode `open`. */
  actor: Address
}

/**
 * The price of a write in USDC base units: `fee` is the service's fee, `escrow` is the part that the contract receives.
 */
export interface Charge {
  fee: bigint
  escrow: bigint
}

/**
 * A price of an operation: the function that computes it, and the bounds and the name that the catalogue of operations
 * shows. `Known` is the type of the facts that the function needs.
 */
export interface Price<Input, Known> {
  of: (input: Input, facts: Known) => Charge
  /** Minimum sum of fee and escrow, USDC base units. */
  least: bigint
  /** Maximum sum of fee and escrow, USDC base units. */
  most: bigint
  /** Name of the price, as a noun phrase. Example: `the fee of an action`. */
  is: string
}

/**
 * An asset that a write disposes of besides its price, with the amount in base units. Example: the reward that an
 * acceptance pays out of escrow.
 */
export type Decision =
  | { asset: 'usdc'; amount: bigint }
  | { asset: 'rewardToken'; amount: 'all' }
  | { asset: 'vaultToken'; vaultId: Hex; amount: bigint }

/**
 * The form of the text (EIP-191) whose signature proves the signer of a request: `<service>:<verb>:<taskId><suffix>`.
 * `suffixes` lists the accepted suffixes; a signature of one of the resulting texts is sufficient.
 * Example: `service:claim:0x9f..:2`.
 */
export interface SignedForm<Input, Known> {
  verb: Exclude<TaskVerb, 'select-worker'>
  /**
   * The rule by which the forwarder checks the suffix. `round`: the suffix must be the task's claim round. `content`:
   * the suffix may be any text about the content.
   */
  suffixRule: 'round' | 'content'
  taskId: (input: Input) => Hex
  signer: (input: Input) => Address
  signature: (input: Input) => Hex
  suffixes: (input: Input, facts: Known) => readonly [string, ...string[]]
}

/**
 * A message by which an owner of assets authorizes a call. It is either a text (EIP-191), which is signed with the
 * prefix `<service>:`, or typed data (EIP-712) in the domain of the called contract.
 */
export type OwnerMessage = { text: SignedText } | { typedData: TypedDataDefinition }

/**
 * The signature by which an owner authorizes a call. Any account may submit this call, but only once. The signature is
 * part of the call data, and the called contract checks it.
 */
export interface OwnerSignedForm<Input, Context> {
  signer: (input: Input) => Address
  signature: (input: Input) => Hex
  message: (input: Input, context: Context) => OwnerMessage
  /**
   * Returns an id that is unique for a signer and a contract: the nonce, or the signed hash if the contract counts
   * nonces.
   */
  id: (input: Input, context: Context) => Hex
  /** Returns the time from which the call can no longer be submitted, Unix seconds. */
  validBefore: (input: Input) => bigint
}

/**
 * The part that all kinds of operations have. `Request` is the type of the request: path parameters and body fields in
 * one object, as in JSON. `Input` is the type of the normalised request: the same fields with defaults, in base units,
 * seconds and lower case. `Input` must have no other fields, because the stored fingerprint of a request is computed
 * from it.
 */
export interface Entry<Name extends string, Request, Input, Fact extends FactName> {
  /** Name of the operation in intents and error bodies. Example: `tasks.accept`. */
  name: Name
  /** OpenAPI operation id. Example: `acceptSubmission`. */
  operationId: string
  /** Path of the POST route below `/api`. Example: `/tasks/{taskId}/accept`. */
  path: `/${string}`
  /** The pending action that the write performs; absent if the write performs none. */
  action?: ActionName
  /**
   * Field of the request that names the acting account. The client sets this field and `signature` from the wallet.
   * Absent if no field of the request names the account.
   */
  actorField?: keyof NoInfer<Request> & string
  /** True if the request has no body; absent otherwise. */
  bodyless?: true
  /** True if the caller may send the write without having accepted the current policies; absent otherwise. */
  legalExempt?: true
  /**
   * Names of the facts from which the price, the decisions, the signed texts or the call are computed; `[]` if there
   * are none.
   */
  facts: readonly Fact[]
  /** Fields of the request that the service sets if the sender does not; none unless given. */
  choices?: readonly (ChoiceName & keyof NoInfer<Request>)[]
  /**
   * Fields that a request with a bound payment must have, because the payment commits to the exact call. The service
   * sets them in any other request that lacks them.
   */
  boundFields?: readonly (keyof NoInfer<Request> & string)[]
  /**
   * Sets defaults and converts units, case and order. The request must already have passed validation by its schema.
   */
  normalise: (request: Request) => Input
  price: Price<NoInfer<Input>, Pick<Facts, NoInfer<Fact>>>
  /** Returns the assets that the write disposes of. `wallet` is the account that decides, in lower-case hex. */
  decides: (
    input: NoInfer<Input>,
    facts: Pick<Facts, NoInfer<Fact>>,
    decider: { wallet: Address },
  ) => readonly Decision[]
}

/** The fields of an operation of any kind from which the types below are derived. */
export interface AnyEntry {
  name: string
  facts: readonly FactName[]
  choices?: readonly ChoiceName[]
  normalise: (request: never) => unknown
}
/** The type of an operation's request: path parameters and body fields in one object, as in JSON. */
export type RequestOf<E extends AnyEntry> = Parameters<E['normalise']>[0]
/** The type of an operation's normalised request. */
export type InputOf<E extends AnyEntry> = ReturnType<E['normalise']>
/** The names of the facts that an operation needs; `never` if it needs none. */
export type FactNamesOf<E extends AnyEntry> = E['facts'][number]
/** The values of the facts that an operation needs. */
export type FactsOf<E extends AnyEntry> = Pick<Facts, FactNamesOf<E>>
