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

/** A request, or the input that an entry makes of it: path and body in one object. */
export type Fields = Record<string, unknown>

/** An entry of the table of operations, as the engine of writes calls it: with what its own `normalise` returned. */
export interface Operation {
  name: string
  operationId: string
  path: string
  kind: CallKind
  /** Absent: the call is submitted as it is. */
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

/** The facts of its task that price, decisions and signature of a write follow from. */
export type StandingFacts = Pick<Facts, 'reward' | 'requester' | 'stake' | 'claimRound'>

/** What a write must know of its task. */
export interface TaskFacts {
  /** As they are now, by the chain, else by the service. */
  present: StandingFacts
  /** The highest reward that the service, the chain and this wallet's own records say, base units. */
  mostReward: bigint
  /** The text to sign that the service offers for an action, by the action; compared, never signed. */
  offered: Record<string, string | null>
}

/** Values from which the request of a write is completed. */
export interface BuildContext {
  account: Account
  deployment: Deployment
  key: string
  /** Time of the chain as far as it is known, Unix seconds. */
  now: number
  /** The end of the authorization that the write signed before, Unix seconds; null: none. */
  validBefore: number | null
  /** Where the wallet's withdrawals go, by its own configuration. */
  withdrawalAddress: string | null
  /** An answer of the service, of that form. @throws Refused when it has none */
  read(path: string, query: Record<string, string>, shape: Shape): Promise<Record<string, unknown>>
}

/** A request of a withdrawal but for its signature. */
export interface BuiltRequest {
  request: Fields
  /** The end of the authorization in it, Unix seconds. */
  validBefore: number
  /** The facts that its message is made of. */
  facts: Partial<Facts>
}

/** A relayed write, as this package makes it. */
export interface WriteSpec {
  operation: Operation
  /** Below the service's root, braces around parameters. */
  path: string
  /** It can act without a payment, always or in some tasks. */
  isFree: boolean
  /** Price, decisions or signature follow from facts of its task. */
  needsTask: boolean
  /** It pays the reward of its task out, or names who does. */
  decidesReward: boolean
  /** It moves what the wallet has out of it. */
  isWithdrawal: boolean
  /** Completes a request whose arguments are not those of the document. */
  build?: (input: Fields, context: BuildContext) => Promise<BuiltRequest>
}

/** The reason of a write that another payment of the wallet keeps back: it could be made twice. */
export const EARLIER_PAYMENT = 'earlier_payment'

/** The client refuses a write: thrown inside of the engine, and a value outside of it. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(reason: Refusal['reason'], message: string, more: Partial<Refusal> = {}) {
    super(message)
    this.refusal = { reason, message, status: null, ...more }
  }
}
