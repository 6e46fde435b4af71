import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { ActionName } from './actions.ts'
import type { TaskTexts } from './documents/task-document.ts'
import type { SignedText } from './signed/signed-text.ts'
import type { TaskVerb } from './signed/task-texts.ts'
import type { UsdcPlace } from './signed/transfer-authorization.ts'

/** The contracts of a deployment that calls of operations name. Addresses in lower case. */
export interface CallDeployment {
  chainId: number
  market: Address
  forwarder: Address
  usdc: Address
  usdcDomain: UsdcPlace['usdcDomain']
  identityRegistry: Address
  identityRegistrar: Address
  /** Hook of sponsored vaults; absent: the deployment has none. */
  sponsoredTasksHook?: Address
}

/**
 * State of the chain or of the service from which a call is made besides its request. The list is closed (Interface, "Bound
 * payments"): the service admits a write on these values, and a refusal names those that have changed. An entry lists the names
 * of its facts, and the types of its functions follow from the list.
 */
export interface Facts {
  /** The whole reward of the task, base units. Example: `5_000_000n`. */
  reward: bigint
  /** The account that pays for the task out of escrow. */
  requester: Address
  /** The hash of the task's terms, as the market computes it. */
  termsHash: Hex
  /** The stake of a claim of the task, base units; 0n: none. */
  stake: bigint
  /** Number of times that the task was reopened: a signature of an earlier round does not count. */
  claimRound: number
  /** The present texts of the task, from which an update makes its document. */
  texts: TaskTexts
  /** The paid deliverables, in the order of the request's winners. */
  deliverables: readonly Hex[]
  /** ERC-8004 ids; null: the account has none. */
  raterAgentId: bigint | null
  workerAgentId: bigint | null
  /** First part of the URI of a feedback file. Example: `https://market.example/api/feedback/`. */
  feedbackBase: string
  /** The vault that pays a claim, and its epoch. */
  vault: { address: Address; epoch: bigint }
  /** The contract of the token bonus, which sends the reward tokens of an account. */
  programme: Address
}

/** The name of a fact. */
export type FactName = keyof Facts

/**
 * Values that the sender of a request may choose, so that both sides compute the same call. The service chooses them for a
 * request without them, before `normalise`.
 */
export interface Choices {
  /** Keeps texts and files from being guessed by the hash of their document: 32 bytes, not zero, random. */
  documentSalt: string
  /** The time that a document states: ISO 8601 with milliseconds and `Z`. Example: `2026-11-27T12:00:00.000Z`. */
  createdAt: string
}

/** The name of a choice. */
export type ChoiceName = keyof Choices

/** The values from which a call is made, besides its input. */
export interface CallContext<Fact extends FactName> {
  facts: Pick<Facts, Fact>
  deployment: CallDeployment
  /** Payer or signer, lower case; the zero address on the open mode. */
  actor: Address
}

/** The charge of a write, base units: `fee` stays with the service, `escrow` goes to the contract. */
export interface Charge {
  fee: bigint
  escrow: bigint
}

/** A price: its function, and the bounds and the name that a catalogue shows. `Known`: the facts that it needs. */
export interface Price<Input, Known> {
  of: (input: Input, facts: Known) => Charge
  /** Bounds of fee and escrow together, base units. */
  least: bigint
  most: bigint
  /** Name of the price, a noun phrase. Example: `the fee of an action`. */
  is: string
}

/** An asset that a write disposes of besides its price, such as the reward that an acceptance pays out of escrow. */
export type Decision =
  | { asset: 'usdc'; amount: bigint }
  | { asset: 'rewardToken'; amount: 'all' }
  | { asset: 'vaultToken'; vaultId: Hex; amount: bigint }

/**
 * The texts (EIP-191) that prove the signer of a request: `<service>:<verb>:<taskId><suffix>`, of which one is enough.
 * Example: `service:claim:0x9f..:2`.
 */
export interface SignedForm<Input, Known> {
  verb: Exclude<TaskVerb, 'select-worker'>
  /** The forwarder's rule: `round` is the task's round, `content` any text about the content. */
  suffixRule: 'round' | 'content'
  taskId: (input: Input) => Hex
  signer: (input: Input) => Address
  signature: (input: Input) => Hex
  suffixes: (input: Input, facts: Known) => readonly [string, ...string[]]
}

/** A message that the owner of assets signs: a text (EIP-191) behind `<service>:`, or typed data (EIP-712) of a contract. */
export type OwnerMessage = { text: SignedText } | { typedData: TypedDataDefinition }

/** The signature with which any account may submit a call, once. The called contract checks it; it is part of the data. */
export interface OwnerSignedForm<Input, Context> {
  signer: (input: Input) => Address
  signature: (input: Input) => Hex
  message: (input: Input, context: Context) => OwnerMessage
  /** Id that is unique for a signer and contract: a nonce, or the signed hash where nonces are counted. */
  id: (input: Input, context: Context) => Hex
  /** Time from which no account can submit the call, Unix seconds. */
  validBefore: (input: Input) => bigint
}

/**
 * The part of an entry that every kind has. `Request`: path and body in one object, as JSON has it. `Input`: the same fields with
 * defaults, in base units, seconds and lower case; it has no other fields, because stored fingerprints are made of it.
 */
export interface Entry<Name extends string, Request, Input, Fact extends FactName> {
  /** Name in intents and error bodies. Example: `tasks.accept`. */
  name: Name
  /** OpenAPI operation id. Example: `acceptSubmission`. */
  operationId: string
  /** Path below `/api`, of a POST. Example: `/tasks/{taskId}/accept`. */
  path: `/${string}`
  /** The pending action that the write takes; absent: no task offers it. */
  action?: ActionName
  /**
   * Field of the request that names the acting account: its wallet fills it in, together with `signature`. Absent: the request
   * names none.
   */
  actorField?: keyof NoInfer<Request> & string
  /** Set when the request has no body. */
  bodyless?: true
  /** Set when the write needs no legal receipt. */
  legalExempt?: true
  /** Names of the facts that the price, the decisions, the signed texts or the call are computed from; `[]`: none. */
  facts: readonly Fact[]
  /** Fields of the request that the service chooses where they are missing; none unless given. */
  choices?: readonly (ChoiceName & keyof NoInfer<Request>)[]
  /** Fields without which a bound payment cannot name the call: the service adds them to other requests. */
  boundFields?: readonly (keyof NoInfer<Request> & string)[]
  /** Sets defaults, units, case and order. The request has passed the schema of its component. */
  normalise: (request: Request) => Input
  price: Price<NoInfer<Input>, Pick<Facts, NoInfer<Fact>>>
  /** Returns the assets of which the write disposes. `wallet`: the deciding account, lower case. */
  decides: (
    input: NoInfer<Input>,
    facts: Pick<Facts, NoInfer<Fact>>,
    decider: { wallet: Address },
  ) => readonly Decision[]
}

/** An entry of any kind, reduced to the fields whose types are read. */
export interface AnyEntry {
  name: string
  facts: readonly FactName[]
  choices?: readonly ChoiceName[]
  normalise: (request: never) => unknown
}
/** The request of an entry: path and body in one object, as JSON has it. */
export type RequestOf<E extends AnyEntry> = Parameters<E['normalise']>[0]
/** The normalised request of an entry. */
export type InputOf<E extends AnyEntry> = ReturnType<E['normalise']>
/** The names of the facts of an entry; `never`: none. */
export type FactNamesOf<E extends AnyEntry> = E['facts'][number]
/** The facts of an entry. */
export type FactsOf<E extends AnyEntry> = Pick<Facts, FactNamesOf<E>>
