import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { ActionName } from './actions.ts'
import type { TaskTexts } from './documents/task-document.ts'
import type { SignedText } from './signed/signed-text.ts'
import type { TaskVerb } from './signed/task-texts.ts'
import type { UsdcPlace } from './signed/transfer-authorization.ts'

/** The chain id and the addresses of a deployment, for the calls of operations. Addresses are lower-case hex. */
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
 * The facts from which a contract call is built, together with the request. The service reads the facts from the chain
 * or from its own data (interface specification, "Bound payments"). Each operation lists the names of the facts that
 * the operation needs. If a payer signed a bound payment with facts that differ from the current facts, the service
 * refuses the write and answers with the current facts.
 */
export interface Facts {
  /** The current reward of the task before fees, USDC base units. Example: `5_000_000n`. */
  reward: bigint
  /** The task's requester, whose escrow pays for the task. */
  requester: Address
  /** The hash of the task's terms, as the market's function `taskTermsHash` returns it. */
  termsHash: Hex
  /** The stake that a claim of the task requires, USDC base units; 0n if no stake is required. */
  stake: bigint
  /**
   * Number of times that the task was reopened after a forfeited claim. Messages that were signed for an earlier number
   * are invalid.
   */
  claimRound: number
  /** The current texts of the task. The document of an update consists of these texts and the changed texts. */
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
 * Values that the sender of a request may choose. The service chooses each absent value before `normalise`. The sender
 * and the service then build the same contract call from the request.
 */
export interface Choices {
  /**
   * Salt of a document: 32 random bytes in hex, not all zero. The salt prevents guessing the document's texts and files
   * from the document's hash.
   */
  documentSalt: string
  /**
   * The creation time that a document states, such as the feedback file of a rating. The time is in ISO 8601 with
   * milliseconds and `Z`. Example: `2026-11-27T12:00:00.000Z`.
   */
  createdAt: string
}

/** The name of a value in `Choices`. */
export type ChoiceName = keyof Choices

/**
 * The data that a call is built from in addition to the normalised request: the facts, the deployment and the actor.
 */
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
 * The price of an operation. The function `of` computes the price of one call, `least` and `most` limit it, and `is`
 * describes it in the catalogue of operations. `Known`: the type of the facts that `of` needs.
 */
export interface Price<Input, Known> {
  of: (input: Input, facts: Known) => Charge
  /** The lowest amount that the price can have (fee plus escrow), USDC base units. */
  least: bigint
  /** The highest amount that the price can have (fee plus escrow), USDC base units. */
  most: bigint
  /** A description of the price for the catalogue of operations, as a noun phrase. Example: `the fee of an action`. */
  is: string
}

/**
 * Money whose recipient an operation decides: an asset and an amount in base units. Example: an acceptance decides who
 * receives the reward from escrow. The operation's own price is not part of `amount`.
 */
export type Decision =
  | { asset: 'usdc'; amount: bigint }
  | { asset: 'rewardToken'; amount: 'all' }
  | { asset: 'vaultToken'; vaultId: Hex; amount: bigint }

/**
 * The form of the message (EIP-191) that the signer of a request signs: `<service>:<verb>:<taskId><suffix>`.
 * `suffixes`: the accepted suffixes, of which the signer uses one.
 * Example: `service:claim:0x9f..:2`.
 */
export interface SignedForm<Input, Known> {
  verb: Exclude<TaskVerb, 'select-worker'>
  /**
   * The forwarder's rule for the suffix. `round`: the suffix must be the task's claim round. `content`: the suffix may
   * be any text, such as the keys of the submitted files.
   */
  suffixRule: 'round' | 'content'
  taskId: (input: Input) => Hex
  signer: (input: Input) => Address
  signature: (input: Input) => Hex
  suffixes: (input: Input, facts: Known) => readonly [string, ...string[]]
}

/**
 * A message by which an owner of assets authorizes a call. `text`: a message (EIP-191) without the prefix `<service>:`.
 * `typedData`: typed data (EIP-712) in the domain of the called contract.
 */
export type OwnerMessage = { text: SignedText } | { typedData: TypedDataDefinition }

/**
 * The signature by which an owner of assets authorizes one call. The call data contains the signature, and the called
 * contract checks it. Any account may therefore submit the call, but only the first submission succeeds.
 */
export interface OwnerSignedForm<Input, Context> {
  signer: (input: Input) => Address
  signature: (input: Input) => Hex
  message: (input: Input, context: Context) => OwnerMessage
  /**
   * Returns an id of the signature, which is unique among the signatures of one signer for one contract. If the signed
   * message contains an arbitrary nonce, the id is the nonce. If the contract counts the nonces (0, 1, 2, ...), the id
   * is the hash of the signed message.
   */
  id: (input: Input, context: Context) => Hex
  /** Returns the time from which the contract refuses the call, Unix seconds. */
  validBefore: (input: Input) => bigint
}

/**
 * The properties that all kinds of operations have. `Request`: path parameters and body fields in one object, as in
 * JSON. `Input`: the fields of `Request` after normalisation, with defaults, in base units, seconds and lower case.
 */
// `Input` must not have further fields, because the stored fingerprint of a request is computed from it.
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
   * Field of the request that names the acting account; absent if the request has no such field. The client fills this
   * field and `signature` from the wallet.
   */
  actorField?: keyof NoInfer<Request> & string
  /** True if the request has no body; absent otherwise. */
  bodyless?: true
  /** True if a caller may send the write before accepting the current policies; absent otherwise. */
  legalExempt?: true
  /** Names of the facts that the operation's functions need; `[]` for an operation without facts. */
  facts: readonly Fact[]
  /**
   * Names of the request's fields that the service sets if the sender leaves the fields out. If `choices` is absent,
   * the list of names is empty.
   */
  choices?: readonly (ChoiceName & keyof NoInfer<Request>)[]
  /**
   * Fields that a request with a bound payment must contain. In a request without a bound payment, the service sets
   * each of these fields that is absent.
   */
  // A bound payment commits to the exact call, so the service can no longer choose these fields.
  boundFields?: readonly (keyof NoInfer<Request> & string)[]
  /**
   * Sets defaults and converts units, case and order. The request must already have passed validation by its schema.
   */
  normalise: (request: Request) => Input
  price: Price<NoInfer<Input>, Pick<Facts, NoInfer<Fact>>>
  /**
   * Returns the assets whose recipient this write decides. Example: an acceptance decides who receives the reward.
   * `wallet`, in lower-case hex, is the account that makes the write.
   */
  decides: (
    input: NoInfer<Input>,
    facts: Pick<Facts, NoInfer<Fact>>,
    decider: { wallet: Address },
  ) => readonly Decision[]
}

/**
 * The common fields of all operations. The types `RequestOf`, `InputOf` and `FactsOf` accept every object with these
 * fields.
 */
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
/** The names of the facts that an operation needs; `never` for an operation without facts. */
export type FactNamesOf<E extends AnyEntry> = E['facts'][number]
/** The part of `Facts` that an operation needs. */
export type FactsOf<E extends AnyEntry> = Pick<Facts, FactNamesOf<E>>
