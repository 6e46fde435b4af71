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

/** Fields of a request, or of its normalised input: path and body in one object. */
export type Fields = Record<string, unknown>

/** An entry of the table of operations, whose functions take the result of its own `normalise`. */
export interface Operation {
  name: string
  operationId: string
  path: string
  kind: CallKind
  /** Absent: the call is submitted unchanged. */
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

/** Facts of the task that determine price, decisions and signature of a write. */
export type StandingFacts = Pick<Facts, 'reward' | 'requester' | 'stake' | 'claimRound'>

/** Facts of its task that a write needs. */
export interface TaskFacts {
  /** Current facts by the chain, else by the service. */
  present: StandingFacts
  /** Highest reward by the service, the chain and this wallet's records, base units. */
  mostReward: bigint
  /** Text to sign that the service offers, by action; compared, never signed. */
  offered: Record<string, string | null>
}

/** Values that complete the request of a write. */
export interface BuildContext {
  account: Account
  deployment: Deployment
  key: string
  /** Time of the chain, Unix seconds, or the best estimate without a node. */
  now: number
  /** End of the write's earlier authorization, Unix seconds; null: none. */
  validBefore: number | null
  /** Receiver of withdrawals in the wallet's configuration. */
  withdrawalAddress: string | null
  /**
   * Reads an answer of the given form from the service.
   * @throws Refused without one
   */
  read(path: string, query: Record<string, string>, shape: Shape): Promise<Record<string, unknown>>
}

/** The request of a withdrawal without its signature. */
export interface BuiltRequest {
  request: Fields
  /** The end of the authorization in it, Unix seconds. */
  validBefore: number
  /** Facts that its message contains. */
  facts: Partial<Facts>
}

/** A relayed write, as this package makes it. */
export interface WriteSpec {
  operation: Operation
  /** Below the service's root, braces around parameters. */
  path: string
  /** True when it can act without a payment, always or for some tasks. */
  isFree: boolean
  /** True when price, decisions or signature depend on facts of its task. */
  needsTask: boolean
  /** True when it pays out the reward of its task, or appoints the account that does. */
  decidesReward: boolean
  /** True when it moves assets out of the wallet. */
  isWithdrawal: boolean
  /** Completes a request whose arguments differ from the document's. */
  build?: (input: Fields, context: BuildContext) => Promise<BuiltRequest>
}

/** Refusal reason when another payment of the wallet could do the same write. */
export const EARLIER_PAYMENT = 'earlier_payment'

/** A refusal by the client: thrown inside the engine, returned as a value outside. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(reason: Refusal['reason'], message: string, more: Partial<Refusal> = {}) {
    super(message)
    this.refusal = { reason, message, status: null, ...more }
  }
}
