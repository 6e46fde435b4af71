import type { Address } from 'viem'
import type {
  CallContext,
  ChoiceName,
  Decision,
  FactName,
  Facts,
  OwnerSignedForm,
  Price,
  SignedForm,
} from '../../../protocol/operation.ts'
import type { CallKind, ContractCall, EntryMode } from '../../../protocol/relay.ts'
import type { Account } from '../account/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Shape } from '../http/shape.ts'
import type { Refusal } from './outcome.ts'

/** The fields of a request or of its normalised input: the path parameters and the body fields in one object. */
export type Fields = Record<string, unknown>

/**
 * An operation in the protocol's table of operations. `normalise` takes the fields of a request. All other functions
 * take the result of `normalise`.
 */
export interface Operation {
  name: string
  operationId: string
  path: string
  kind: CallKind
  /**
   * The modes in which the forwarder accepts the call: `paid` by the actor, `signed` by the actor, or `open` to any
   * caller. Absent if the relayer calls the contract without the forwarder.
   */
  modes?: readonly EntryMode[]
  bodyless?: true
  actorField?: string
  signed?: SignedForm<Fields, Partial<Facts>>
  ownerSigned?: OwnerSignedForm<Fields, CallContext<FactName>>
  facts: readonly FactName[]
  choices?: readonly ChoiceName[]
  normalise(request: Fields): Fields
  price: Price<Fields, Partial<Facts>>
  decides(input: Fields, facts: Partial<Facts>, decider: { wallet: Address }): readonly Decision[]
  call(input: Fields, context: CallContext<FactName>): ContractCall
}

/** The facts of a task that determine a write's price, signature and amounts. */
export type StandingFacts = Pick<Facts, 'reward' | 'requester' | 'stake' | 'claimRound'>

/** The facts of a task that the client needs to make a write on the task. */
export interface TaskFacts {
  /** The current facts, from the chain if there is a node, else from the service. */
  present: StandingFacts
  /** The highest reward in base units of USDC that the service, the chain or this wallet's records name. */
  mostReward: bigint
  /**
   * The texts that the service offers for signing, by action. The client compares such a text with its own text, and
   * signs only its own text.
   */
  offered: Record<string, string | null>
}

/**
 * The values from which the client builds the request of a withdrawal, or of a change of the wallet's bound-only
 * setting.
 */
export interface BuildContext {
  account: Account
  deployment: Deployment
  key: string
  /**
   * The time at which the lifetime of a new signature starts, in Unix seconds. Without a node, the time is an estimate.
   */
  now: number
  /** The expiry of the write's earlier authorization, in Unix seconds; null if there is none. */
  validBefore: number | null
  /** The receiver of withdrawals in the wallet's configuration; null if none is configured. */
  withdrawalAddress: string | null
  /**
   * Reads an answer of the given form from the service.
   * @throws Refused when there is no such answer
   */
  read(path: string, query: Record<string, string>, shape: Shape): Promise<Record<string, unknown>>
}

/**
 * The unsigned request of a write that the client itself builds: a withdrawal, or a change of the wallet's bound-only
 * setting.
 */
export interface BuiltRequest {
  request: Fields
  /** The expiry of the authorization in the request, in Unix seconds. */
  validBefore: number
  /** The facts that the signed message contains. */
  facts: Partial<Facts>
}

/**
 * Describes how this client makes one relayed write: the operation, the path of the request, and properties such as
 * `isFree`.
 */
export interface WriteSpec {
  operation: Operation
  /** The path relative to the service's root URL, with parameters in braces. */
  path: string
  /** True if the write can take effect without a payment, always or for some tasks. */
  isFree: boolean
  /** True if facts of the task determine the write's price, signature or amounts. */
  needsTask: boolean
  /** True if the write pays out the task's reward, or appoints an account that may pay out the reward. */
  decidesReward: boolean
  /** True if the write moves assets out of the wallet. */
  isWithdrawal: boolean
  /** Builds the request of a write whose arguments differ from the request body in the OpenAPI document. */
  build?: (input: Fields, context: BuildContext) => Promise<BuiltRequest>
}

/** The refusal reason when an earlier payment of the wallet has made, or could still make, the same write. */
export const EARLIER_PAYMENT = 'earlier_payment'

/**
 * A refusal by the client. The functions that make a write throw this error. `write` and `preview` do not throw it, but
 * return its `refusal` as their outcome.
 */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(reason: Refusal['reason'], message: string, extraFields: Partial<Refusal> = {}) {
    super(message)
    this.refusal = { reason, message, status: null, ...extraFields }
  }
}
